/** Replaces snapshots and preloading in the federation runtime; see `host.ts`. */
const nothing = () => {}
export class SnapshotHandler {
  hooks = { applyPlugin: nothing, removePlugin: nothing }
}
export const getGlobalRemoteInfo = () => ({})

const absent = () => {
  throw new Error('Remotes are known by their records: there are no manifests to preload by')
}
export const formatPreloadArgs = absent
export const preloadAssets = absent
