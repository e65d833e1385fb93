import type { ThingModel } from '@iot/shared/contract/thingModel'
import DataLoader from 'dataloader'
import { and, eq, inArray } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { device, deviceCredential, product } from '../tables/device'
import type { Db } from '../core/db/db'
import { isOutage } from '../core/db/outage'
import { keyOf, type Identity } from './alink'
import { isSame, isSignedBy, type Signed } from './signature'

export type KnownDevice = Identity & {
  id: string
  projectId: number
  name: string
  node: 'direct' | 'gateway' | 'sub'
  gatewayId: string | null
  disabled: boolean
  /** It was connected once. */
  activated: boolean
  model: ThingModel
  clockOffsetMs: number | null
  /** Timestamps of the values by identifier, as they were when the row was read. */
  reportedAt: Record<string, number>
}
type Loaded = {
  device: KnownDevice
  secret: string
  clientId: string | null
  token: string | null
  slowedUntil: string | null
}

/** How long a device may be seen as it was where the word of a change got lost. */
const usualMemory = 30_000
const perQuery = 1000

/**
 * Finds devices by what their topics say, from memory where it can: every message asks. While the database is away a device
 * is what it was, so that what it says can wait. Secrets are not remembered.
 * @param tell the other processes that a device changed
 */
export function openDirectory(
  db: Db,
  tell: (identities: Identity[]) => void = () => {},
  memory = usualMemory,
) {
  const known = new LRUCache<string, Promise<KnownDevice | undefined>>({
    max: 50_000,
    ttl: memory,
    noDeleteOnStaleGet: true,
  })

  async function read(identities: readonly Identity[]) {
    const rows = await db
      .select({
        productKey: deviceCredential.productKey,
        deviceName: deviceCredential.deviceName,
        secret: deviceCredential.deviceSecret,
        clientId: deviceCredential.clientId,
        token: deviceCredential.deviceToken,
        id: device.id,
        projectId: device.projectId,
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
      .innerJoin(
        device,
        and(
          eq(device.projectId, deviceCredential.projectId),
          eq(device.id, deviceCredential.deviceId),
        ),
      )
      .innerJoin(product, eq(product.id, device.productId))
      // All names with all keys finds more than was asked for; the map below keeps to the pairs.
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
    const found = new Map(
      rows.map(
        ({ secret, clientId, token, slowedUntil, state, onlineTime, ...row }): [string, Loaded] => [
          keyOf(row),
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
    return identities.map((identity) => found.get(keyOf(identity)))
  }
  // Questions asked in the same moment become one query: a bulk action is answered by hundreds of devices at once.
  const loader = new DataLoader(read, {
    cache: false,
    maxBatchSize: perQuery,
    batchScheduleFn: setImmediate,
  })

  function remember(key: string, device: Promise<KnownDevice | undefined>) {
    known.set(key, device)
    device.catch(() => known.delete(key))
    return device
  }

  return {
    async find(identity: Identity): Promise<KnownDevice | undefined> {
      const key = keyOf(identity)
      const former = known.get(key, { allowStale: true })
      if (former && known.getRemainingTTL(key) > 0) return former
      const found = loader.load(identity).then((one) => one?.device)
      const orAsItWas = (error: unknown) => {
        if (former && isOutage(error)) return former
        throw error
      }
      return remember(key, found.catch(orAsItWas))
    },
    forget(identity: Identity) {
      known.delete(keyOf(identity))
      tell([identity])
    },
    /** Another process said so. */
    forgotten: (identities: Identity[]) =>
      identities.forEach((identity) => known.delete(keyOf(identity))),
    /** `device` undefined: unknown. `slowed`: it has to wait, whichever process said so. */
    async check(signed: Signed) {
      const found = loader.load(signed)
      const device = await remember(
        keyOf(signed),
        found.then((one) => one?.device),
      )
      const one = await found
      const slowed = one?.slowedUntil != null && Date.parse(one.slowedUntil) > Date.now()
      return { device, signed: proves(signed, one), slowed }
    },
  }
}
function proves(signed: Signed, found: Loaded | undefined) {
  if (!found) return false
  if (signed.token === undefined) return isSignedBy(signed, found.secret)
  return signed.clientId === found.clientId && isSame(found.token ?? undefined, signed.token)
}

export type Directory = ReturnType<typeof openDirectory>
