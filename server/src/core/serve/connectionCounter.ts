import type { Socket } from 'node:net'
import { addressGroup } from './addressGroup'

/** Counts open connections per address group and in total. `admit` returns false for a connection over the limit. */
export function connectionCounter({
  perAddress,
  total,
  isExempt = () => false,
}: {
  perAddress: number
  total: number
  /** A proxy is exempt, because its connections belong to many clients. */
  isExempt?: (address: string) => boolean
}) {
  const open = new Map<string, number>()
  let all = 0
  return {
    admit(socket: Socket) {
      const address = socket.remoteAddress ?? ''
      const source = addressGroup(address)
      const count = open.get(source) ?? 0
      if (all >= total || (count >= perAddress && !isExempt(address))) return false
      open.set(source, count + 1)
      all++
      socket.once('close', () => {
        all--
        const remaining = (open.get(source) ?? 1) - 1
        if (remaining > 0) open.set(source, remaining)
        else open.delete(source)
      })
      return true
    },
  }
}
