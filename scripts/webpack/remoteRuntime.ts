declare let __webpack_require__: { l: unknown }

/** Lets the host fetch this remote's lazy chunks: with a deadline, retries and the hash its record gives. */
export default function remoteRuntime() {
  __webpack_require__.l = (globalThis as { iotLoadScript?: unknown }).iotLoadScript
  return { name: 'iot-remote' }
}
