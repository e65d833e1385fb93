import type { AreaName } from '../../shared/src/contract/release.ts'
import { root } from '../root.ts'
import { idOf } from './id.ts'

export type Package = { name: AreaName; folder: string }

export const packages: Package[] = [
  { name: 'host', folder: 'host' },
  { name: 'deviceAccess', folder: 'remote-device-access' },
  { name: 'system', folder: 'remote-system' },
  { name: 'enterprise', folder: 'remote-enterprise' },
]

/** Finds a package by `system`, `remote-system` or `remote-system/`. */
export const packageNamed = (word: string) =>
  packages.find(({ name, folder }) => name === word || folder === word.replace(/\/$/, ''))

/**
 * Input paths of a build besides the locked dependencies. Remotes include only those parts of shared that the host
 * does not provide.
 */
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

export const buildIdOf = (one: Package) => idOf({ base: root, paths: inputsOf(one) })
