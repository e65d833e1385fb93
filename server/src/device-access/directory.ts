import { and, eq } from 'drizzle-orm'
import { device, deviceCredential, product } from '../modules/device/table'
import type { Db } from '../plugins/db'
import { keyOf, type Identity } from './alink'
import { isSignedBy, type Signed } from './signature'
import type { ThingModel } from './thingModel'

export type KnownDevice = Identity & {
  id: string
  projectId: number
  name: string
  node: 'direct' | 'gateway' | 'sub'
  gatewayId: string | null
  disabled: boolean
  model: ThingModel
}

/** How long another process may still see a device as it was; this one forgets at once. */
const memory = 30_000

/** Finds devices by what their topics say, from memory where it can: every message asks. */
export function openDirectory(db: Db) {
  const known = new Map<string, { device: Promise<KnownDevice | undefined>; until: number }>()

  async function load({ productKey, deviceName }: Identity): Promise<KnownDevice | undefined> {
    const [row] = await db
      .select({ id: device.id, projectId: device.projectId, name: device.name, node: product.node, gatewayId: device.gatewayId, state: device.state, model: product.model })
      .from(deviceCredential)
      .innerJoin(device, and(eq(device.projectId, deviceCredential.projectId), eq(device.id, deviceCredential.deviceId)))
      .innerJoin(product, eq(product.id, device.productId))
      .where(and(eq(deviceCredential.productKey, productKey), eq(deviceCredential.deviceName, deviceName)))
    return row && { ...row, productKey, deviceName, disabled: row.state === 'disabled' }
  }

  async function find(identity: Identity): Promise<KnownDevice | undefined> {
    const key = keyOf(identity)
    const kept = known.get(key)
    if (kept && kept.until > Date.now()) return kept.device
    // Strangers must not fill the memory.
    if (known.size > 50_000) known.clear()
    const found = load(identity)
    known.set(key, { device: found, until: Date.now() + memory })
    found.catch(() => known.delete(key))
    return found
  }

  return {
    find,
    forget: (identity: Identity) => known.delete(keyOf(identity)),
    /** `device` undefined: unknown. */
    async check(signed: Signed) {
      const [row] = await db
        .select({ secret: deviceCredential.deviceSecret })
        .from(deviceCredential)
        .where(and(eq(deviceCredential.productKey, signed.productKey), eq(deviceCredential.deviceName, signed.deviceName)))
      known.delete(keyOf(signed))
      return { device: row && (await find(signed)), signed: row !== undefined && isSignedBy(signed, row.secret) }
    },
  }
}
export type Directory = ReturnType<typeof openDirectory>
