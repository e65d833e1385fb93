import { pageMeta } from '@iot/shared/client/pageMeta'
import type { ReleaseRecord } from '@iot/shared/contract/release'
import { fetchFile, pin, pinLater, webpackInsertStyle, webpackLoadScript } from './files'

declare let __webpack_require__: { l: typeof webpackLoadScript }
declare const HOST_BUILD: string

export const hostBuild = HOST_BUILD

const folder = `/host/${hostBuild}/`
type Hashes = Record<string, string>
const atOnce = JSON.parse(document.getElementById('files')?.textContent ?? '{}') as Hashes
pin(folder, atOnce)
/** Of what is behind login. */
export const filesOfApp = Object.keys(atOnce).flatMap((file) =>
  file.endsWith('.js') && !file.startsWith('main.') ? folder + file : [],
)

type Rest = { files: Hashes; shared: Record<string, string[]> }
let rest: Promise<Rest> | undefined
/** The other files of this build: their hashes, and what each shared module is made of. */
const readRest = () =>
  (rest ??= fetchFile(`${folder}files.json`, {
    type: /json/,
    integrity: atOnce['files.json'],
  }).then((text) => {
    const read = JSON.parse(text) as Rest
    pin(folder, read.files)
    return read
  })).catch((error: unknown) => {
    rest = undefined
    throw error
  })
pinLater(folder, readRest)

/** What was written down of this build when it was made. */
export const ownRecord = async () =>
  JSON.parse(await fetchFile(`${folder}release.json`, { type: /json/ })) as ReleaseRecord

/** Files of a shared module that did not come with the shell. */
export async function filesOfShared(keys: string[]) {
  if (keys.length === 0) return []
  const { shared } = await readRest()
  return keys.flatMap((key) => shared[key] ?? []).map((file) => folder + file)
}

__webpack_require__.l = webpackLoadScript
Object.assign(globalThis, { iotLoadScript: webpackLoadScript, iotInsertStyle: webpackInsertStyle })

// Probing for eval is a violation of the page's policy, even where it is caught; zod asks this first.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

// antd's parts pass the nonce to the styles they write, but for the probe of a scroll bar's width.
const nonce = pageMeta('csp-nonce')
const create = document.createElement.bind(document)
document.createElement = ((name: string, options?: ElementCreationOptions) => {
  const element = create(name, options)
  if (nonce && element instanceof HTMLStyleElement) element.nonce = nonce
  return element
}) as typeof document.createElement
