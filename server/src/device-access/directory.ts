import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import DataLoader from 'dataloader'
import { and, eq, inArray } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { isOwnCredential } from './credentialJoin'
import { device, deviceCredential, product } from '../tables/device'
import type { Db } from '../core/db/db'
import { isOutage } from '../core/db/outage'
import { deviceKey, type Identity } from './protocol/alink'
import { isSameSignature, isSignedBy, type SignedCredentials } from './protocol/signature'

export type KnownDevice = Identity & {
  id: string
  projectId: number
  productId: string
  spaceId: string | null
  name: string
  node: 'direct' | 'gateway' | 'sub'
  gatewayId: string | null
  disabled: boolean
  /** The device has been connected at least once. */
  activated: boolean
  model: ThingModel
  clockOffsetMs: number | null
  /** Times of the reported values by identifier, as of the read from the database. */
  reportedAt: Record<string, number>
}
type LoadedDevice = {
  device: KnownDevice
  secret: string
  clientId: string | null
  token: string | null
  slowedUntil: string | null
}

/** Maximum age in ms of a cached device if the notice of a change was lost. */
const defaultCacheMs = 30_000
const maxIdentitiesPerQuery = 1000

/**
 * Finds devices by identity, from a cache, because every message needs a lookup. The cache keeps serving expired
 * entries while the database is away, so that messages can be queued. Secrets are not cached.
 * @param notifyOthers notifies the other processes of a changed device
 */
export function createDeviceDirectory(
  db: Db,
  notifyOthers: (identities: Identity[]) => void = () => {},
  cacheMs = defaultCacheMs,
) {
  const deviceCache = new LRUCache<string, Promise<KnownDevice | undefined>>({
    max: 50_000,
    ttl: cacheMs,
    noDeleteOnStaleGet: true,
  })

  async function readDevices(identities: readonly Identity[]) {
    const rows = await db
      .select({
        productKey: deviceCredential.productKey,
        deviceName: deviceCredential.deviceName,
        secret: deviceCredential.deviceSecret,
        clientId: deviceCredential.clientId,
        token: deviceCredential.deviceToken,
        id: device.id,
        projectId: device.projectId,
        productId: device.productId,
        spaceId: device.spaceId,
        name: device.name,
        node: product.node,
        gatewayId: device.gatewayId,
        state: device.state,
        onlineTime: device.onlineTime,
        slowedUntil: device.slowedUntil,
        model: product.model,
        clockOffsetMs: device.clockOffsetMs,
        reportedAt: device.reportedAt,
      })
      .from(deviceCredential)
      .innerJoin(device, isOwnCredential)
      .innerJoin(product, eq(product.id, device.productId))
      // All pairs of the given keys and names match more rows than requested; the map below selects the requested
      // pairs.
      .where(
        and(
          inArray(deviceCredential.productKey, [
            ...new Set(identities.map((one) => one.productKey)),
          ]),
          inArray(deviceCredential.deviceName, [
            ...new Set(identities.map((one) => one.deviceName)),
          ]),
        ),
      )
    const loadedByKey = new Map(
      rows.map(
        ({
          secret,
          clientId,
          token,
          slowedUntil,
          state,
          onlineTime,
          ...row
        }): [string, LoadedDevice] => [
          deviceKey(row),
          {
            device: { ...row, disabled: state === 'disabled', activated: onlineTime !== null },
            secret,
            clientId,
            token,
            slowedUntil,
          },
        ],
      ),
    )
    return identities.map((identity) => loadedByKey.get(deviceKey(identity)))
  }
  // Lookups of the same moment become one query, because hundreds of devices answer a bulk command at once.
  const loader = new DataLoader(readDevices, {
    cache: false,
    maxBatchSize: maxIdentitiesPerQuery,
    batchScheduleFn: setImmediate,
  })

  function cacheDevice(key: string, device: Promise<KnownDevice | undefined>) {
    deviceCache.set(key, device)
    device.catch(() => deviceCache.delete(key))
    return device
  }

  return {
    async find(identity: Identity): Promise<KnownDevice | undefined> {
      const key = deviceKey(identity)
      const cachedDevice = deviceCache.get(key, { allowStale: true })
      if (cachedDevice && deviceCache.getRemainingTTL(key) > 0) return cachedDevice
      const loadedDevice = loader.load(identity).then((one) => one?.device)
      const fallBackToCached = (error: unknown) => {
        if (cachedDevice && isOutage(error)) return cachedDevice
        throw error
      }
      return cacheDevice(key, loadedDevice.catch(fallBackToCached))
    },
    forget(identity: Identity) {
      deviceCache.delete(deviceKey(identity))
      notifyOthers([identity])
    },
    clearCache: () => deviceCache.clear(),
    /** Drops cached entries that another process has announced as changed. */
    forgetLocally: (identities: Identity[]) =>
      identities.forEach((identity) => deviceCache.delete(deviceKey(identity))),
    /** `device` is undefined if it is unknown; `isSlowed` is set if any process has throttled it. */
    async check(credentials: SignedCredentials) {
      const loading = loader.load(credentials)
      const device = await cacheDevice(
        deviceKey(credentials),
        loading.then((one) => one?.device),
      )
      const loaded = await loading
      const isSlowed = loaded?.slowedUntil != null && Date.parse(loaded.slowedUntil) > Date.now()
      return { device, signed: isProofValid(credentials, loaded), slowed: isSlowed }
    },
  }
}
function isProofValid(credentials: SignedCredentials, loaded: LoadedDevice | undefined) {
  if (!loaded) return false
  if (credentials.token === undefined) return isSignedBy(credentials, loaded.secret)
  return (
    credentials.clientId === loaded.clientId &&
    isSameSignature(loaded.token ?? undefined, credentials.token)
  )
}

export type Directory = ReturnType<typeof createDeviceDirectory>
