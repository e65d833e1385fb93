import { randomBytes } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import { refuseInProject } from '@iot/shared/contract/projectStatus'
import type { RegistrationWay } from '@iot/shared/contract/registration'
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { transaction, type Db } from '../core/db/db'
import { sqlState } from '../core/db/outage'
import { device, deviceCredential, product } from '../tables/device'
import { project } from '../tables/project'
import { productCredential, registrationRecord, registrationRule } from '../tables/registration'
import { AlinkError, alinkCode, DeviceName, type Identity } from './alink'
import type { Directory } from './directory'
import { recordRegistration, unsigned } from './registrationRecords'
import { hmacOf, isSame, type Registering } from './signature'

/** `secret` is the key for later signatures; `token` is a client id and password that replace the signature. */
export type Wanted = 'secret' | 'token'
export type Given = { deviceSecret: string } | { clientId: string; deviceToken: string }
type Rule = typeof registrationRule.$inferSelect

/** Reason for a serial that two gateways report and that belongs to neither. */
export const seenElsewhere = '另一台网关也上报了这个序列号'

export const secretOf = () => randomBytes(16).toString('hex')

/** Products of this type issue one secret per device, so their product secret registers no device. */
export const ownSecretsOnly = '产品的认证方式是一机一密，设备须逐台登记'
export const productClosed = '产品已停用，不能登记设备'

/** Returns why the rule registers no device now, in Chinese for the engineer; undefined if it is open. */
export async function closed(db: Db, { enabled, expireTime, projectId }: Rule) {
  if (!enabled) return '规则已禁用'
  if (expireTime && expireTime < new Date().toISOString()) return '规则已过期'
  const [row] = await db
    .select({ status: project.status })
    .from(project)
    .where(eq(project.projectId, projectId))
  return row && refuseInProject(row.status, 'register')
}
const isFrom = ({ addresses }: Rule, address: string) =>
  addresses.length === 0 || isWithin(addresses, address)

type NewDevice = Pick<
  typeof device.$inferInsert,
  'name' | 'deviceName' | 'projectId' | 'productId'
> &
  Partial<typeof device.$inferInsert>

/**
 * Creates a device with its secret and takes one place of the rule's quota.
 * @returns false if the quota is used up
 */
export async function enter(tx: Db, rule: Rule | undefined, row: NewDevice, productKey: string) {
  if (rule) {
    const [room] = await tx
      .update(registrationRule)
      .set({
        quota: sql`${registrationRule.quota} - 1`,
        // A changed version stops a form that was opened earlier from restoring the quota.
        version: sql`${registrationRule.version} + (${registrationRule.quota} is not null)::int`,
      })
      .where(
        and(
          eq(registrationRule.id, rule.id),
          or(isNull(registrationRule.quota), gt(registrationRule.quota, 0)),
        ),
      )
      .returning({ id: registrationRule.id })
    if (!room) return false
  }
  const id = uuidv7()
  await tx.insert(device).values({
    id,
    protected: false,
    state: 'inactive',
    reported: {},
    address: '',
    createTime: new Date().toISOString(),
    ...row,
  })
  const { deviceName, projectId } = row
  await tx
    .insert(deviceCredential)
    .values({ productKey, deviceName, deviceSecret: secretOf(), projectId, deviceId: id })
  return true
}

/**
 * Registers an unknown device as the rule allows. `gatewayId` binds a device that was found behind a gateway.
 * @returns undefined on success, else the reason and state of the refusal
 */
export async function admit(
  db: Db,
  rule: Rule,
  { productKey, deviceName }: Identity,
  gatewayId?: string,
) {
  if (!DeviceName.test(deviceName)) throw new AlinkError(alinkCode.wrongName)
  // A disabled product refuses new devices only; existing ones keep working.
  const [of] = await db
    .select({ status: product.status })
    .from(product)
    .where(eq(product.id, rule.productId))
  if (of?.status === 'disabled') return { reason: productClosed, state: 'refused' as const }
  if (rule.approval) {
    const records = await db
      .select({
        gatewayId: registrationRecord.gatewayId,
        state: registrationRecord.state,
        reason: registrationRecord.reason,
        decideBy: registrationRecord.decideBy,
      })
      .from(registrationRecord)
      .where(
        and(
          eq(registrationRecord.projectId, rule.projectId),
          eq(registrationRecord.productKey, productKey),
          eq(registrationRecord.deviceName, deviceName),
        ),
      )
    const own = records.find((one) => one.gatewayId === (gatewayId ?? ''))
    if (own?.state === 'refused' && own.decideBy)
      return { reason: own.reason, state: 'refused' as const }
    if (gatewayId && records.some((one) => one !== own && one.state === 'pending'))
      return { reason: seenElsewhere, state: 'conflict' as const }
    return { reason: '等待审批', state: 'pending' as const }
  }
  const name = rule.nameTemplate.replaceAll('{deviceName}', deviceName).slice(0, 64)
  const { projectId, productId } = rule
  const made = await transaction(db, (tx) =>
    enter(tx, rule, { name, deviceName, projectId, productId, gatewayId }, productKey),
  ).catch((error: unknown) => {
    // The device registered twice at once, or through two gateways: it exists now, and the caller reads its owner.
    if (sqlState(error) === '23505') return true
    throw error
  })
  return made ? undefined : { reason: '名额已用完', state: 'refused' as const }
}

/**
 * Chooses the project in which a device registers if several projects have rules for its product: the project that
 * already has its serial, else the rule whose networks contain its address, else a rule without networks. A closed rule
 * is still chosen, so that a closed project does not hand its devices to another.
 */
export function chooseRule<R extends Pick<Rule, 'projectId' | 'mode' | 'addresses'>>(
  rules: R[],
  address: string,
  projectId?: number,
): R {
  const ofProject = rules.find((rule) => rule.projectId === projectId)
  if (ofProject) return ofProject
  const nearest = rules.filter(({ addresses }) => isWithin(addresses, address))
  const anywhere = rules.filter(({ addresses }) => addresses.length === 0)
  const candidates = [nearest, anywhere, rules].find((some) => some.length > 0)!
  // No rule but a `free` one can admit a device that was not entered beforehand.
  return candidates.find(({ mode }) => mode === 'free') ?? candidates[0]!
}

/** Returns true if an unknown device could register by either rule and its address does not decide. */
export function areAmbiguous(
  one: Pick<Rule, 'mode' | 'addresses'>,
  other: Pick<Rule, 'mode' | 'addresses'>,
) {
  if (one.mode !== 'free' || other.mode !== 'free') return false
  if (one.addresses.length === 0 || other.addresses.length === 0)
    return one.addresses.length === other.addresses.length
  const includes = (networks: string[], network: string) =>
    isWithin(networks, network.split('/')[0]!)
  return (
    other.addresses.some((network) => includes(one.addresses, network)) ||
    one.addresses.some((network) => includes(other.addresses, network))
  )
}

/** Registers devices that know the secret of their product, as the rules of the product allow. */
export function openRegistration(db: Db, directory: Directory) {
  /**
   * Returns the rules of the product, at least one.
   * @throws AlinkError if the product secret is wrong or the product has no rule
   */
  async function findRules({ productKey, deviceName, random, signMethod, sign }: Registering) {
    const [row] = await db
      .select({
        node: product.node,
        authType: product.authType,
        productId: product.id,
        secret: productCredential.productSecret,
      })
      .from(product)
      .leftJoin(productCredential, eq(productCredential.productKey, product.productKey))
      .where(eq(product.productKey, productKey))
    if (!row) throw new AlinkError(alinkCode.productMissing)
    if (!row.secret) throw new AlinkError(alinkCode.registrationOff)
    const expected = hmacOf({ deviceName, productKey, random }, signMethod, row.secret)
    if (!expected) throw new AlinkError(alinkCode.signMethod)
    if (!isSame(expected, sign)) throw new AlinkError(alinkCode.productSignature)
    const rules = await db
      .select()
      .from(registrationRule)
      .where(eq(registrationRule.productId, row.productId))
      .orderBy(registrationRule.id)
    if (rules.length === 0 || row.node === 'sub') throw new AlinkError(alinkCode.registrationOff)
    return { rules, authType: row.authType }
  }

  async function hand({ productKey, deviceName }: Registering, wanted: Wanted): Promise<Given> {
    const mine = and(
      eq(deviceCredential.productKey, productKey),
      eq(deviceCredential.deviceName, deviceName),
    )
    if (wanted === 'token') {
      const given = { clientId: secretOf(), deviceToken: secretOf() }
      await db.update(deviceCredential).set(given).where(mine)
      return given
    }
    const [row] = await db
      .select({ deviceSecret: deviceCredential.deviceSecret })
      .from(deviceCredential)
      .where(mine)
    return row!
  }

  return async function register(
    registering: Registering,
    { way, address, wanted }: { way: RegistrationWay; address: string; wanted: Wanted },
  ): Promise<Given> {
    const { rules, authType } = await findRules(registering)
    const { productKey, deviceName } = registering
    directory.forget(registering)
    let known = await directory.find(registering)
    const rule = chooseRule(rules, address, known?.projectId)
    const record = (
      projectId: number,
      state: Parameters<typeof recordRegistration>[1]['state'],
      reason = '',
    ) =>
      recordRegistration(db, {
        projectId,
        productKey,
        deviceName,
        way,
        address,
        state,
        reason,
        payload: unsigned(registering),
      })

    const why =
      (authType === 'deviceSecret' ? ownSecretsOnly : await closed(db, rule)) ??
      (isFrom(rule, address) ? undefined : '地址不在允许范围内')
    if (why) {
      await record(rule.projectId, 'refused', why)
      throw new AlinkError(alinkCode.registrationOff)
    }
    if (!known && rule.mode === 'preregistered') {
      await record(rule.projectId, 'refused', '序列号没有登记')
      throw new AlinkError(alinkCode.deviceMissing)
    }
    if (!known) {
      const refused = await admit(db, rule, registering)
      if (refused) {
        await record(rule.projectId, refused.state, refused.reason)
        throw new AlinkError(alinkCode.registrationOff, refused.state)
      }
      directory.forget(registering)
      known = (await directory.find(registering))!
    }
    if (known.disabled) {
      await record(known.projectId, 'refused', '设备已禁用')
      throw new AlinkError(alinkCode.disabled)
    }
    // The product secret must not suffice to take over an active device.
    if (known.activated) {
      await record(known.projectId, 'refused', '设备已激活')
      throw new AlinkError(alinkCode.alreadyActive)
    }
    const given = await hand(registering, wanted)
    await record(known.projectId, 'done')
    return given
  }
}
export type Register = ReturnType<typeof openRegistration>

export function isWithin(networks: string[], address: string) {
  // A dual-stack socket reports IPv4 addresses as ::ffff:10.0.0.1.
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '')
  const family = (one: string) => (isIP(one) === 6 ? 'ipv6' : 'ipv4')
  if (!isIP(plain)) return false
  const list = new BlockList()
  for (const network of networks) {
    const [base = '', bits] = network.split('/')
    if (!isIP(base)) continue
    if (bits === undefined) list.addAddress(base, family(base))
    else list.addSubnet(base, Number(bits), family(base))
  }
  return list.check(plain, family(plain))
}
