import { pageMeta } from '@iot/shared/client/pageMeta'
import { pin, webpackInsertStyle, webpackLoadScript } from './files'

declare let __webpack_require__: { l: typeof webpackLoadScript }
declare const HOST_BUILD: string

export const hostBuild = HOST_BUILD

const given = <T>(id: string) =>
  JSON.parse(document.getElementById(id)?.textContent ?? '{}') as Record<string, T>
const folder = `/host/${hostBuild}/`
pin(folder, given<string>('files'))

const shared = given<string[]>('shared')
/** Files of a shared module that did not come with the shell. */
export const filesOfShared = (key: string) => (shared[key] ?? []).map((file) => folder + file)

/** Of what is behind login. */
export const filesOfApp = filesOfShared('./app')

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
