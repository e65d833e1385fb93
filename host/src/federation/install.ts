import { pin, webpackLoadScript } from './files'

declare let __webpack_require__: { l: typeof webpackLoadScript }
declare const HOST_BUILD: string

export const hostBuild = HOST_BUILD

pin(`/host/${hostBuild}/`, JSON.parse(document.getElementById('files')?.textContent ?? '{}') as Record<string, string>)
__webpack_require__.l = webpackLoadScript
Object.assign(globalThis, { iotLoadScript: webpackLoadScript })
