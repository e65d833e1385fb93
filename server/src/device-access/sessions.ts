import { keyOf, type Identity } from './alink'
import type { Directory, KnownDevice } from './directory'
import type { Presence } from './presenceTopics'
import type { States } from './states'

type Session = { device?: KnownDevice; since: number; children: Map<string, KnownDevice> }
export const childrenLimit = 1500

/** Who is connected, and which children are signed in over which gateway. */
export function openDeviceSessions(directory: Directory, states: States) {
  const open = new Map<string, Session>()
  const sessionOf = (identity: Identity) => {
    const key = keyOf(identity)
    let session = open.get(key)
    if (!session) open.set(key, (session = { since: 0, children: new Map() }))
    return session
  }

  function drop(session: Session) {
    for (const child of session.children.values()) states.offline(child)
    session.children.clear()
  }

  return {
    childrenOf: (identity: Identity) => ({
      has: (key: string) => open.get(keyOf(identity))?.children.has(key) ?? false,
    }),
    countOf: (identity: Identity) => open.get(keyOf(identity))?.children.size ?? 0,
    has: (gateway: Identity, child: Identity) =>
      open.get(keyOf(gateway))?.children.has(keyOf(child)) ?? false,

    /** The broker says who came and went; a late word about a connection that was replaced counts for nothing. */
    async presence({ online, since, address, ...identity }: Presence) {
      const session = sessionOf(identity)
      if (since < session.since) return
      if (online) session.since = since
      const device = await directory.find(identity)
      if (!device || since < session.since) return
      drop(session)
      if (online) {
        session.device = device
        return states.online(device, address)
      }
      open.delete(keyOf(identity))
      states.offline(device)
    },

    login(gateway: Identity, child: KnownDevice) {
      // A child that moved answers over its new gateway only.
      for (const session of open.values()) if (session.children.delete(keyOf(child))) break
      const session = sessionOf(gateway)
      session.children.set(keyOf(child), child)
      states.online(child)
    },
    logout(gateway: Identity, child: KnownDevice) {
      if (open.get(keyOf(gateway))?.children.delete(keyOf(child))) states.offline(child)
    },
  }
}
export type DeviceSessions = ReturnType<typeof openDeviceSessions>
