import satisfies from 'semver/functions/satisfies.js'
import type { ReleaseRecord } from './release.schema'

/** Interfaces that a host offers to remotes. */
export type HostInterface = {
  shellApi: string
  versions: Record<string, string>
  /** Returns the exports of a shared module; undefined if the host lacks it, `*` if they are unknown. */
  listExports: (module: string) => string[] | undefined
}

type BuildRequirements = Pick<ReleaseRecord, 'shellApi' | 'requires' | 'shared' | 'uses'>

/** Checks compatibility and returns in Chinese why a host cannot run a build; undefined if it can. */
export function findIncompatibility(
  { shellApi, requires, shared, uses = {} }: BuildRequirements,
  host: HostInterface,
) {
  if (!satisfies(host.shellApi, shellApi)) {
    const reason = `它需要控制台接口 ${shellApi}，当前为 ${host.shellApi}`
    return getMajor(shellApi) < getMajor(host.shellApi)
      ? `与当前平台不兼容，请重新构建（${reason}）`
      : reason
  }
  for (const [packageName, range] of Object.entries(requires)) {
    const version = host.versions[packageName]
    if (version && !satisfies(version, range))
      return `它需要 ${packageName} ${range}，当前为 ${version}`
  }
  const missingModules = shared.filter((module) => !host.listExports(module))
  if (missingModules.length) return `当前控制台没有提供 ${missingModules.join('、')}`
  for (const [module, names] of Object.entries(uses)) {
    const offeredNames = host.listExports(module) ?? []
    const missingNames = offeredNames.includes('*')
      ? []
      : names.filter((name) => !offeredNames.includes(name))
    if (missingNames.length) return `当前控制台的 ${module} 没有 ${missingNames.join('、')}`
  }
  return undefined
}

/** Returns the major version of a version or of a range such as `^2.2.0`. */
const getMajor = (version: string) => Number(/\d+/.exec(version)?.[0])

/** Derives the interfaces of a host from its release record. Older builds do not list their exports. */
export function getHostInterface({ shellApi, versions, offers }: ReleaseRecord): HostInterface {
  const hasExportLists = Object.keys(offers).length > 0
  return {
    shellApi: shellApi.slice(1),
    versions,
    listExports: (module) => (hasExportLists ? offers[module] : ['*']),
  }
}
