import { folderOf, type Pointer, type ReleaseRecord, remoteNames } from '@iot/shared/contract/release'
import { paths } from '@iot/shared/paths'

const json = async <T>(url: string) => (await (await fetch(url)).json()) as T

/** Addresses that open a screen: what the deployed remotes say of themselves, and the host's own. */
export async function servedPaths(): Promise<Set<string>> {
  const { remotes } = await json<Pointer>('/pointer.json')
  const records = await Promise.all(
    remoteNames.flatMap((name) => (remotes[name] ? [json<ReleaseRecord>(`/${folderOf(name, remotes[name].build)}/release.json`)] : [])),
  )
  return new Set([paths.home(), ...records.flatMap(({ routes }) => routes.map(({ path }) => path))])
}
