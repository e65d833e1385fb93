import type { RemoteName } from '@iot/shared/contract/release'
import { reload } from './areas'

/** Each time the developer's machine has built, the remote is exchanged where it stands. */
export function followDevelopment(name: RemoteName, origin: string) {
  const events = new EventSource(`${origin}/events`)
  events.onmessage = () => void reload(name)
  return () => events.close()
}
