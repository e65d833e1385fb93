import type { AppName } from '../../shared/src/contract/release/release.schema.ts'
import { root } from '../root.ts'
import { computeBuildId } from './buildId.ts'

export type Package = { name: AppName; folder: string }

export const packages: Package[] = [
  { name: 'host', folder: 'host' },
  { name: 'deviceAccess', folder: 'remote-device-access' },
  { name: 'system', folder: 'remote-system' },
  { name: 'enterprise', folder: 'remote-enterprise' },
]

/** Finds a package by `system`, `remote-system` or `remote-system/`. */
export const findPackage = (nameOrFolder: string) =>
  packages.find(
    ({ name, folder }) => name === nameOrFolder || folder === nameOrFolder.replace(/\/$/, ''),
  )

/**
 * Input paths of a build besides the locked dependencies. Remotes include only those parts of shared that the host
 * does not provide.
 */
const listInputPaths = ({ name, folder }: Package) => [
  `${folder}/src`,
  `${folder}/package.json`,
  `${folder}/webpack.config.ts`,
  `${folder}/tsconfig.json`,
  `${folder}/tsconfig.exposes.json`,
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

export const computePackageBuildId = (pkg: Package) =>
  computeBuildId({ base: root, paths: listInputPaths(pkg) })
