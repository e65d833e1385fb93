import type { RemoteName } from '@iot/shared/contract/release/release.schema'
import { reloadRemote } from './mountedRemotes'

type DevelopmentGlobals = { iotTakeSaved?: () => Promise<unknown> }

/**
 * Follows a development server. After each build, changed components are replaced with their state kept if the host
 * supports it (`pnpm dev`); otherwise the screen is reloaded.
 */
export function followDevelopment(name: RemoteName, origin: string) {
  const events = new EventSource(`${origin}/events`)
  events.onmessage = () =>
    (globalThis as DevelopmentGlobals).iotTakeSaved?.().catch(() => reloadRemote(name)) ??
    void reloadRemote(name)
  return () => events.close()
}
