// This file adds browser features that jsdom lacks and that antd or the router need.
import { TextDecoder, TextEncoder } from 'node:util'

class MessageChannel {
  port1 = {}
  port2 = { postMessage: (data) => setTimeout(() => this.port1.onmessage?.({ data })) }
}
/** Implements the parts of Request that the router uses for a navigation. */
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
// jsdom does not implement the second argument, a pseudo-element, and prints a long warning about it.
const { getComputedStyle } = window
window.getComputedStyle = (element) => getComputedStyle(element)
performance.getEntriesByType ??= () => []
