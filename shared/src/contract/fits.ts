import satisfies from 'semver/functions/satisfies.js'
import type { ReleaseRecord } from './release'

/** Interfaces that a host offers to remotes. */
export type Shell = {
  shellApi: string
  versions: Record<string, string>
  /** Returns the exports of a shared module; undefined if the host lacks it, `*` if they are unknown. */
  exportsOf: (module: string) => string[] | undefined
}

type Needs = Pick<ReleaseRecord, 'shellApi' | 'requires' | 'shared' | 'uses'>

/** Checks compatibility and returns in Chinese why a host cannot run a build; undefined if it can. */
export function misfit({ shellApi, requires, shared, uses = {} }: Needs, shell: Shell) {
  if (!satisfies(shell.shellApi, shellApi))
    return `它需要控制台接口 ${shellApi}，当前为 ${shell.shellApi}`
  for (const [pkg, range] of Object.entries(requires)) {
    const version = shell.versions[pkg]
    if (version && !satisfies(version, range)) return `它需要 ${pkg} ${range}，当前为 ${version}`
  }
  const absent = shared.filter((module) => !shell.exportsOf(module))
  if (absent.length) return `当前控制台没有提供 ${absent.join('、')}`
  for (const [module, names] of Object.entries(uses)) {
    const offered = shell.exportsOf(module) ?? []
    const lacking = offered.includes('*') ? [] : names.filter((name) => !offered.includes(name))
    if (lacking.length) return `当前控制台的 ${module} 没有 ${lacking.join('、')}`
  }
  return undefined
}

/** Derives the interfaces of a host from its release record. Older builds do not list their exports. */
export function shellOf({ shellApi, versions, offers }: ReleaseRecord): Shell {
  const isSaid = Object.keys(offers).length > 0
  return {
    shellApi: shellApi.slice(1),
    versions,
    exportsOf: (module) => (isSaid ? offers[module] : ['*']),
  }
}
