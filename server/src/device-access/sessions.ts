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
 * Tracks connected devices and the sub-devices logged in through each gateway. The column `device.via` holds this for
 * the cluster; the maps here are the cache that this process needs for each message.
 */
export function openDeviceSessions(db: Db, directory: Directory, states: States) {
  const open = new Map<string, Session>()
  /** Maps each logged-in sub-device to the key of its gateway. */
  const over = new Map<string, string>()
  /** Maps each device to the number of its current connection or login. */
  const connections = new Map<string, number>()
  let signIns = 0
  const sessionOf = (identity: Identity) => {
    const key = keyOf(identity)
    let session = open.get(key)
    if (!session) open.set(key, (session = { since: 0, children: new Map(), known: false }))
    return session
  }

  /** Loads the logged-in sub-devices of a gateway that this process does not know yet. */
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
  /** Returns false if the sub-device is not logged in through this gateway. */
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
    /** Returns the gateway key of a logged-in sub-device. */
    gatewayOf: (key: string) => over.get(key),
    countOf: (identity: Identity) => open.get(keyOf(identity))?.children.size ?? 0,
    has: (gateway: Identity, child: Identity) =>
      open.get(keyOf(gateway))?.children.has(keyOf(child)) ?? false,
    /** Returns the connection or login of a device; undefined if it is unknown. */
    connectionOf(identity: Identity) {
      const number = connections.get(keyOf(identity))
      return number === undefined ? undefined : `${keyOf(identity)}|${number}`
    },

    /** Handles a presence event of the broker; a late event of a replaced connection is ignored. */
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
      // A moved sub-device answers only through its new gateway.
      const former = over.get(keyOf(child))
      if (former) lose(former, keyOf(child))
      keep(gateway, child)
      connections.set(keyOf(child), ++signIns)
      states.join(child, { via: gateway.id })
    },
    logout(gateway: KnownDevice, child: KnownDevice) {
      if (lose(keyOf(gateway), keyOf(child))) states.offline(child, gateway.id)
    },
    /** Ends the logins of changed devices that no longer belong to their gateway. */
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
    /** Answers from the database, because the maps here only cover devices that this process handles. */
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
    /** Clears the cache after a change of the cluster, because other processes may have changed the sessions. */
    forget() {
      open.clear()
      over.clear()
      connections.clear()
    },
  }
}
export type DeviceSessions = ReturnType<typeof openDeviceSessions>
