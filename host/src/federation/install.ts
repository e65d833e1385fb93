import { readPageMeta } from '@iot/shared/client/pageMeta'
import type { ReleaseRecord } from '@iot/shared/contract/release'
import { fetchFile, pin, pinLater, webpackInsertStyle, webpackLoadScript } from './files'

declare let __webpack_require__: { l: typeof webpackLoadScript }
declare const HOST_BUILD: string

export const hostBuild = HOST_BUILD

const folder = `/host/${hostBuild}/`
type Hashes = Record<string, string>
const atOnce = JSON.parse(document.getElementById('files')?.textContent ?? '{}') as Hashes
pin(folder, atOnce)
/** The app behind login needs these files. */
export const filesOfApp = Object.keys(atOnce).flatMap((file) =>
  file.endsWith('.js') && !file.startsWith('main.') ? folder + file : [],
)

type Rest = { files: Hashes; shared: Record<string, string[]> }
let rest: Promise<Rest> | undefined
/** Reads the hashes of this build's other files, and which files each shared module consists of. */
const readRest = () =>
  (rest ??= fetchFile(`${folder}files.json`, {
    type: /json/,
    integrity: atOnce['files.json'],
  }).then((text) => {
    const parsedRest = JSON.parse(text) as Rest
    pin(folder, parsedRest.files)
    return parsedRest
  })).catch((error: unknown) => {
    rest = undefined
    throw error
  })
pinLater(folder, readRest)

/** Reads the release record that was written when this build was made. */
export const ownRecord = async () =>
  JSON.parse(await fetchFile(`${folder}release.json`, { type: /json/ })) as ReleaseRecord

/** Returns the files of shared modules that are not part of the shell. */
export async function filesOfShared(keys: string[]) {
  if (keys.length === 0) return []
  const { shared } = await readRest()
  return keys.flatMap((key) => shared[key] ?? []).map((file) => folder + file)
}

__webpack_require__.l = webpackLoadScript
Object.assign(globalThis, { iotLoadScript: webpackLoadScript, iotInsertStyle: webpackInsertStyle })

// Probing for eval violates the page's policy even if the error is caught, and zod reads this setting before it probes.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

// antd passes the nonce to all styles it writes, except to the one that measures the width of a scroll bar.
const nonce = readPageMeta('csp-nonce')
const create = document.createElement.bind(document)
document.createElement = ((name: string, options?: ElementCreationOptions) => {
  const element = create(name, options)
  if (nonce && element instanceof HTMLStyleElement) element.nonce = nonce
  return element
}) as typeof document.createElement
