import type { ThingModel } from '@iot/shared/contract/thingModel'
import { and, eq, inArray } from 'drizzle-orm'
import { device, deviceCredential, product } from '../tables/device'
import type { Db } from '../core/db/db'
import { keyOf, type Identity } from './alink'
import { isSignedBy, type Signed } from './signature'

export type KnownDevice = Identity & {
  id: string
  projectId: number
  name: string
  node: 'direct' | 'gateway' | 'sub'
  gatewayId: string | null
  disabled: boolean
  model: ThingModel
}
type Loaded = { device: KnownDevice; secret: string }

/** How long another process may still see a device as it was; this one forgets at once. */
const memory = 30_000
const perQuery = 1000

/** Finds devices by what their topics say, from memory where it can: every message asks. Secrets are not remembered. */
export function openDirectory(db: Db) {
  const known = new Map<string, { device: Promise<KnownDevice | undefined>; until: number }>()
  const load = together(async (identities: Identity[]) => {
    const rows = await db
      .select({
        productKey: deviceCredential.productKey,
        deviceName: deviceCredential.deviceName,
        secret: deviceCredential.deviceSecret,
        id: device.id,
        projectId: device.projectId,
        name: device.name,
        node: product.node,
        gatewayId: device.gatewayId,
        state: device.state,
        model: product.model,
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
    return new Map(
      rows.map(({ secret, state, ...row }): [string, Loaded] => [
        keyOf(row),
        { device: { ...row, disabled: state === 'disabled' }, secret },
      ]),
    )
  })

  function remember(key: string, device: Promise<KnownDevice | undefined>) {
    // Strangers must not fill the memory.
    if (known.size > 50_000) known.clear()
    known.set(key, { device, until: Date.now() + memory })
    device.catch(() => known.delete(key))
    return device
  }

  return {
    async find(identity: Identity): Promise<KnownDevice | undefined> {
      const key = keyOf(identity)
      const kept = known.get(key)
      if (kept && kept.until > Date.now()) return kept.device
      return remember(
        key,
        load(identity).then((found) => found?.device),
      )
    },
    forget: (identity: Identity) => known.delete(keyOf(identity)),
    /** `device` undefined: unknown. */
    async check(signed: Signed) {
      const found = load(signed)
      const device = await remember(
        keyOf(signed),
        found.then((one) => one?.device),
      )
      const secret = (await found)?.secret
      return { device, signed: secret !== undefined && isSignedBy(signed, secret) }
    },
  }
}
export type Directory = ReturnType<typeof openDirectory>

/** Questions asked in the same moment become one query: a bulk action is answered by hundreds of devices at once. */
function together(query: (identities: Identity[]) => Promise<Map<string, Loaded>>) {
  let open: {
    identity: Identity
    resolve: (found: Loaded | undefined) => void
    reject: (error: unknown) => void
  }[] = []

  async function ask() {
    const asked = open
    open = []
    for (let start = 0; start < asked.length; start += perQuery) {
      const some = asked.slice(start, start + perQuery)
      try {
        const found = await query(some.map(({ identity }) => identity))
        for (const { identity, resolve } of some) resolve(found.get(keyOf(identity)))
      } catch (error) {
        for (const { reject } of some) reject(error)
      }
    }
  }
  return (identity: Identity) =>
    new Promise<Loaded | undefined>((resolve, reject) => {
      if (open.length === 0) setImmediate(() => void ask())
      open.push({ identity, resolve, reject })
    })
}
