type Emitter = { _do: (message: unknown, done: unknown) => unknown }

/**
 * The emitter of the broker starts the next waiting message inside the callback of the previous one. If a topic has no
 * subscriber, that callback runs synchronously, so a few thousand waiting messages (all devices of a switch that lost
 * power) overflow the stack and crash the process. This wrapper queues nested messages and handles them in the same
 * order.
 */
export function inTurn(emitter: Emitter) {
  const begin = emitter._do.bind(emitter)
  let waiting: Parameters<Emitter['_do']>[] | undefined
  emitter._do = (...next) => {
    if (waiting) return waiting.push(next)
    waiting = [next]
    try {
      for (const one of waiting) begin(...one)
    } finally {
      waiting = undefined
    }
    return emitter
  }
}
