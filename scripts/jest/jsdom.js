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
// jsdom matches every rule of antd's style sheets against the element, which takes most of the time of a test. Tests
// check what is drawn, not how it looks, so the style of the element itself is enough.
window.getComputedStyle = (element) => element.style
performance.getEntriesByType ??= () => []
