import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nameClass } from './common'

const folder = mkdtempSync(join(tmpdir(), 'sheets-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('names the classes of a style sheet by its content, in any folder and build', () => {
  const writeSheet = (file: string, text: string) => {
    writeFileSync(join(folder, file), text)
    return (className: string) => nameClass({ resourcePath: join(folder, file) }, '', className)
  }
  const nameInSheet = writeSheet('a.module.css', '.row { margin: 0 }')
  expect(nameInSheet('row')).toMatch(/^c[\w-]{7}$/)
  expect(writeSheet('copy.module.css', '.row { margin: 0 }')('row')).toBe(nameInSheet('row'))
  expect(nameInSheet('other')).not.toBe(nameInSheet('row'))
  expect(writeSheet('b.module.css', '.row { margin: 1px }')('row')).not.toBe(nameInSheet('row'))
})
