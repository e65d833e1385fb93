type Emitter = { _do: (message: unknown, done: unknown) => unknown }

/**
 * The emitter of the broker begins the next waiting message within the end of the one before. Where nobody listens that
 * end is at once, so that a few thousand waiting ones (all devices of a switch that lost its power) overflow the stack
 * and take the process with them. Here a message that is begun within another waits for it, in the same order.
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
