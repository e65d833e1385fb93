import {
  folderOf,
  type Deployed,
  type Pointer,
  type ReleaseRecord,
  type RemoteName,
} from '@iot/shared/contract/release'
import { callAhead } from '@iot/shared/client/call'
import { pageInput } from '@iot/shared/client/pageInput'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { store } from '@iot/shared/session/store'
import { tokenAtom } from '@iot/shared/session/user'
import { withCanaries } from './canary'
import { fetchFile, prefetch } from './files'
import { filesOfShared } from './install'
import { pointerAtom } from './pointer'
import { isKeyed, signed } from './signature'

const KEPT = 'lastPointer'

let current: Promise<Pointer> | undefined
/** The pointer as last read; read once at start, then by the poll and by a retry. */
export const pointer = () => (current ??= readPointer())

/**
 * Reads the pointer again. Where it cannot be read, the last good one is used, for builds are never taken away at once;
 * `strict` tells the failure instead.
 */
export function readPointer({ strict = false } = {}): Promise<Pointer> {
  const reading = fetchPointer()
  const kept = reading.catch((error: unknown) => {
    const last = localStorage.getItem(KEPT)
    // Tried anew next time.
    if (current === kept) current = undefined
    if (!last) throw error
    return known(JSON.parse(last) as Pointer)
  })
  current = kept
  // Whoever asks later is told; nobody may be asking now.
  kept.catch(() => {})
  return strict ? reading : kept
}

let first = true
async function fetchPointer() {
  // The page has asked for it already; later readings go to the server, which answers 304 when nothing changed.
  const text = await fetchFile('/pointer.json', {
    type: /json/,
    isWhole: isPointer,
    cache: first ? 'default' : 'no-cache',
  }).finally(() => {
    first = false
  })
  localStorage.setItem(KEPT, text)
  return known(JSON.parse(text) as Pointer)
}

function known(read: Pointer) {
  const pointer = withCanaries(read)
  store.set(pointerAtom, pointer)
  return pointer
}

/** Cut off half-way it would lie in the cache, and the server go on answering that nothing changed. Full checks belong to who writes it. */
function isPointer(text: string) {
  try {
    const { revision, remotes } = JSON.parse(text) as Partial<Pointer>
    return typeof revision === 'number' && typeof remotes === 'object'
  } catch {
    return false
  }
}

export const addressOf = (name: RemoteName, build: string) => `/${folderOf(name, build)}/`

const records = new Map<string, Promise<ReleaseRecord>>()
/** The record of a build, exactly as the pointer pins it. */
export function recordOf(name: RemoteName, { build, record }: Pick<Deployed, 'build' | 'record'>) {
  const known = records.get(record)
  if (known) return known
  const text = fetchFile(`${addressOf(name, build)}release.json`, {
    type: /json/,
    integrity: record,
  })
  const read = (isKeyed ? signed(text, name, build) : text).then(
    (text) => JSON.parse(text) as ReleaseRecord,
  )
  records.set(record, read)
  read.catch(() => records.delete(record))
  return read
}

type Address = Pick<Location, 'pathname' | 'search'>

/** What the pointer says of an address, and what stands in it for `:id`. */
function neededAt({ needs }: Pick<Deployed, 'needs'>, pathname: string) {
  const parts = pathname.split('/')
  for (const [pattern, need] of Object.entries(needs)) {
    const names = pattern.split('/')
    const fits = (name: string, at: number) => name === parts[at] || /^:/.test(name)
    if (names.length !== parts.length || !names.every(fits)) continue
    const found = names.flatMap((name, at) =>
      name.startsWith(':') ? [[name.slice(1), decodeURIComponent(parts[at]!)]] : [],
    )
    return { need, params: Object.fromEntries(found) as Record<string, string> }
  }
  return undefined
}

/** Sends the first call of an address while its code is on its way; the screen takes the answer over. */
export async function askFor(name: RemoteName, { pathname, search }: Address) {
  // Read anew just now, it would come after the screen, which has then asked for itself.
  const deployed = (store.get(pointerAtom) ?? (await pointer())).remotes[name]
  // Whoever writes the pointer must not have calls made in this user's name.
  const said = deployed && isKeyed ? await recordOf(name, deployed) : deployed
  const found = said && neededAt(said, pathname)
  const asks = found?.need.asks
  const address = new URLSearchParams(search)
  // Another tab shows something else.
  if (!asks || !store.get(tokenAtom) || address.has('tab')) return
  const { input, pageNo, pageSize } = pageInput(address)
  const within = asks.within === 'project' ? { projectId: store.get(currentProjectIdAtom) } : {}
  callAhead(
    asks,
    asks.method === 'POST'
      ? { ...input, ...within, pageNo, pageSize }
      : { ...found.params, ...within },
  )
}

/** Asks for record and code of an address together, before anything has run. */
export async function prefetchFor(name: RemoteName, path: string) {
  const deployed = (await pointer()).remotes[name]
  if (!deployed) return
  void recordOf(name, deployed).catch(() => {})
  const needs = [deployed.needs['*'], neededAt(deployed, path)?.need]
  const files = needs
    .flatMap((need) => need?.files ?? [])
    .map((file) => addressOf(name, deployed.build) + file)
  const shared = filesOfShared(needs.flatMap((need) => need?.shared ?? []))
  await Promise.all([
    ...files.map(prefetch),
    shared.then((more) => Promise.all(more.map(prefetch))),
  ])
}
