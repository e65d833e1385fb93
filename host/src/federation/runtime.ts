import { createInstance, type ModuleFederation } from '@module-federation/runtime'
import type { DeployedBuild, ReleaseRecord, RemoteName } from '@iot/shared/contract/release.schema'
import type { RemoteRoute } from '@iot/shared/screens/route'
import { LoadFailure, asLoadFailure } from './failure'
import { core } from './runtimeCore'
import { fetchFile, loadScript, registerIntegrity, trustOrigin, removeBuildFiles } from './files'
import { hostBuild, readOwnRecord } from './install'
import { isSafe, allowDeveloperOrigin, getOverrideOrigin } from './override'
import { getBuildUrl, getPointer, readRecord } from './releases'
import { createSharedModules } from './sharedModules'

// Remotes are built without the runtime's core and use the one of the host.
Object.assign(globalThis, { _FEDERATION_RUNTIME_CORE: core })

const host: ModuleFederation = createInstance({
  name: 'host',
  remotes: [],
  shareStrategy: 'loaded-first',
  shared: createSharedModules(() => host),
  plugins: [
    {
      name: 'iot-loader',
      async loadEntry({ remoteInfo }) {
        await loadScript(remoteInfo.entry)
        const container = (globalThis as Record<string, unknown>)[remoteInfo.entryGlobalName]
        if (!container) throw new LoadFailure('script', '入口没有运行', remoteInfo.entry)
        return container as never
      },
    },
  ],
})

export type MountedRemote = { name: RemoteName; build: string; routes: RemoteRoute[] }
type HashedBuild = Pick<DeployedBuild, 'build' | 'record'>

/**
 * Loads the build that the pointer names.
 * @throws {LoadFailure} with the reason
 */
export async function loadRemote(name: RemoteName): Promise<MountedRemote> {
  if (isSafe) throw new LoadFailure('missing', '安全模式下不加载')
  const origin = getOverrideOrigin(name)
  if (origin) return loadFromDeveloper(name, origin)
  const { remotes, host: servedHost } = await getPointer()
  const deployed = remotes[name]
  try {
    if (!deployed) throw new LoadFailure('missing', '发布信息中没有它')
    return await loadBuild(name, deployed, servedHost?.build === hostBuild)
  } catch (error) {
    const failure = asLoadFailure(error)
    throw Object.assign(failure, { area: name, build: deployed?.build })
  }
}

/** Loads the build before the one that the pointer names, or returns `undefined` if that is missing or fails. */
export async function loadPrevious(name: RemoteName): Promise<MountedRemote | undefined> {
  if (isSafe) return undefined
  const { previous: build, previousRecord: record } = (await getPointer()).remotes[name] ?? {}
  return build && record
    ? loadBuild(name, { build, record }, false).catch(() => undefined)
    : undefined
}

/**
 * @param isCompared the build's compatibility with this host was checked at publishing; otherwise the page checks its
 * record
 */
async function loadBuild(
  name: RemoteName,
  deployed: HashedBuild,
  isCompared: boolean,
): Promise<MountedRemote> {
  const record = await readRecord(name, deployed)
  const reason = isCompared ? undefined : await findHostIncompatibility(record)
  if (reason) throw new LoadFailure('incompatible', reason)
  const folder = getBuildUrl(name, deployed.build)
  registerIntegrity(folder, record.files)
  return mountEntry(record, folder + record.entry)
}

async function findHostIncompatibility(record: ReleaseRecord) {
  const [{ findIncompatibility, getHostInterface }, hostRecord] = await Promise.all([
    import('@iot/shared/contract/buildCompatibility'),
    readOwnRecord(),
  ])
  return findIncompatibility(record, getHostInterface(hostRecord))
}

/** A development build changes in place and has no hashes. */
async function loadFromDeveloper(name: RemoteName, origin: string): Promise<MountedRemote> {
  await allowDeveloperOrigin(origin)
  const { build, entry } = JSON.parse(
    await fetchFile(`${origin}/release.json`, { type: /json/, cache: 'no-store' }),
  ) as ReleaseRecord
  trustOrigin(origin)
  return mountEntry({ name, build }, `${origin}/${entry}?${Date.now()}`)
}

async function mountEntry(
  record: Pick<ReleaseRecord, 'name' | 'build'>,
  entry: string,
): Promise<MountedRemote> {
  const id = toGlobalName(record)
  host.registerRemotes([{ name: id, entry, entryGlobalName: id }])
  const exposed = await host.loadRemote<{ routes: RemoteRoute[] }>(`${id}/routes`)
  if (!exposed) throw new LoadFailure('script', '没有给出页面', entry)
  return { name: record.name, build: record.build, routes: exposed.routes }
}

const toGlobalName = ({ name, build }: Pick<ReleaseRecord, 'name' | 'build'>) =>
  `${name}_${build.replace(/\W/g, '_')}`

type Globals = Record<string, unknown> & {
  __FEDERATION__: { __INSTANCES__: { name: string }[]; __SHARE__: Record<string, unknown> }
  __GLOBAL_LOADING_REMOTE_ENTRY__: Record<string, unknown>
}

/**
 * Unmounts a build that is no longer in use on the page. The runtime's own removal would also drop shared modules that
 * this build used last, React included, so its traces are removed one by one.
 */
export function unloadBuild({ name, build }: MountedRemote) {
  const id = toGlobalName({ name, build })
  const globals = globalThis as unknown as Globals
  const { __INSTANCES__: instances, __SHARE__: scopes } = globals.__FEDERATION__
  const loadingEntries = globals.__GLOBAL_LOADING_REMOTE_ENTRY__
  host.options.remotes = host.options.remotes.filter((remote) => remote.name !== id)
  host.moduleCache.delete(id)
  instances.splice(0, instances.length, ...instances.filter((instance) => instance.name !== id))
  for (const key of Object.keys(scopes)) if (key.startsWith(id)) delete scopes[key]
  for (const key of Object.keys(loadingEntries))
    if (key.startsWith(`${id}:`)) delete loadingEntries[key]
  // The entry is declared by `var` in its script and cannot be deleted.
  globals[id] = undefined
  delete globals[`webpackChunk${id}`]
  removeBuildFiles(getBuildUrl(name, build))
}
