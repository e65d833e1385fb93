import { createInstance, type ModuleFederation } from '@module-federation/runtime'
import type { Deployed, ReleaseRecord, RemoteName } from '@iot/shared/contract/release'
import { SHELL_API } from '@iot/shared/contract/shellApi'
import type { RemoteRoute } from '@iot/shared/ui/remoteRoute'
import { refusal } from './compatible'
import { LoadFailure, asLoadFailure } from './failure'
import { core } from './core'
import { fetchFile, loadScript, pin, trust, unpin } from './files'
import { isSafe, overrideOf } from './override'
import { folderOf, pointer, recordOf } from './releases'
import { offered, sharedModules } from './shared'

// Remotes are built without the runtime's core and take the host's.
Object.assign(globalThis, { _FEDERATION_RUNTIME_CORE: core })

const host: ModuleFederation = createInstance({
  name: 'host',
  remotes: [],
  shareStrategy: 'loaded-first',
  shared: sharedModules(() => host),
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

export type Mounted = { name: RemoteName; build: string; routes: RemoteRoute[] }

/** Loads the build the pointer names. Throws a LoadFailure that says why it cannot. */
export async function loadRemote(name: RemoteName): Promise<Mounted> {
  if (isSafe) throw new LoadFailure('missing', '安全模式下不加载')
  const origin = overrideOf(name)
  if (origin) return loadFromDeveloper(name, origin)
  const deployed = (await pointer()).remotes[name]
  try {
    if (!deployed) throw new LoadFailure('missing', '发布信息中没有它')
    return await loadBuild(name, deployed)
  } catch (error) {
    const failure = asLoadFailure(error)
    throw Object.assign(failure, { area: name, build: deployed?.build })
  }
}

async function loadBuild(name: RemoteName, deployed: Deployed): Promise<Mounted> {
  const record = await recordOf(name, deployed)
  const why = refusal(record, SHELL_API, offered)
  if (why) throw new LoadFailure('incompatible', why)
  const folder = folderOf(name, deployed.build)
  pin(folder, record.files)
  return open(record, folder + record.entry)
}

/** A developer's build changes in place and has no hashes. */
async function loadFromDeveloper(name: RemoteName, origin: string): Promise<Mounted> {
  const { build, entry } = JSON.parse(await fetchFile(`${origin}/release.json`, { type: /json/, cache: 'no-store' })) as ReleaseRecord
  trust(origin)
  return open({ name, build }, `${origin}/${entry}?${Date.now()}`)
}

async function open(record: Pick<ReleaseRecord, 'name' | 'build'>, entry: string): Promise<Mounted> {
  const id = globalName(record)
  host.registerRemotes([{ name: id, entry, entryGlobalName: id }])
  const exposed = await host.loadRemote<{ routes: RemoteRoute[] }>(`${id}/routes`)
  if (!exposed) throw new LoadFailure('script', '没有给出页面', entry)
  return { name: record.name as RemoteName, build: record.build, routes: exposed.routes }
}

const globalName = ({ name, build }: Pick<ReleaseRecord, 'name' | 'build'>) => `${name}_${build.replace(/\W/g, '_')}`

/** Lets go of a build that nothing on the page uses any more. */
export function forget({ name, build }: Mounted) {
  const id = globalName({ name, build })
  const remote = host.options.remotes.find((one) => one.name === id)
  // Registering by force removes too, but would want the same name again.
  if (remote) (host.remoteHandler as unknown as { removeRemote(one: typeof remote): void }).removeRemote(remote)
  delete (globalThis as Record<string, unknown>)[`webpackChunk${id}`]
  unpin(folderOf(name, build))
}
