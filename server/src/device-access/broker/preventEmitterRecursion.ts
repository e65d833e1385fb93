type Emitter = { _do: (message: unknown, callback: unknown) => unknown }

/**
 * The emitter of the broker starts the next waiting message inside the callback of the previous one. If a topic has no
 * subscriber, that callback runs synchronously, so a few thousand waiting messages (all devices of a switch that lost
 * power) overflow the stack and crash the process. This wrapper queues nested messages and handles them in the same
 * order.
 */
export function preventEmitterRecursion(emitter: Emitter) {
  const emitNow = emitter._do.bind(emitter)
  let queuedMessages: Parameters<Emitter['_do']>[] | undefined
  emitter._do = (...message) => {
    if (queuedMessages) return queuedMessages.push(message)
    queuedMessages = [message]
    try {
      for (const queuedMessage of queuedMessages) emitNow(...queuedMessage)
    } finally {
      queuedMessages = undefined
    }
    return emitter
  }
}
