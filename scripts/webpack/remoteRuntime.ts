/// <reference types="webpack/module" />
declare let __webpack_require__: { l: unknown }

/** Lets the host fetch this remote's lazy chunks: with a deadline, retries and the hash its record gives. */
export default function remoteRuntime() {
  __webpack_require__.l = (globalThis as { iotLoadScript?: unknown }).iotLoadScript
  // While it is developed: takes what was saved, and fails where that needs the whole remote anew.
  if (import.meta.webpackHot)
    Object.assign(globalThis, { iotTakeSaved: () => import.meta.webpackHot!.check(true) })
  return { name: 'iot-remote' }
}
