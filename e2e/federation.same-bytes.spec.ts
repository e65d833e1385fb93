import { execFile } from 'node:child_process'
import { link, mkdir, readFile, readdir, readlink, rm, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { built } from './federation/builds'
import { expect, test } from './fixtures'

const root = join(import.meta.dirname, '..')
const parts = ['node_modules', 'scripts', 'shared', 'region-data', 'server', 'remote-enterprise']
const files = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'tsconfig.base.json']

/** Made by a build, not part of what is built. */
const isMade = (path: string) =>
  /[\\/](\.cache|\.federation)$/.test(path) ||
  (!path.includes('node_modules') && /[\\/]dist$/.test(path))

/** The same files below another folder; links, which pnpm makes relative, lead to its own. */
async function twin(from: string, to: string) {
  await mkdir(to, { recursive: true })
  const entries = await readdir(from, { withFileTypes: true })
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (isMade(source)) continue
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else if (entry.isDirectory()) await twin(source, target)
    else await link(source, target)
  }
}

test.describe.configure({ timeout: 900_000 })

test('the same sources give the same bytes in another folder', async () => {
  const here = await built('enterprise')
  // On the same disk, so that nothing needs to be copied.
  const other = join(root, '.cache/another-folder')
  await rm(other, { recursive: true, force: true })
  for (const part of parts) await twin(join(root, part), join(other, part))
  for (const file of files) await link(join(root, file), join(other, file))
  await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', 'scripts/build.ts', 'enterprise'],
    { cwd: other },
  )
  const read = (dist: string) => readFile(join(dist, 'release.json'), 'utf8')
  const there = join(other, 'remote-enterprise/dist', basename(here))
  // The record holds the hash of each file.
  expect(JSON.parse(await read(there))).toEqual(JSON.parse(await read(here)))
  expect(await read(there)).toBe(await read(here))
  await rm(other, { recursive: true })
})
