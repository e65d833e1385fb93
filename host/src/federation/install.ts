import { pin, pinLater, webpackLoadScript } from './files'

declare let __webpack_require__: { l: typeof webpackLoadScript }
declare const HOST_BUILD: string

export const hostBuild = HOST_BUILD

const folder = `/host/${hostBuild}/`
pin(folder, JSON.parse(document.getElementById('files')?.textContent ?? '{}') as Record<string, string>)
pinLater(folder, 'files.json')
__webpack_require__.l = webpackLoadScript
Object.assign(globalThis, { iotLoadScript: webpackLoadScript })
