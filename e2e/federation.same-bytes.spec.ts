import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { built } from './federation/builds'
import { twinOf } from './federation/twin'
import { expect, test } from './fixtures'

test.describe.configure({ timeout: 900_000 })

test('the same sources give the same bytes in another folder', async () => {
  const here = await built('enterprise')
  const other = await twinOf('another-folder', ['remote-enterprise'])
  await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', 'scripts/build.ts', 'enterprise'],
    { cwd: other },
  )
  const read = (dist: string) => readFile(join(dist, 'release.json'), 'utf8')
  const there = join(other, 'remote-enterprise/dist', basename(here))
  // Equal records mean equal files, because the record holds the hash of each file.
  expect(JSON.parse(await read(there))).toEqual(JSON.parse(await read(here)))
  expect(await read(there)).toBe(await read(here))
  await rm(other, { recursive: true })
})
