import { and, eq } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { isOwnCredential } from '../credentialJoin'
import { device, deviceCredential } from '../../tables/device'
import { deviceKey, type Identity } from '../protocol/alink'
import type { Directory, KnownDevice } from '../directory'
import type { Presence } from '../broker/presenceTopics'
import type { States } from '../ingest/deviceStates'

type Session = { since: number; children: Map<string, KnownDevice>; hasLoadedChildren: boolean }
export const maxChildrenPerGateway = 1500

/**
 * Tracks connected devices and the sub-devices logged in through each gateway. The column `device.via` holds this for
 * the cluster; the maps here are the cache that this process needs for each message.
 */
export function createDeviceSessions(db: Db, directory: Directory, states: States) {
  const sessionsByKey = new Map<string, Session>()
  /** Maps each logged-in sub-device to the key of its gateway. */
  const gatewayKeyByChild = new Map<string, string>()
  /** Maps each device to the number of its current connection or login. */
  const connectionNumbers = new Map<string, number>()
  let loginCount = 0
  const getOrCreateSession = (identity: Identity) => {
    const key = deviceKey(identity)
    let session = sessionsByKey.get(key)
    if (!session)
      sessionsByKey.set(
        key,
        (session = { since: 0, children: new Map(), hasLoadedChildren: false }),
      )
    return session
  }

  /** Loads the logged-in sub-devices of a gateway that this process does not know yet. */
  async function loadSession(gateway: KnownDevice) {
    const session = getOrCreateSession(gateway)
    if (session.hasLoadedChildren || gateway.node !== 'gateway') return session
    await states.flush()
    const rows = await findLoggedInChildren(db, gateway)
    const children = await Promise.all(rows.map(directory.find))
    for (const child of children) if (child) attachChild(gateway, child)
    session.hasLoadedChildren = true
    return session
  }

  function attachChild(gateway: Identity, child: KnownDevice) {
    getOrCreateSession(gateway).children.set(deviceKey(child), child)
    gatewayKeyByChild.set(deviceKey(child), deviceKey(gateway))
  }
  /** Returns false if the sub-device is not logged in through this gateway. */
  function detachChild(gatewayKey: string, key: string) {
    if (!sessionsByKey.get(gatewayKey)?.children.delete(key)) return false
    if (gatewayKeyByChild.get(key) === gatewayKey) gatewayKeyByChild.delete(key)
    connectionNumbers.delete(key)
    return true
  }
  function detachAllChildren(gateway: KnownDevice, session: Session) {
    for (const [key, child] of session.children) {
      detachChild(deviceKey(gateway), key)
      states.markOffline(child, gateway.id)
    }
  }

  return {
    loadSession,
    getChildren: (identity: Identity) => ({
      has: (key: string) => sessionsByKey.get(deviceKey(identity))?.children.has(key) ?? false,
    }),
    /** Returns the gateway key of a logged-in sub-device. */
    findGatewayKey: (key: string) => gatewayKeyByChild.get(key),
    countChildren: (identity: Identity) =>
      sessionsByKey.get(deviceKey(identity))?.children.size ?? 0,
    has: (gateway: Identity, child: Identity) =>
      sessionsByKey.get(deviceKey(gateway))?.children.has(deviceKey(child)) ?? false,
    /** Returns the connection or login of a device; undefined if it is unknown. */
    getConnectionId(identity: Identity) {
      const connectionNumber = connectionNumbers.get(deviceKey(identity))
      return connectionNumber === undefined
        ? undefined
        : `${deviceKey(identity)}|${connectionNumber}`
    },

    /** Handles a presence event of the broker; a late event of a replaced connection is ignored. */
    async handlePresence({ online, since, address, ...identity }: Presence) {
      if (since < getOrCreateSession(identity).since) return
      if (online) getOrCreateSession(identity).since = since
      const device = await directory.find(identity)
      if (!device) return
      const session = await loadSession(device)
      detachAllChildren(device, session)
      if (online) {
        connectionNumbers.set(deviceKey(identity), since)
        return states.markConnected(device, { address })
      }
      sessionsByKey.delete(deviceKey(identity))
      connectionNumbers.delete(deviceKey(identity))
      states.markOffline(device)
    },

    login(gateway: KnownDevice, child: KnownDevice) {
      // A moved sub-device answers only through its new gateway.
      const formerGatewayKey = gatewayKeyByChild.get(deviceKey(child))
      if (formerGatewayKey) detachChild(formerGatewayKey, deviceKey(child))
      attachChild(gateway, child)
      connectionNumbers.set(deviceKey(child), ++loginCount)
      states.markConnected(child, { via: gateway.id })
    },
    logout(gateway: KnownDevice, child: KnownDevice) {
      if (detachChild(deviceKey(gateway), deviceKey(child))) states.markOffline(child, gateway.id)
    },
    /** Ends the logins of changed devices that no longer belong to their gateway. */
    async recheckLogins(identities: Identity[]) {
      for (const key of identities.map(deviceKey)) {
        const gatewayKey = gatewayKeyByChild.get(key)
        const cachedChild = gatewayKey && sessionsByKey.get(gatewayKey)?.children.get(key)
        if (!cachedChild) continue
        const currentDevice = await directory.find(cachedChild)
        if (!isStillBound(cachedChild, currentDevice) && detachChild(gatewayKey, key))
          states.markOffline(cachedChild, cachedChild.gatewayId ?? undefined)
      }
    },
    /** Answers from the database, because the maps here only cover devices that this process handles. */
    async canActFor(gateway: Identity, child: Identity) {
      const gatewayDevice = await directory.find(gateway)
      if (gatewayDevice?.node !== 'gateway') return false
      return hasLogin(db, gatewayDevice.id, child)
    },
    /** Clears the cache after a change of the cluster, because other processes may have changed the sessions. */
    clearCache() {
      sessionsByKey.clear()
      gatewayKeyByChild.clear()
      connectionNumbers.clear()
    },
  }
}
export type DeviceSessions = ReturnType<typeof createDeviceSessions>

const findLoggedInChildren = (db: Db, gateway: KnownDevice) =>
  db
    .select({
      productKey: deviceCredential.productKey,
      deviceName: deviceCredential.deviceName,
    })
    .from(device)
    .innerJoin(deviceCredential, isOwnCredential)
    .where(and(eq(device.projectId, gateway.projectId), eq(device.via, gateway.id)))

async function hasLogin(db: Db, gatewayId: string, child: Identity) {
  const [row] = await db
    .select({ id: device.id })
    .from(device)
    .innerJoin(deviceCredential, isOwnCredential)
    .where(
      and(
        eq(deviceCredential.productKey, child.productKey),
        eq(deviceCredential.deviceName, child.deviceName),
        eq(device.via, gatewayId),
      ),
    )
  return row !== undefined
}

/** Returns true if a logged-in sub-device still belongs to the gateway and project of its login. */
const isStillBound = (cachedChild: KnownDevice, currentDevice: KnownDevice | undefined) =>
  Boolean(currentDevice?.gatewayId) &&
  currentDevice?.gatewayId === cachedChild.gatewayId &&
  currentDevice?.projectId === cachedChild.projectId
