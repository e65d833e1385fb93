import { openRate } from '../core/serve/rate'

export type Way = 'tcp' | 'tls' | 'ws' | 'wss'

/** Counts connections, messages and errors of each listener since the process started. */
export function openTraffic() {
  const ways = new Map<
    Way,
    { connections: number; messages: ReturnType<typeof openRate>; errors: number }
  >()
  const of = (way: Way) => {
    let one = ways.get(way)
    if (!one) ways.set(way, (one = { connections: 0, messages: openRate(), errors: 0 }))
    return one
  }
  return {
    opened: (way: Way) => void of(way).connections++,
    closed: (way: Way) => void of(way).connections--,
    message: (way: Way) => of(way).messages.add(),
    failed: (way: Way) => void of(way).errors++,
    figures(way: Way) {
      const { connections, messages, errors } = of(way)
      return { connections, perMinute: messages.perMinute(), errors }
    },
  }
}
export type Traffic = ReturnType<typeof openTraffic>
