import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import webpack, { type Stats } from 'webpack'
import { root } from '../root'
import { CheckTypes } from './checkTypes'

let folder: string
// A folder below the root finds the types of the installed packages.
beforeAll(() => {
  mkdirSync(join(root, '.cache'), { recursive: true })
  folder = mkdtempSync(join(root, '.cache/checkTypes-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function buildWith(source: string) {
  writeFileSync(join(folder, 'entry.js'), '')
  writeFileSync(join(folder, 'typed.ts'), source)
  const tsconfig = { extends: '../../tsconfig.base.json', include: ['typed.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
  const compiler = webpack({
    context: folder,
    mode: 'none',
    entry: './entry.js',
    output: { path: join(folder, 'dist') },
    plugins: [new CheckTypes(folder)],
  })!
  const stats = await new Promise<Stats>((resolve, reject) =>
    compiler.run((error, result) => (error ? reject(error) : resolve(result!))),
  )
  return stats.toJson({ all: false, errors: true }).errors!.map(({ message }) => message)
}

it('fails a build whose sources have type errors, and names file and reason', async () => {
  const [message] = await buildWith("export const count: number = 'text'\n")
  expect(message).toMatch(/typed\.ts\(1,14\): error TS2322: Type 'string' is not assignable/)
})

it('lets a build without type errors pass', async () => {
  expect(await buildWith('export const count: number = 1\n')).toEqual([])
})
