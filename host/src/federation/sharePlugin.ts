import {
  registerGlobalPlugins,
  type ModuleFederation,
  type ModuleFederationRuntimePlugin,
} from '@module-federation/runtime'
import { LoadFailure } from './failure'
import { loadScript } from './files'

type Share = ModuleFederation['options']['shared'][string][number]

let host: ModuleFederation | undefined
let hasFailedShare = false

/** Returns what the host itself offers under a name; the share scope may hold a copy of it. */
const findHostShare = (name: string) => host?.options.shared[name]?.[0]
const isOfHost = (name: string, share: Partial<Share>) => {
  const hostShare = findHostShare(name)
  return (
    hostShare !== undefined && hostShare.get === share.get && hostShare.version === share.version
  )
}

const plugin: ModuleFederationRuntimePlugin = {
  name: 'iot-shares',
  beforeInit(args) {
    host ??= args.origin
    return args
  },
  /**
   * Uses the module of the host whenever it has one, also if a remote brings a higher patch, because modules of one
   * package from two builds would have two contexts. Whether the versions fit was checked before the remote was loaded.
   */
  resolveShare(args) {
    const { shareScopeMap, scope, pkgName, resolver } = args
    const versions = shareScopeMap[scope]?.[pkgName] ?? {}
    const shared = Object.values(versions).find((share) => isOfHost(pkgName, share))
    args.resolver = () => (shared ? { shared, useTreesShaking: false } : resolver())
    return args
  },
  /** The host stays the owner of its modules, because a swap removes those of the remote that loaded them first. */
  afterLoadShare({ pkgName, selectedShared }) {
    if (host && selectedShared && isOfHost(pkgName, selectedShared))
      selectedShared.from = host.options.name
  },
  /** Forgets a failed load, which the runtime would otherwise keep as long as the page lives. */
  errorLoadShare({ pkgName, shareScopeMap }) {
    hasFailedShare = true
    for (const scope of Object.values(shareScopeMap))
      for (const share of Object.values(scope[pkgName] ?? {}))
        if (!share.loaded) delete share.loading
  },
  /** Fetches the entry of a remote with a deadline, retries and the hash of its release record. */
  async loadEntry({ origin, remoteInfo }) {
    if (origin !== host) return undefined
    await loadScript(remoteInfo.entry)
    const container = (globalThis as Record<string, unknown>)[remoteInfo.entryGlobalName]
    if (!container) throw new LoadFailure('script', '入口没有运行', remoteInfo.entry)
    return container as never
  },
}

/**
 * Loads again what shared modules need themselves. The runtime considers a module loaded even if a shared module inside
 * it failed, and no hook runs for the outer one again. Chunks that are there are not fetched again.
 */
export async function repairShares() {
  if (!hasFailedShare || !host) return
  hasFailedShare = false
  for (const scope of Object.values(host.shareScopeMap))
    for (const versions of Object.values(scope))
      for (const share of Object.values(versions)) {
        await share.loading?.catch(() => {})
        if (share.loaded) await share.get()
      }
}

/** The instances of remotes get the same plugin. */
export default function sharePlugin() {
  registerGlobalPlugins([plugin])
  return plugin
}
