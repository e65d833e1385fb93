/// <reference types="webpack/module" />

/**
 * Applies a saved change in the page if the host supports it, and fails if the change needs the whole remote to be
 * reloaded.
 */
export default function remoteRuntime() {
  if (import.meta.webpackHot && 'iotRefresh' in globalThis)
    Object.assign(globalThis, { iotTakeSaved: () => import.meta.webpackHot!.check(true) })
  return { name: 'iot-remote' }
}
