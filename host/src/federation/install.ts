import { readPageMeta } from '@iot/shared/contract/pageMeta'
import { toSitePath } from '@iot/shared/contract/platform/siteAddress'
import type { ReleaseRecord } from '@iot/shared/contract/release/release.schema'
import {
  fetchFile,
  registerIntegrity,
  registerRemainingHashes,
  webpackInsertStyle,
  webpackLoadChunk,
} from './files'

declare const HOST_BUILD: string

export const hostBuild = HOST_BUILD

const folder = toSitePath(`/host/${hostBuild}/`)
type Hashes = Record<string, string>
type SharedFiles = { files: Hashes; shared: Record<string, string[]> }
const readPageJson = (id: string): unknown =>
  JSON.parse(document.getElementById(id)?.textContent ?? 'null')
const shellHashes = (readPageJson('files') ?? {}) as Hashes
registerIntegrity(folder, shellHashes)
/** The app behind login needs these files. */
export const appFiles = Object.keys(shellHashes).flatMap((file) =>
  file.endsWith('.js') && !file.startsWith('main.') ? folder + file : [],
)

/** Shared modules outside the shell with which lists begin, so that these lists do not wait for `files.json`. */
const listShares = (readPageJson('shares') ?? { files: {}, shared: {} }) as SharedFiles
registerIntegrity(folder, listShares.files)

let remainingFiles: Promise<SharedFiles> | undefined
/** Reads the hashes of this build's other files, and which files each shared module consists of. */
const readRemainingFiles = () =>
  (remainingFiles ??= fetchFile(`${folder}files.json`, {
    type: /json/,
    integrity: shellHashes['files.json'],
  }).then((text) => {
    const parsedFiles = JSON.parse(text) as SharedFiles
    registerIntegrity(folder, parsedFiles.files)
    return parsedFiles
  })).catch((error: unknown) => {
    remainingFiles = undefined
    throw error
  })
registerRemainingHashes(folder, readRemainingFiles)

/** Reads the release record that was written when this build was made. */
export const readOwnRecord = async () =>
  JSON.parse(await fetchFile(`${folder}release.json`, { type: /json/ })) as ReleaseRecord

/** Returns the files of shared modules that are not part of the shell. */
export async function listSharedFiles(keys: string[]) {
  const { shared } = keys.every((key) => key in listShares.shared)
    ? listShares
    : await readRemainingFiles()
  return keys.flatMap((key) => shared[key] ?? []).map((file) => folder + file)
}

// Every build asks for these when it loads a chunk (scripts/webpack/common.ts).
Object.assign(globalThis, { iotLoadChunk: webpackLoadChunk, iotInsertStyle: webpackInsertStyle })

// antd passes the nonce to all styles it writes, except to those that measure scroll bars and keep a page below a dialog
// from scrolling, for which it has no option (decision 130).
const nonce = readPageMeta('csp-nonce')
const createElement = document.createElement.bind(document)
document.createElement = ((name: string, options?: ElementCreationOptions) => {
  const element = createElement(name, options)
  if (nonce && element instanceof HTMLStyleElement) element.nonce = nonce
  return element
}) as typeof document.createElement
