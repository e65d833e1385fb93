import { createSingleFlight } from '@iot/shared/contract/singleFlight'
import { getBuildFolder, isPointer } from '@iot/shared/contract/release/release'
import { toSitePath } from '@iot/shared/contract/platform/siteAddress'
import type {
  DeployedBuild,
  Pointer,
  ReleaseRecord,
  RemoteName,
} from '@iot/shared/contract/release/release.schema'
import { prefetchCall } from '@iot/shared/client/call'
import { parsePageParams } from '@iot/shared/client/pageInput'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { store } from '@iot/shared/session/store'
import { tokenAtom } from '@iot/shared/session/user'
import { withCanaries } from './canary'
import { fetchFile, prefetchFile } from './files'
import { listSharedFiles } from './install'
import { pointerAtom } from './pointer'
import { hasReleaseKey, verifyRecordSignature } from './signature'

const pointerStorageKey = 'lastPointer'

let pointerPromise: Promise<Pointer> | undefined
/** Returns the cached pointer. It is read at start, and again by polling and by a retry. */
export const getPointer = () => (pointerPromise ??= readPointer())

/**
 * Reads the pointer again. If that fails, the last good pointer is used, because published builds are not deleted at
 * once; with `strict` the promise rejects instead.
 */
export function readPointer({ strict = false } = {}): Promise<Pointer> {
  const freshRead = fetchPointer()
  const readWithFallback = freshRead.catch((error: unknown) => {
    const storedPointer = localStorage.getItem(pointerStorageKey)
    // The next call tries again.
    if (pointerPromise === readWithFallback) pointerPromise = undefined
    if (!storedPointer) throw error
    return publishPointer(JSON.parse(storedPointer) as Pointer)
  })
  pointerPromise = readWithFallback
  // This empty handler prevents an unhandled rejection; later callers still receive the error.
  readWithFallback.catch(() => {})
  return strict ? freshRead : readWithFallback
}

let isFirstRead = true
async function fetchPointer() {
  // The page's HTML preloads this file; later reads go to the server, which answers 304 if nothing changed.
  const text = await fetchFile(toSitePath('/pointer.json'), {
    type: /json/,
    // A truncated file would stay in the cache, and the server would keep answering 304.
    isWhole: isPointer,
    cache: isFirstRead ? 'default' : 'no-cache',
  }).finally(() => {
    isFirstRead = false
  })
  localStorage.setItem(pointerStorageKey, text)
  return publishPointer(JSON.parse(text) as Pointer)
}

function publishPointer(fetchedPointer: Pointer) {
  const pointer = withCanaries(fetchedPointer)
  store.set(pointerAtom, pointer)
  return pointer
}

export const getBuildUrl = (name: RemoteName, build: string) =>
  toSitePath(`/${getBuildFolder(name, build)}/`)

const readRecordOnce = createSingleFlight(
  async (hash: string, name: RemoteName, build: string) => {
    const text = fetchFile(`${getBuildUrl(name, build)}release.json`, {
      type: /json/,
      integrity: hash,
    })
    return JSON.parse(
      await (hasReleaseKey ? verifyRecordSignature(text, name, build) : text),
    ) as ReleaseRecord
  },
  { keepsResults: true },
)
/** Reads the release record of a build and checks it against the hash in the pointer. */
export const readRecord = (
  name: RemoteName,
  { build, record }: Pick<DeployedBuild, 'build' | 'record'>,
) => readRecordOnce(record, name, build)

type Address = Pick<Location, 'pathname' | 'search'>

/** Returns the files and the first call that the pointer lists for an address, with its path parameters such as `:id`. */
function findAddressNeeds({ needs }: Pick<DeployedBuild, 'needs'>, pathname: string) {
  const parts = pathname.split('/')
  for (const [pattern, need] of Object.entries(needs)) {
    const names = pattern.split('/')
    const matchesPart = (name: string, index: number) => name === parts[index] || /^:/.test(name)
    if (names.length !== parts.length || !names.every(matchesPart)) continue
    const paramEntries = names.flatMap((name, index) =>
      name.startsWith(':') ? [[name.slice(1), decodeURIComponent(parts[index]!)]] : [],
    )
    return { need, params: Object.fromEntries(paramEntries) as Record<string, string> }
  }
  return undefined
}

/** Sends the first call of an address while its code is loading; the screen takes over the answer. */
export async function prefetchFirstCall(name: RemoteName, { pathname, search }: Address) {
  // The pointer in memory is used, because a fresh read would finish after the screen has sent the call itself.
  const deployed = (store.get(pointerAtom) ?? (await getPointer())).remotes[name]
  // Calls are read from the signed record on a site with a key, so that a forged pointer cannot make calls as this
  // user.
  const releaseInfo = deployed && hasReleaseKey ? await readRecord(name, deployed) : deployed
  const matchingNeed = releaseInfo && findAddressNeeds(releaseInfo, pathname)
  const firstCall = matchingNeed?.need.asks
  const address = new URLSearchParams(search)
  // An address with a tab shows other data than the prefetched call.
  if (!firstCall || !store.get(tokenAtom) || address.has('tab')) return
  const { input, pageNo, pageSize } = parsePageParams(address)
  const projectParams =
    firstCall.within === 'project' ? { projectId: store.get(currentProjectIdAtom) } : {}
  prefetchCall(
    firstCall,
    firstCall.method === 'POST'
      ? { ...input, ...projectParams, pageNo, pageSize }
      : { ...matchingNeed.params, ...projectParams },
  )
}

/** Prefetches the record and the code of an address in parallel before any of it runs. */
export async function prefetchBuildFiles(name: RemoteName, path: string) {
  const deployed = (await getPointer()).remotes[name]
  if (!deployed) return
  void readRecord(name, deployed).catch(() => {})
  const needs = [deployed.needs['*'], findAddressNeeds(deployed, path)?.need]
  const files = needs
    .flatMap((need) => need?.files ?? [])
    .map((file) => getBuildUrl(name, deployed.build) + file)
  const sharedFiles = listSharedFiles(needs.flatMap((need) => need?.shared ?? []))
  await Promise.all([
    ...files.map(prefetchFile),
    sharedFiles.then((files) => Promise.all(files.map(prefetchFile))),
  ])
}
