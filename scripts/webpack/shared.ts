import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { root } from '../root.ts'

/**
 * Modules that exist once at run time: the host provides them and remotes carry none. A key that ends in a slash
 * stands for every module below it. The list must match host/src/federation/sharedModules.ts, which offers the modules.
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
  '@ant-design/icons/es/components/',
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

/** A remote that carries one of these would bring a second theme, router or React, so its build fails. */
export const hostOnlyPattern =
  /[\\/]node_modules[\\/](react|react-dom|react-router|react-router-dom|jotai|dayjs|antd|ahooks|@ant-design[\\/](cssinjs|icons[\\/]es[\\/]components)|@rc-component)[\\/](?!.*[\\/](locale|plugin)[\\/])/
