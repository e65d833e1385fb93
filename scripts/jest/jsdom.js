// What jsdom lacks of a browser and antd or the router ask for.
import { TextDecoder, TextEncoder } from 'node:util'

class MessageChannel {
  port1 = {}
  port2 = { postMessage: (data) => setTimeout(() => this.port1.onmessage?.({ data })) }
}
/** As much as the router wants to know of a navigation. */
class Request {
  constructor(url, { method = 'GET', signal } = {}) {
    Object.assign(this, { url: String(url), method, signal })
  }
}
Object.assign(globalThis, { Request, TextEncoder, TextDecoder, MessageChannel })

window.matchMedia ??= (media) => ({
  media,
  matches: false,
  addEventListener() {},
  removeEventListener() {},
  addListener() {},
  removeListener() {},
})
window.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
// The second argument, a pseudo element, is not implemented and says so at length.
const { getComputedStyle } = window
window.getComputedStyle = (element) => getComputedStyle(element)
performance.getEntriesByType ??= () => []
