import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { root } from '../root.ts'
import { SHELL_API } from '../../shared/src/contract/release/shellApi.ts'

/** All icons import this module, by a relative path. */
export const iconBase = '@ant-design/icons/es/components/AntdIconLight'

/**
 * Modules that exist once at run time. The host's copy is used if there is a host that offers them
 * (host/src/federation/sharePlugin.ts); a remote also carries a copy of its own for other hosts. A key that ends in a
 * slash stands for every module below it.
 */
export const sharedModuleKeys = [
  'react',
  'react/',
  'react-dom',
  'react-dom/',
  'react-router',
  'react-router/',
  'react-router-dom',
  'jotai',
  'jotai/',
  'dayjs',
  'antd/es/',
  'ahooks/es/',
  iconBase,
  '@iot/shared/client/',
  '@iot/shared/session/',
  '@iot/shared/ui/',
  '@iot/shared/plan/',
  '@iot/shared/control/',
]

/** Packages whose version the release record of a remote names. */
export const versionedPackages = [
  'react',
  'react-dom',
  'react-router-dom',
  'jotai',
  'dayjs',
  'antd',
  'ahooks',
]

export const readVersion = (folder: string, pkg: string) =>
  (
    createRequire(join(resolve(root, folder), 'package.json'))(`${pkg}/package.json`) as {
      version: string
    }
  ).version
export const readVersions = (folder: string) =>
  Object.fromEntries(versionedPackages.map((pkg) => [pkg, readVersion(folder, pkg)]))

/** The range ignores the patch version, so that a remote runs on a host that was built with an older patch. */
export const toRange = (version: string) => `^${version.split('.').slice(0, 2).join('.')}.0`

/** Returns the package of a shared module: `antd/es/` → `antd` */
const getPackageName = (key: string) => /^(@[^/]+\/)?[^/]+/.exec(key)![0]

type SharedOptions = {
  singleton: true
  version: string
  requiredVersion: string
  import?: false
}

/** A remote in its own repository has only the types of `shared`, so it runs in the console alone. */
const canCarry = (key: string) =>
  !key.startsWith('@iot/shared/') || existsSync(join(root, 'shared/src/ui'))

/**
 * Returns the shared modules with their versions. They are written out, because the plugin reads `catalog:` in a
 * package.json as a range that accepts every version.
 */
export function createShared(folder: string): Record<string, SharedOptions> {
  // The plugin resolves keys such as `antd/es/` as Node would, and Node warns of them without any consequence.
  process.noDeprecation = true
  const readSharedVersion = (pkg: string) => {
    if (pkg === '@iot/shared') return SHELL_API
    return pkg === 'react-router'
      ? readVersion(folder, 'react-router-dom')
      : readVersion(folder, pkg)
  }
  return Object.fromEntries(
    sharedModuleKeys.map((key) => {
      const version = readSharedVersion(getPackageName(key))
      return [
        key,
        {
          singleton: true,
          version,
          requiredVersion: toRange(version),
          ...(!canCarry(key) && { import: false }),
        },
      ]
    }),
  )
}

/** A remote that uses one of these in its own code would bring a second theme, router or React, so its build fails. */
export const hostOnlyPattern =
  /[\\/]node_modules[\\/](react|react-dom|react-router|react-router-dom|jotai|dayjs|antd|ahooks|@ant-design[\\/](cssinjs|icons[\\/]es[\\/]components)|@rc-component)[\\/](?!.*[\\/](locale|plugin)[\\/])/
