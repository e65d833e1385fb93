import type { RemoteName } from '@iot/shared/contract/release'
import { reload } from './areas'

type Developed = { iotTakeSaved?: () => Promise<unknown> }

/**
 * Each time the developer's machine has built, what changed is exchanged where it stands: components with what they hold
 * where the host can do that (`pnpm dev`), else the screen.
 */
export function followDevelopment(name: RemoteName, origin: string) {
  const events = new EventSource(`${origin}/events`)
  events.onmessage = () =>
    (globalThis as Developed).iotTakeSaved?.().catch(() => reload(name)) ?? void reload(name)
  return () => events.close()
}
