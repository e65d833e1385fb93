import type { RefusalReason } from '@iot/shared/contract/connectionRefusal'
import { and, asc, count, eq, inArray, isNull, notInArray, or } from 'drizzle-orm'
import { z } from 'zod'
import { device, deviceCredential, product } from '../tables/device'
import { registrationRecord, registrationRule } from '../tables/registration'
import { transaction, type Db } from '../core/db/db'
import { AlinkError, alinkCode, DeviceName, keyOf, paramsOf, type Identity } from './alink'
import type { Directory, KnownDevice } from './directory'
import { admit, closed, seenElsewhere } from './registration'
import { recordRegistration, unsigned, type Turned } from './registrationRecords'
import { childrenLimit, type DeviceSessions } from './sessions'
import { describeWrongProof, type Signed } from './signature'

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
const signedOf = (
  { signmethod, signMethod, clientId, ...child }: z.output<typeof SignedChild>,
  method?: string,
): Signed => ({
  ...child,
  clientId: clientId ?? keyOf(child),
  signMethod: signMethod ?? signmethod ?? method ?? 'hmacmd5',
})
/** Records of one gateway: what it sees around it fills no disk. */
const foundMost = 5000
/** Why a serial is not taken from a second gateway. */
export const belongsElsewhere = '该设备已属于另一台网关'
const pairOf = ({ productKey, deviceName }: Identity) => ({ productKey, deviceName })

class TakenMeanwhile extends Error {}

/** What a gateway says about its children. Each answers the `data` of the reply, or throws the code. */
export function openTopology(
  db: Db,
  directory: Directory,
  sessions: DeviceSessions,
  /** Receives each refused child; `device` is set where it belongs to the gateway's project. */
  onRefused: (
    gateway: KnownDevice,
    child: Signed & { device?: KnownDevice },
    reason: RefusalReason,
  ) => void = () => {},
) {
  /** The documents name other codes for the same two faults, by what the gateway asks for. */
  async function verified(
    gateway: KnownDevice,
    signed: Signed,
    code: { signature: number; disabled: number },
  ) {
    const { device: child, signed: right } = await directory.check(signed)
    const refuse = (code: number, reason: RefusalReason, device?: KnownDevice) => {
      onRefused(gateway, { ...signed, device }, reason)
      return new AlinkError(code, signed.deviceName)
    }
    if (!child || child.projectId !== gateway.projectId)
      throw refuse(alinkCode.deviceMissing, child ? 'otherProject' : 'unknownDevice')
    if (!right) throw refuse(code.signature, describeWrongProof(signed), child)
    if (child.disabled) throw refuse(code.disabled, 'disabled', child)
    return child
  }
  /** All of them, or none where one belongs to another by now. */
  async function bind(gateway: KnownDevice, children: KnownDevice[], gatewayId: string | null) {
    const ids = children.map(({ id }) => id)
    const mine = eq(device.gatewayId, gateway.id)
    const bound = await transaction(db, async (tx) => {
      const rows = await tx
        .update(device)
        .set({ gatewayId })
        .where(
          and(
            eq(device.projectId, gateway.projectId),
            inArray(device.id, ids),
            gatewayId === null ? mine : or(isNull(device.gatewayId), mine),
          ),
        )
        .returning({ id: device.id })
      if (rows.length < new Set(ids).size) throw new TakenMeanwhile()
      return true
    }).catch((error: unknown) => {
      if (error instanceof TakenMeanwhile) return false
      throw error
    })
    for (const child of children) directory.forget(child)
    return bound
  }
  const record = (
    gateway: KnownDevice,
    pair: Identity,
    turned: Pick<Turned, 'way' | 'state' | 'reason'>,
    asked: Record<string, unknown> = pairOf(pair),
  ) =>
    recordRegistration(db, {
      projectId: gateway.projectId,
      ...pairOf(pair),
      gatewayId: gateway.id,
      payload: unsigned(asked),
      ...turned,
    })
  /** Which of two gateways is right is the engineer's to say: nothing moves by itself. */
  async function mustNotBelongElsewhere(
    gateway: KnownDevice,
    child: KnownDevice,
    way: Turned['way'],
    asked?: Record<string, unknown>,
  ) {
    if (!child.gatewayId || child.gatewayId === gateway.id) return
    await record(gateway, child, { way, state: 'conflict', reason: belongsElsewhere }, asked)
    throw new AlinkError(alinkCode.boundElsewhere, child.deviceName)
  }

  /** What a serial that a gateway sees is to the engineer; two that see it are for the engineer to choose from. */
  async function standingOf(
    gateway: KnownDevice,
    { productKey, deviceName }: Identity,
    child: KnownDevice | undefined,
  ): Promise<Pick<Turned, 'state' | 'reason'>> {
    if (child?.gatewayId === gateway.id) return { state: 'done', reason: '' }
    if (child?.gatewayId) return { state: 'conflict', reason: belongsElsewhere }
    const others = await db
      .select({ id: registrationRecord.id })
      .from(registrationRecord)
      .where(
        and(
          eq(registrationRecord.projectId, gateway.projectId),
          eq(registrationRecord.productKey, productKey),
          eq(registrationRecord.deviceName, deviceName),
          eq(registrationRecord.state, 'pending'),
          notInArray(registrationRecord.gatewayId, [gateway.id, '']),
        ),
      )
    return others.length > 0
      ? { state: 'conflict', reason: seenElsewhere }
      : { state: 'pending', reason: '' }
  }

  async function register(gateway: KnownDevice, pair: Identity) {
    const [row] = await db
      .select({ id: product.id, allowed: product.dynamicRegister, node: product.node })
      .from(product)
      .where(eq(product.productKey, pair.productKey))
    if (!row) throw new AlinkError(alinkCode.productMissing, pair.productKey)
    const rules = await db
      .select()
      .from(registrationRule)
      .where(and(eq(registrationRule.productId, row.id), eq(registrationRule.mode, 'gateway')))
      .orderBy(registrationRule.id)
    const rule = rules.find(({ projectId }) => projectId === gateway.projectId) ?? rules[0]
    // A gateway speaks for sub-devices alone.
    if (row.node !== 'sub' || (!row.allowed && !rule))
      throw new AlinkError(alinkCode.registrationOff)
    const why = rule && (await closed(db, rule))
    if (why) {
      await record(gateway, pair, { way: 'gateway', state: 'refused', reason: why })
      throw new AlinkError(alinkCode.registrationOff)
    }
    const before = await directory.find(pair)
    // A rule fills the project it names; a gateway of another brings nobody in.
    if (!before && rule && rule.projectId !== gateway.projectId) {
      const reason = '注册规则属于另一个项目'
      await record(gateway, pair, { way: 'gateway', state: 'refused', reason })
    } else if (!before && rule) {
      const refused = await admit(db, rule, pair, gateway.id)
      if (refused) {
        await record(gateway, pair, { way: 'gateway', ...refused })
        throw new AlinkError(alinkCode.registrationOff, refused.state)
      }
      directory.forget(pair)
    }
    const child = before ?? (await directory.find(pair))
    if (!child || child.projectId !== gateway.projectId)
      throw new AlinkError(alinkCode.deviceMissing, pair.deviceName)
    await mustNotBelongElsewhere(gateway, child, 'gateway')
    const [credential] = await db
      .select({ deviceSecret: deviceCredential.deviceSecret })
      .from(deviceCredential)
      .where(
        and(
          eq(deviceCredential.productKey, pair.productKey),
          eq(deviceCredential.deviceName, pair.deviceName),
        ),
      )
    await record(gateway, pair, { way: 'gateway', state: 'done', reason: '' })
    return { iotId: child.id, ...pairOf(pair), deviceSecret: credential!.deviceSecret }
  }

  async function mayLogin(gateway: KnownDevice, signed: Signed) {
    const child = await verified(gateway, signed, {
      signature: alinkCode.signature,
      disabled: alinkCode.childDisabled,
    })
    if (child.gatewayId !== gateway.id) {
      onRefused(gateway, { ...signed, device: child }, 'notInTopology')
      throw new AlinkError(alinkCode.topologyMissing, child.deviceName)
    }
    return child
  }
  const every = async <T extends Identity, R>(many: T[], may: (one: T) => Promise<R>) =>
    allOf(many, await Promise.allSettled(many.map(may)))
  /** All or none, as documented; a refusal names the devices it is about. */
  function allOf<R>(many: Identity[], results: PromiseSettledResult<R>[]): R[] {
    const refused = results.flatMap((result, at) =>
      result.status === 'rejected'
        ? [{ ...pairOf(many[at]!), error: result.reason as unknown }]
        : [],
    )
    const [first] = refused
    if (!first) return results.map((result) => (result as PromiseFulfilledResult<R>).value)
    for (const { error } of refused) if (!(error instanceof AlinkError)) throw error
    const data = refused.map(({ error, ...pair }) => {
      const { code, message } = error as AlinkError
      return { ...pair, code, message }
    })
    throw new AlinkError(data[0]!.code, data[0]!.deviceName, data)
  }
  async function login(gateway: KnownDevice, many: Signed[]) {
    const children = await every(many, (signed) => mayLogin(gateway, signed))
    const more = children.filter((child) => !sessions.has(gateway, child))
    if (sessions.countOf(gateway) + more.length > childrenLimit)
      throw new AlinkError(alinkCode.tooManyChildren)
    for (const child of children) sessions.login(gateway, child)
    return children.map(pairOf)
  }
  async function logout(gateway: KnownDevice, many: Identity[]) {
    const children = await every(many, async (pair) => {
      const child = sessions.has(gateway, pair) ? await directory.find(pair) : undefined
      if (!child) throw new AlinkError(alinkCode.noSession, pair.deviceName)
      return child
    })
    for (const child of children) sessions.logout(gateway, child)
    return many.map(pairOf)
  }

  const actions: Record<string, (gateway: KnownDevice, params: unknown) => Promise<unknown>> = {
    async 'thing/topo/add'(gateway, params) {
      const many = paramsOf(Many(SignedChild), params).map((child) => signedOf(child))
      // All or none: each is checked before the first row changes.
      const children = await every(many, async (signed) => {
        if (keyOf(signed) === keyOf(gateway)) throw new AlinkError(alinkCode.self)
        const child = await verified(gateway, signed, {
          signature: alinkCode.unauthorized,
          disabled: alinkCode.disabled,
        })
        if (child.node !== 'sub') throw new AlinkError(alinkCode.parameter, 'not a sub-device')
        await mustNotBelongElsewhere(gateway, child, 'topology', signed)
        return child
      })
      const [row] = await db
        .select({ children: count() })
        .from(device)
        .where(and(eq(device.projectId, gateway.projectId), eq(device.gatewayId, gateway.id)))
      const more = children.filter((child) => child.gatewayId !== gateway.id)
      if (row!.children + more.length > childrenLimit) throw new AlinkError(alinkCode.topologyFull)
      // Another gateway was quicker: what it is to be told now, the checks know.
      if (!(await bind(gateway, more, gateway.id)))
        return actions['thing/topo/add']!(gateway, params)
      return children.map(pairOf)
    },
    async 'thing/topo/delete'(gateway, params) {
      const children = await every(paramsOf(Many(Pair), params), async (pair) => {
        const child = await directory.find(pair)
        if (!child || child.gatewayId !== gateway.id)
          throw new AlinkError(alinkCode.topologyMissing, pair.deviceName)
        return child
      })
      // What an engineer moved meanwhile is another's now, and the checks know it.
      if (!(await bind(gateway, children, null)))
        return actions['thing/topo/delete']!(gateway, params)
      for (const child of children) sessions.logout(gateway, child)
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
    /** Gives the secret of a device that is not in use elsewhere: one entered beforehand, or one its rule lets in. */
    async 'thing/sub/register'(gateway, params) {
      const many = paramsOf(Many(Pair), params)
      const results = []
      // One after the other: each may take one of few places. All of them, for whoever decides which come in.
      for (const pair of many)
        results.push(...(await Promise.allSettled([register(gateway, pair)])))
      return allOf(many, results)
    },
    'combine/login': async (gateway, params) =>
      (await login(gateway, [signedOf(paramsOf(SignedChild, params))]))[0],
    'combine/logout': async (gateway, params) =>
      (await logout(gateway, [paramsOf(Pair, params)]))[0],
    'combine/batch_login'(gateway, params) {
      const { deviceList, signMethod } = paramsOf(Batch, params)
      return login(
        gateway,
        deviceList.map((child) => signedOf(child, signMethod)),
      )
    },
    'combine/batch_logout': (gateway, params) =>
      logout(gateway, paramsOf(z.array(Pair).min(1).max(50), params)),
    /** What a gateway sees around it, for the engineer to enter. */
    async 'thing/list/found'(gateway, params) {
      const [kept] = await db
        .select({ records: count() })
        .from(registrationRecord)
        .where(
          and(
            eq(registrationRecord.projectId, gateway.projectId),
            eq(registrationRecord.gatewayId, gateway.id),
          ),
        )
      if (kept!.records >= foundMost) throw new AlinkError(alinkCode.busy)
      for (const pair of paramsOf(Many(Pair), params)) {
        if (!DeviceName.test(pair.deviceName))
          throw new AlinkError(alinkCode.wrongName, pair.deviceName)
        const [known] = await db
          .select({ node: product.node })
          .from(product)
          .where(eq(product.productKey, pair.productKey))
        if (known?.node !== 'sub') throw new AlinkError(alinkCode.productMissing, pair.productKey)
        const child = await directory.find(pair)
        await record(gateway, pair, { way: 'found', ...(await standingOf(gateway, pair, child)) })
      }
      return {}
    },
  }
  return {
    handles: (action: string) => Object.hasOwn(actions, action),
    async answer(gateway: KnownDevice, action: string, params: unknown) {
      if (gateway.node !== 'gateway') throw new AlinkError(alinkCode.parameter, 'not a gateway')
      return actions[action]!(gateway, params)
    },
  }
}
export type Topology = ReturnType<typeof openTopology>
