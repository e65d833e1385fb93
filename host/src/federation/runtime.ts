import { loadRemote as loadExposed, registerRemotes } from '@module-federation/runtime'
import type {
  DeployedBuild,
  ReleaseRecord,
  RemoteName,
} from '@iot/shared/contract/release/release.schema'
import type { RemoteRoute } from '@iot/shared/screens/route'
import { LoadFailure, asLoadFailure } from './failure'
import { fetchFile, registerIntegrity, trustOrigin, removeBuildFiles } from './files'
import { hostBuild, readOwnRecord } from './install'
import { isSafe, allowDeveloperOrigin, getOverrideOrigin } from './override'
import { getBuildUrl, getPointer, readRecord } from './releases'
import { repairShares } from './sharePlugin'

export type MountedRemote = { name: RemoteName; build: string; routes: RemoteRoute[] }
type LoadedBuild = Pick<MountedRemote, 'name' | 'build'>
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
  deployed: HashedBuild & Pick<DeployedBuild, 'incompatibility'>,
  isCompared: boolean,
): Promise<MountedRemote> {
  const record = await readRecord(name, deployed)
  const reason = isCompared ? deployed.incompatibility : await findHostIncompatibility(record)
  if (reason) throw new LoadFailure('incompatible', reason)
  const folder = getBuildUrl(name, deployed.build)
  registerIntegrity(folder, record.files)
  return mountEntry(record, folder + record.entry)
}

async function findHostIncompatibility(record: ReleaseRecord) {
  const [{ findIncompatibility, getHostInterface }, hostRecord] = await Promise.all([
    import('@iot/shared/contract/release/buildCompatibility'),
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

const lastMounts = new Map<RemoteName, Promise<unknown>>()
/** Mounts the builds of a remote one after another, because the runtime knows one build per name. */
function mountEntry(build: LoadedBuild, entry: string): Promise<MountedRemote> {
  const mounted = (lastMounts.get(build.name) ?? Promise.resolve())
    .catch(() => {})
    .then(() => mountNext(build, entry))
  lastMounts.set(build.name, mounted)
  return mounted
}

/** These builds are on the page; one that is shown again must not run twice. */
const loadedBuilds = new Map<string, MountedRemote>()
const getBuildKey = ({ name, build }: LoadedBuild) => `${name}_${build.replace(/\W/g, '_')}`

async function mountNext({ name, build }: LoadedBuild, entry: string): Promise<MountedRemote> {
  const key = getBuildKey({ name, build })
  const loadedBuild = loadedBuilds.get(key)
  if (loadedBuild) return loadedBuild
  await repairShares()
  registerRemotes([{ name, entry: new URL(entry, location.href).href }], { force: true })
  const exposed = await loadExposed<{ routes: RemoteRoute[] }>(`${name}/routes`)
  if (!exposed) throw new LoadFailure('script', '没有给出页面', entry)
  const remote = { name, build, routes: exposed.routes }
  loadedBuilds.set(key, remote)
  return remote
}

/** Frees what the page keeps of a build that is no longer in use. */
export function unloadBuild({ name, build }: MountedRemote) {
  const key = getBuildKey({ name, build })
  loadedBuilds.delete(key)
  // webpack keeps the chunks of a build in a variable with its unique name, which is that of the remote during
  // development.
  for (const uniqueName of [key, name])
    delete (globalThis as Record<string, unknown>)[`webpackChunk${uniqueName}`]
  removeBuildFiles(getBuildUrl(name, build))
}
