/// <reference types="webpack/module" />
declare let __webpack_require__: { l: unknown }

/** Lets the host fetch the lazy chunks of this remote with a deadline, retries and the hashes of its release record. */
export default function remoteRuntime() {
  __webpack_require__.l = (globalThis as { iotLoadScript?: unknown }).iotLoadScript
  // During development it applies a saved change, and fails if the change needs the whole remote to be reloaded.
  if (import.meta.webpackHot)
    Object.assign(globalThis, { iotTakeSaved: () => import.meta.webpackHot!.check(true) })
  return { name: 'iot-remote' }
}
