import type { Socket } from 'node:net'
import { addressGroup } from './addressGroup'

/** Counts open connections per address group and in total. `admit` returns false for a connection over the limit. */
export function createConnectionCounter({
  perAddress,
  total,
  isExempt = () => false,
}: {
  perAddress: number
  total: number
  /** A proxy is exempt, because its connections belong to many clients. */
  isExempt?: (address: string) => boolean
}) {
  const openBySource = new Map<string, number>()
  let totalOpen = 0
  return {
    admit(socket: Socket) {
      const address = socket.remoteAddress ?? ''
      const source = addressGroup(address)
      const count = openBySource.get(source) ?? 0
      if (totalOpen >= total || (count >= perAddress && !isExempt(address))) return false
      openBySource.set(source, count + 1)
      totalOpen++
      socket.once('close', () => {
        totalOpen--
        const remaining = (openBySource.get(source) ?? 1) - 1
        if (remaining > 0) openBySource.set(source, remaining)
        else openBySource.delete(source)
      })
      return true
    },
  }
}
