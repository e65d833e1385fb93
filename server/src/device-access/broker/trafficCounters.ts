import { createRateCounter } from '../../core/http/rateCounter'

export type Transport = 'tcp' | 'tls' | 'ws' | 'wss'

/** Counts connections, messages and errors of each listener since the process started. */
export function createTrafficCounters() {
  const countersByTransport = new Map<
    Transport,
    { connections: number; messages: ReturnType<typeof createRateCounter>; errors: number }
  >()
  const getCounters = (transport: Transport) => {
    let counters = countersByTransport.get(transport)
    if (!counters)
      countersByTransport.set(
        transport,
        (counters = { connections: 0, messages: createRateCounter(), errors: 0 }),
      )
    return counters
  }
  return {
    countOpened: (transport: Transport) => void getCounters(transport).connections++,
    countClosed: (transport: Transport) => void getCounters(transport).connections--,
    countMessage: (transport: Transport) => getCounters(transport).messages.add(),
    countError: (transport: Transport) => void getCounters(transport).errors++,
    getFigures(transport: Transport) {
      const { connections, messages, errors } = getCounters(transport)
      return { connections, perMinute: messages.perMinute(), errors }
    },
  }
}
export type Traffic = ReturnType<typeof createTrafficCounters>
