import { and, asc, eq } from 'drizzle-orm'
import { z } from 'zod'
import { device, deviceCredential, product } from '../tables/device'
import type { Db } from '../core/db/db'
import { AlinkError, alinkCode, keyOf, type Identity } from './alink'
import type { Directory, KnownDevice } from './directory'
import { childrenLimit, type DeviceSessions } from './sessions'
import type { Signed } from './signature'

const Name = z.string().min(1).max(64)
const Pair = z.object({ productKey: Name, deviceName: Name })
/** Alibaba's documents and SDKs write `signMethod` and `signmethod`, and the timestamp as text or number. */
const SignedChild = Pair.extend({
  clientId: z.string().max(128).optional(),
  sign: z.string().max(128),
  timestamp: z.union([z.string(), z.number()]).transform(String).optional(),
  signMethod: z.string().optional(),
  signmethod: z.string().optional(),
})
const Many = <T extends z.ZodType>(item: T) =>
  z.union([z.array(item).min(1).max(200), item.transform((one) => [one])])
const Batch = z.object({
  signMethod: z.string().optional(),
  deviceList: z.array(SignedChild).min(1).max(50),
})

function read<T extends z.ZodType>(schema: T, params: unknown): z.output<T> {
  const { data, success } = schema.safeParse(params)
  if (!success) throw new AlinkError(alinkCode.parameter)
  return data
}
const signedOf = (
  { signmethod, signMethod, clientId, ...child }: z.output<typeof SignedChild>,
  method?: string,
): Signed => ({
  ...child,
  clientId: clientId ?? keyOf(child),
  signMethod: signMethod ?? signmethod ?? method ?? 'hmacmd5',
})
const pairOf = ({ productKey, deviceName }: Identity) => ({ productKey, deviceName })

/** What a gateway says about its children. Each answers the `data` of the reply, or throws the code. */
export function openTopology(db: Db, directory: Directory, sessions: DeviceSessions) {
  async function verified(gateway: KnownDevice, signed: Signed) {
    const { device: child, signed: right } = await directory.check(signed)
    if (!child || child.projectId !== gateway.projectId)
      throw new AlinkError(alinkCode.deviceMissing, signed.deviceName)
    if (!right) throw new AlinkError(alinkCode.signature, signed.deviceName)
    if (child.disabled) throw new AlinkError(alinkCode.disabled, signed.deviceName)
    return child
  }
  async function bind(child: KnownDevice, gatewayId: string | null) {
    await db
      .update(device)
      .set({ gatewayId })
      .where(and(eq(device.projectId, child.projectId), eq(device.id, child.id)))
    directory.forget(child)
  }
  async function login(gateway: KnownDevice, signed: Signed) {
    const child = await verified(gateway, signed)
    if (child.gatewayId !== gateway.id)
      throw new AlinkError(alinkCode.topologyMissing, child.deviceName)
    if (!sessions.has(gateway, child) && sessions.countOf(gateway) >= childrenLimit)
      throw new AlinkError(428, 'too many subdevices under gateway')
    sessions.login(gateway, child)
    return pairOf(child)
  }
  async function logout(gateway: KnownDevice, pair: Identity) {
    if (!sessions.has(gateway, pair)) throw new AlinkError(alinkCode.noSession, pair.deviceName)
    const child = await directory.find(pair)
    if (child) sessions.logout(gateway, child)
    return pairOf(pair)
  }

  const actions: Record<string, (gateway: KnownDevice, params: unknown) => Promise<unknown>> = {
    async 'thing/topo/add'(gateway, params) {
      const children = read(Many(SignedChild), params).map((child) => signedOf(child))
      if (children.some((child) => keyOf(child) === keyOf(gateway)))
        throw new AlinkError(alinkCode.notAGateway)
      // All or none: every signature is checked before the first row changes.
      const found = await Promise.all(children.map((child) => verified(gateway, child)))
      for (const child of found) await bind(child, gateway.id)
      return found.map(pairOf)
    },
    async 'thing/topo/delete'(gateway, params) {
      for (const pair of read(Many(Pair), params)) {
        const child = await directory.find(pair)
        if (!child || child.gatewayId !== gateway.id)
          throw new AlinkError(alinkCode.topologyMissing, pair.deviceName)
        sessions.logout(gateway, child)
        await bind(child, null)
      }
      return {}
    },
    async 'thing/topo/get'(gateway) {
      return db
        .select({ productKey: product.productKey, deviceName: device.deviceName })
        .from(device)
        .innerJoin(product, eq(product.id, device.productId))
        .where(and(eq(device.projectId, gateway.projectId), eq(device.gatewayId, gateway.id)))
        .orderBy(asc(device.deviceName))
    },
    /** Gives the secret of a device that is entered beforehand and not in use elsewhere. */
    async 'thing/sub/register'(gateway, params) {
      return Promise.all(
        read(Many(Pair), params).map(async (pair) => {
          const [row] = await db
            .select({ allowed: product.dynamicRegister, secret: deviceCredential.deviceSecret })
            .from(product)
            .leftJoin(
              deviceCredential,
              and(
                eq(deviceCredential.productKey, product.productKey),
                eq(deviceCredential.deviceName, pair.deviceName),
              ),
            )
            .where(eq(product.productKey, pair.productKey))
          if (!row) throw new AlinkError(alinkCode.productMissing, pair.productKey)
          if (!row.allowed) throw new AlinkError(alinkCode.registrationOff)
          const child = await directory.find(pair)
          if (!row.secret || !child || child.projectId !== gateway.projectId)
            throw new AlinkError(alinkCode.deviceMissing, pair.deviceName)
          if (child.gatewayId && child.gatewayId !== gateway.id)
            throw new AlinkError(alinkCode.boundElsewhere, pair.deviceName)
          return { iotId: child.id, ...pairOf(pair), deviceSecret: row.secret }
        }),
      )
    },
    'combine/login': async (gateway, params) => login(gateway, signedOf(read(SignedChild, params))),
    'combine/logout': async (gateway, params) => logout(gateway, read(Pair, params)),
    async 'combine/batch_login'(gateway, params) {
      const { deviceList, signMethod } = read(Batch, params)
      return Promise.all(deviceList.map((child) => login(gateway, signedOf(child, signMethod))))
    },
    async 'combine/batch_logout'(gateway, params) {
      return Promise.all(
        read(z.array(Pair).min(1).max(50), params).map((pair) => logout(gateway, pair)),
      )
    },
  }
  return {
    handles: (action: string) => Object.hasOwn(actions, action),
    async answer(gateway: KnownDevice, action: string, params: unknown) {
      if (gateway.node !== 'gateway') throw new AlinkError(alinkCode.notAGateway)
      return actions[action]!(gateway, params)
    },
  }
}
export type Topology = ReturnType<typeof openTopology>
