import { and, eq } from 'drizzle-orm'
import type { Db } from '../core/db/db'
import { device, deviceCredential } from '../tables/device'
import { keyOf, type Identity } from './alink'
import type { Directory, KnownDevice } from './directory'
import type { Presence } from './presenceTopics'
import type { States } from './states'

type Session = { since: number; children: Map<string, KnownDevice>; known: boolean }
export const childrenLimit = 1500

/**
 * Who is connected, and which children are signed in over which gateway. The rows say it (`device.via`), for every process;
 * what stands here is what this one needs at each message.
 */
export function openDeviceSessions(db: Db, directory: Directory, states: States) {
  const open = new Map<string, Session>()
  /** By child, the gateway it is signed in over. */
  const over = new Map<string, string>()
  /** Each connection, and each sign-in, has a number of its own. */
  const connections = new Map<string, number>()
  let signIns = 0
  const sessionOf = (identity: Identity) => {
    const key = keyOf(identity)
    let session = open.get(key)
    if (!session) open.set(key, (session = { since: 0, children: new Map(), known: false }))
    return session
  }

  /** Reads who is signed in, where this process does not know it. */
  async function know(gateway: KnownDevice) {
    const session = sessionOf(gateway)
    if (session.known || gateway.node !== 'gateway') return session
    await states.flush()
    const rows = await db
      .select({
        productKey: deviceCredential.productKey,
        deviceName: deviceCredential.deviceName,
      })
      .from(device)
      .innerJoin(
        deviceCredential,
        and(
          eq(deviceCredential.projectId, device.projectId),
          eq(deviceCredential.deviceId, device.id),
        ),
      )
      .where(and(eq(device.projectId, gateway.projectId), eq(device.via, gateway.id)))
    const children = await Promise.all(rows.map(directory.find))
    for (const child of children) if (child) keep(gateway, child)
    session.known = true
    return session
  }

  function keep(gateway: Identity, child: KnownDevice) {
    sessionOf(gateway).children.set(keyOf(child), child)
    over.set(keyOf(child), keyOf(gateway))
  }
  /** False where it is not signed in over this gateway. */
  function lose(gatewayKey: string, key: string) {
    if (!open.get(gatewayKey)?.children.delete(key)) return false
    if (over.get(key) === gatewayKey) over.delete(key)
    connections.delete(key)
    return true
  }
  function drop(gateway: KnownDevice, session: Session) {
    for (const [key, child] of session.children) {
      lose(keyOf(gateway), key)
      states.offline(child, gateway.id)
    }
  }

  return {
    know,
    childrenOf: (identity: Identity) => ({
      has: (key: string) => open.get(keyOf(identity))?.children.has(key) ?? false,
    }),
    /** The gateway it is signed in over. */
    gatewayOf: (key: string) => over.get(key),
    countOf: (identity: Identity) => open.get(keyOf(identity))?.children.size ?? 0,
    has: (gateway: Identity, child: Identity) =>
      open.get(keyOf(gateway))?.children.has(keyOf(child)) ?? false,
    /** Which connection or sign-in a device speaks over; undefined where nobody said. */
    connectionOf(identity: Identity) {
      const number = connections.get(keyOf(identity))
      return number === undefined ? undefined : `${keyOf(identity)}|${number}`
    },

    /** The broker says who came and went; a late word about a connection that was replaced counts for nothing. */
    async presence({ online, since, address, ...identity }: Presence) {
      if (since < sessionOf(identity).since) return
      if (online) sessionOf(identity).since = since
      const device = await directory.find(identity)
      if (!device) return
      const session = await know(device)
      drop(device, session)
      if (online) {
        connections.set(keyOf(identity), since)
        return states.join(device, { address })
      }
      open.delete(keyOf(identity))
      connections.delete(keyOf(identity))
      states.offline(device)
    },

    login(gateway: KnownDevice, child: KnownDevice) {
      // A child that moved answers over its new gateway only.
      const former = over.get(keyOf(child))
      if (former) lose(former, keyOf(child))
      keep(gateway, child)
      connections.set(keyOf(child), ++signIns)
      states.join(child, { via: gateway.id })
    },
    logout(gateway: KnownDevice, child: KnownDevice) {
      if (lose(keyOf(gateway), keyOf(child))) states.offline(child, gateway.id)
    },
    /** They were changed: a gateway speaks no more for who is its child no more. */
    async recheck(identities: Identity[]) {
      for (const key of identities.map(keyOf)) {
        const gatewayKey = over.get(key)
        const before = gatewayKey && open.get(gatewayKey)?.children.get(key)
        if (!before) continue
        const now = await directory.find(before)
        const stays =
          now?.gatewayId && now.gatewayId === before.gatewayId && now.projectId === before.projectId
        if (!stays && lose(gatewayKey, key)) states.offline(before, before.gatewayId ?? undefined)
      }
    },
    /** As the rows say: what stands here is only what this process works on. */
    async speaksFor(gateway: Identity, child: Identity) {
      const found = await directory.find(gateway)
      if (found?.node !== 'gateway') return false
      const [row] = await db
        .select({ id: device.id })
        .from(device)
        .innerJoin(
          deviceCredential,
          and(
            eq(deviceCredential.projectId, device.projectId),
            eq(deviceCredential.deviceId, device.id),
          ),
        )
        .where(
          and(
            eq(deviceCredential.productKey, child.productKey),
            eq(deviceCredential.deviceName, child.deviceName),
            eq(device.via, found.id),
          ),
        )
      return row !== undefined
    },
    /** Other processes take over, or have taken over: what stands here is read anew. */
    forget() {
      open.clear()
      over.clear()
      connections.clear()
    },
  }
}
export type DeviceSessions = ReturnType<typeof openDeviceSessions>
