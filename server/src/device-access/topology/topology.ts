import type { RefusalReason } from '@iot/shared/contract/connectionRefusal'
import { and, asc, count, eq, inArray, isNull, notInArray, or } from 'drizzle-orm'
import { z } from 'zod'
import { device, deviceCredential, product } from '../../tables/device'
import { registrationRecord, registrationRule } from '../../tables/registration'
import { transaction, type Db } from '../../core/db/db'
import {
  AlinkError,
  alinkCode,
  DeviceName,
  deviceKey,
  parseParams,
  type Identity,
} from '../protocol/alink'
import type { Directory, KnownDevice } from '../directory'
import {
  registerByRule,
  findClosedReason,
  reportedElsewhereText,
} from '../registration/registration'
import {
  recordRegistration,
  omitSignature,
  type RegistrationAttempt,
} from '../registration/registrationRecords'
import { maxChildrenPerGateway, type DeviceSessions } from './deviceSessions'
import { describeWrongProof, type SignedCredentials } from '../protocol/signature'

const IdentityPart = z.string().min(1).max(64)
const IdentitySchema = z.object({ productKey: IdentityPart, deviceName: IdentityPart })
/** Alibaba's documents and SDKs use both `signMethod` and `signmethod`, and the timestamp as text or number. */
const SignedChild = IdentitySchema.extend({
  clientId: z.string().max(128).optional(),
  sign: z.string().max(128),
  timestamp: z.union([z.string(), z.number()]).transform(String).optional(),
  signMethod: z.string().optional(),
  signmethod: z.string().optional(),
})
const oneOrMany = <T extends z.ZodType>(item: T) =>
  z.union([z.array(item).min(1).max(200), item.transform((one) => [one])])
const BatchLogin = z.object({
  signMethod: z.string().optional(),
  deviceList: z.array(SignedChild).min(1).max(50),
})
const toSignedCredentials = (
  { signmethod, signMethod, clientId, ...child }: z.output<typeof SignedChild>,
  method?: string,
): SignedCredentials => ({
  ...child,
  clientId: clientId ?? deviceKey(child),
  signMethod: signMethod ?? signmethod ?? method ?? 'hmacmd5',
})
/** Maximum registration records per gateway, so that reported neighbours cannot fill the disk. */
const maxRecordsPerGateway = 5000
/** Reason for refusing a serial that is bound to another gateway. */
export const boundElsewhereText = '该设备已属于另一台网关'
const pickIdentity = ({ productKey, deviceName }: Identity) => ({ productKey, deviceName })

class BoundMeanwhileError extends Error {}

/**
 * Handles the requests of a gateway about its sub-devices. Each handler returns the `data` of the reply.
 * @throws AlinkError with the reply code
 */
export function createTopology(
  db: Db,
  directory: Directory,
  sessions: DeviceSessions,
  /** Called for a refused sub-device; `device` is set if it is in the project of the gateway. */
  onRefused: (
    gateway: KnownDevice,
    child: SignedCredentials & { device?: KnownDevice },
    reason: RefusalReason,
  ) => void = () => {},
) {
  /** The documents give these two faults different codes, depending on the request. */
  async function verifyChild(
    gateway: KnownDevice,
    credentials: SignedCredentials,
    code: { signature: number; disabled: number },
  ) {
    const { device: child, signed: isProofValid } = await directory.check(credentials)
    const refuse = (code: number, reason: RefusalReason, device?: KnownDevice) => {
      onRefused(gateway, { ...credentials, device }, reason)
      return new AlinkError(code, credentials.deviceName)
    }
    if (!child || child.projectId !== gateway.projectId)
      throw refuse(alinkCode.deviceMissing, child ? 'otherProject' : 'unknownDevice')
    if (!isProofValid) throw refuse(code.signature, describeWrongProof(credentials), child)
    if (child.disabled) throw refuse(code.disabled, 'disabled', child)
    return child
  }
  /** Binds all sub-devices, or none if one of them belongs to another gateway by now. */
  async function bindChildren(
    gateway: KnownDevice,
    children: KnownDevice[],
    gatewayId: string | null,
  ) {
    const ids = children.map(({ id }) => id)
    const isOwnChild = eq(device.gatewayId, gateway.id)
    const isBound = await transaction(db, async (tx) => {
      const rows = await tx
        .update(device)
        .set({ gatewayId })
        .where(
          and(
            eq(device.projectId, gateway.projectId),
            inArray(device.id, ids),
            gatewayId === null ? isOwnChild : or(isNull(device.gatewayId), isOwnChild),
          ),
        )
        .returning({ id: device.id })
      if (rows.length < new Set(ids).size) throw new BoundMeanwhileError()
      return true
    }).catch((error: unknown) => {
      if (error instanceof BoundMeanwhileError) return false
      throw error
    })
    for (const child of children) directory.forget(child)
    return isBound
  }
  const recordAttempt = (
    gateway: KnownDevice,
    identity: Identity,
    attempt: Pick<RegistrationAttempt, 'way' | 'state' | 'reason'>,
    request: Record<string, unknown> = pickIdentity(identity),
  ) =>
    recordRegistration(db, {
      projectId: gateway.projectId,
      ...pickIdentity(identity),
      gatewayId: gateway.id,
      payload: omitSignature(request),
      ...attempt,
    })
  /** The engineer decides which of two gateways is right; a sub-device never moves automatically. */
  async function assertNotBoundElsewhere(
    gateway: KnownDevice,
    child: KnownDevice,
    way: RegistrationAttempt['way'],
    request?: Record<string, unknown>,
  ) {
    if (!child.gatewayId || child.gatewayId === gateway.id) return
    await recordAttempt(
      gateway,
      child,
      { way, state: 'conflict', reason: boundElsewhereText },
      request,
    )
    throw new AlinkError(alinkCode.boundElsewhere, child.deviceName)
  }

  /**
   * Returns the registration state of a serial that a gateway reports. If two gateways report it, the engineer chooses.
   */
  async function findRegistrationState(
    gateway: KnownDevice,
    { productKey, deviceName }: Identity,
    child: KnownDevice | undefined,
  ): Promise<Pick<RegistrationAttempt, 'state' | 'reason'>> {
    if (child?.gatewayId === gateway.id) return { state: 'done', reason: '' }
    if (child?.gatewayId) return { state: 'conflict', reason: boundElsewhereText }
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
      ? { state: 'conflict', reason: reportedElsewhereText }
      : { state: 'pending', reason: '' }
  }

  async function registerChild(gateway: KnownDevice, identity: Identity) {
    const [row] = await db
      .select({ id: product.id, allowed: product.dynamicRegister, node: product.node })
      .from(product)
      .where(eq(product.productKey, identity.productKey))
    if (!row) throw new AlinkError(alinkCode.productMissing, identity.productKey)
    const rules = await db
      .select()
      .from(registrationRule)
      .where(and(eq(registrationRule.productId, row.id), eq(registrationRule.mode, 'gateway')))
      .orderBy(registrationRule.id)
    const rule = rules.find(({ projectId }) => projectId === gateway.projectId) ?? rules[0]
    // A gateway may register sub-devices only.
    if (row.node !== 'sub' || (!row.allowed && !rule))
      throw new AlinkError(alinkCode.registrationOff)
    const closedReason = rule && (await findClosedReason(db, rule))
    if (closedReason) {
      await recordAttempt(gateway, identity, {
        way: 'gateway',
        state: 'refused',
        reason: closedReason,
      })
      throw new AlinkError(alinkCode.registrationOff)
    }
    const knownChild = await directory.find(identity)
    // A rule registers devices in its own project only; a gateway of another project cannot use it.
    if (!knownChild && rule && rule.projectId !== gateway.projectId) {
      const reason = '注册规则属于另一个项目'
      await recordAttempt(gateway, identity, { way: 'gateway', state: 'refused', reason })
    } else if (!knownChild && rule) {
      const refusal = await registerByRule(db, rule, identity, gateway.id)
      if (refusal) {
        await recordAttempt(gateway, identity, { way: 'gateway', ...refusal })
        throw new AlinkError(alinkCode.registrationOff, refusal.state)
      }
      directory.forget(identity)
    }
    const child = knownChild ?? (await directory.find(identity))
    if (!child || child.projectId !== gateway.projectId)
      throw new AlinkError(alinkCode.deviceMissing, identity.deviceName)
    await assertNotBoundElsewhere(gateway, child, 'gateway')
    const [credential] = await db
      .select({ deviceSecret: deviceCredential.deviceSecret })
      .from(deviceCredential)
      .where(
        and(
          eq(deviceCredential.productKey, identity.productKey),
          eq(deviceCredential.deviceName, identity.deviceName),
        ),
      )
    await recordAttempt(gateway, identity, { way: 'gateway', state: 'done', reason: '' })
    return { iotId: child.id, ...pickIdentity(identity), deviceSecret: credential!.deviceSecret }
  }

  async function verifyLogin(gateway: KnownDevice, credentials: SignedCredentials) {
    const child = await verifyChild(gateway, credentials, {
      signature: alinkCode.signature,
      disabled: alinkCode.childDisabled,
    })
    if (child.gatewayId !== gateway.id) {
      onRefused(gateway, { ...credentials, device: child }, 'notInTopology')
      throw new AlinkError(alinkCode.topologyMissing, child.deviceName)
    }
    return child
  }
  const checkAll = async <T extends Identity, R>(items: T[], check: (one: T) => Promise<R>) =>
    collectResults(items, await Promise.allSettled(items.map(check)))
  /** Returns all results or throws one refusal that names every refused device, as documented. */
  function collectResults<R>(identities: Identity[], results: PromiseSettledResult<R>[]): R[] {
    const refusals = results.flatMap((result, index) =>
      result.status === 'rejected'
        ? [{ ...pickIdentity(identities[index]!), error: result.reason as unknown }]
        : [],
    )
    const [first] = refusals
    if (!first) return results.map((result) => (result as PromiseFulfilledResult<R>).value)
    for (const { error } of refusals) if (!(error instanceof AlinkError)) throw error
    const data = refusals.map(({ error, ...pair }) => {
      const { code, message } = error as AlinkError
      return { ...pair, code, message }
    })
    throw new AlinkError(data[0]!.code, data[0]!.deviceName, data)
  }
  async function loginChildren(gateway: KnownDevice, signedChildren: SignedCredentials[]) {
    const children = await checkAll(signedChildren, (credentials) =>
      verifyLogin(gateway, credentials),
    )
    const newChildren = children.filter((child) => !sessions.has(gateway, child))
    if (sessions.countChildren(gateway) + newChildren.length > maxChildrenPerGateway)
      throw new AlinkError(alinkCode.tooManyChildren)
    for (const child of children) sessions.login(gateway, child)
    return children.map(pickIdentity)
  }
  async function logoutChildren(gateway: KnownDevice, identities: Identity[]) {
    const children = await checkAll(identities, async (identity) => {
      const child = sessions.has(gateway, identity) ? await directory.find(identity) : undefined
      if (!child) throw new AlinkError(alinkCode.noSession, identity.deviceName)
      return child
    })
    for (const child of children) sessions.logout(gateway, child)
    return identities.map(pickIdentity)
  }

  const actions: Record<string, (gateway: KnownDevice, params: unknown) => Promise<unknown>> = {
    async 'thing/topo/add'(gateway, params) {
      const signedChildren = parseParams(oneOrMany(SignedChild), params).map((child) =>
        toSignedCredentials(child),
      )
      // All sub-devices are checked before the first row changes.
      const children = await checkAll(signedChildren, async (credentials) => {
        if (deviceKey(credentials) === deviceKey(gateway)) throw new AlinkError(alinkCode.self)
        const child = await verifyChild(gateway, credentials, {
          signature: alinkCode.unauthorized,
          disabled: alinkCode.disabled,
        })
        if (child.node !== 'sub') throw new AlinkError(alinkCode.parameter, 'not a sub-device')
        await assertNotBoundElsewhere(gateway, child, 'topology', credentials)
        return child
      })
      const [childCount] = await db
        .select({ children: count() })
        .from(device)
        .where(and(eq(device.projectId, gateway.projectId), eq(device.gatewayId, gateway.id)))
      const newChildren = children.filter((child) => child.gatewayId !== gateway.id)
      if (childCount!.children + newChildren.length > maxChildrenPerGateway)
        throw new AlinkError(alinkCode.topologyFull)
      // Another gateway was faster; the repeated checks return the right error.
      if (!(await bindChildren(gateway, newChildren, gateway.id)))
        return actions['thing/topo/add']!(gateway, params)
      return children.map(pickIdentity)
    },
    async 'thing/topo/delete'(gateway, params) {
      const children = await checkAll(
        parseParams(oneOrMany(IdentitySchema), params),
        async (identity) => {
          const child = await directory.find(identity)
          if (!child || child.gatewayId !== gateway.id)
            throw new AlinkError(alinkCode.topologyMissing, identity.deviceName)
          return child
        },
      )
      // An engineer has moved a device meanwhile; the repeated checks return the right error.
      if (!(await bindChildren(gateway, children, null)))
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
    /** Returns the secrets of devices that are not in use elsewhere: entered beforehand, or admitted by a rule. */
    async 'thing/sub/register'(gateway, params) {
      const identities = parseParams(oneOrMany(IdentitySchema), params)
      const results = []
      // They register one after the other, because each may take one of few places. A refused one does not stop the
      // rest, so that the engineer sees them all.
      for (const identity of identities)
        results.push(...(await Promise.allSettled([registerChild(gateway, identity)])))
      return collectResults(identities, results)
    },
    'combine/login': async (gateway, params) =>
      (await loginChildren(gateway, [toSignedCredentials(parseParams(SignedChild, params))]))[0],
    'combine/logout': async (gateway, params) =>
      (await logoutChildren(gateway, [parseParams(IdentitySchema, params)]))[0],
    'combine/batch_login'(gateway, params) {
      const { deviceList, signMethod } = parseParams(BatchLogin, params)
      return loginChildren(
        gateway,
        deviceList.map((child) => toSignedCredentials(child, signMethod)),
      )
    },
    'combine/batch_logout': (gateway, params) =>
      logoutChildren(gateway, parseParams(z.array(IdentitySchema).min(1).max(50), params)),
    /** Records the devices that a gateway finds, for the engineer to enter. */
    async 'thing/list/found'(gateway, params) {
      const [gatewayRecords] = await db
        .select({ records: count() })
        .from(registrationRecord)
        .where(
          and(
            eq(registrationRecord.projectId, gateway.projectId),
            eq(registrationRecord.gatewayId, gateway.id),
          ),
        )
      if (gatewayRecords!.records >= maxRecordsPerGateway) throw new AlinkError(alinkCode.busy)
      for (const identity of parseParams(oneOrMany(IdentitySchema), params)) {
        if (!DeviceName.test(identity.deviceName))
          throw new AlinkError(alinkCode.wrongName, identity.deviceName)
        const [productRow] = await db
          .select({ node: product.node })
          .from(product)
          .where(eq(product.productKey, identity.productKey))
        if (productRow?.node !== 'sub')
          throw new AlinkError(alinkCode.productMissing, identity.productKey)
        const child = await directory.find(identity)
        await recordAttempt(gateway, identity, {
          way: 'found',
          ...(await findRegistrationState(gateway, identity, child)),
        })
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
export type Topology = ReturnType<typeof createTopology>
