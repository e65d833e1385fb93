import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AreaName } from '../../shared/src/contract/release.ts'
import { root } from '../root.ts'

export type Package = { name: AreaName; folder: string }

export const packages: Package[] = [
  { name: 'host', folder: 'host' },
  { name: 'deviceAccess', folder: 'remote-device-access' },
  { name: 'system', folder: 'remote-system' },
  { name: 'enterprise', folder: 'remote-enterprise' },
]

/** `system`, `remote-system` and `remote-system/` all name one package. */
export const packageNamed = (word: string) =>
  packages.find(({ name, folder }) => name === word || folder === word.replace(/\/$/, ''))

/** What a build is made of, beside the locked dependencies. Remotes take of shared what they do not get from the host. */
const inputsOf = ({ name, folder }: Package) => [
  `${folder}/src`,
  `${folder}/package.json`,
  `${folder}/webpack.config.ts`,
  ...(name === 'host'
    ? ['host/index.html', 'shared/src']
    : ['contract', ...['area', 'paths', 'route', name].map((file) => `screens/${file}.ts`)].map(
        (part) => `shared/src/${part}`,
      )),
  'shared/package.json',
  'region-data/src',
  'region-data/data',
  'scripts/webpack',
  'scripts/build',
  'tsconfig.base.json',
  'pnpm-lock.yaml',
]

async function filesOf(path: string): Promise<string[]> {
  const entries = await readdir(join(root, path), { withFileTypes: true, recursive: true }).catch(
    () => null,
  )
  if (!entries) return [path]
  return entries
    .filter((entry) => entry.isFile() && !/\.(test\.tsx?|md)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
}

const contentOf = (file: string) =>
  existsSync(join(root, file)) ? readFileSync(join(root, file)) : ''

/** The same inputs give the same build id, on any machine. */
export async function buildIdOf(one: Package): Promise<string> {
  const files = (await Promise.all(inputsOf(one).map(filesOf))).flat().sort()
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0`).update(contentOf(file)).update('\0')
  return hash.digest('hex').slice(0, 12)
}
