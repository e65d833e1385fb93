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

/** `secret`: what it signs with from now on; `token`: a client id and password that stand for the signature. */
export type Wanted = 'secret' | 'token'
export type Given = { deviceSecret: string } | { clientId: string; deviceToken: string }
type Rule = typeof registrationRule.$inferSelect

/** Of a serial that two gateways report and neither has. */
export const seenElsewhere = '另一台网关也上报了这个序列号'

export const secretOf = () => randomBytes(16).toString('hex')

/** One secret for each device: its product's opens nothing. */
export const ownSecretsOnly = '产品的认证方式是一机一密，设备须逐台登记'
export const productClosed = '产品已停用，不能登记设备'

/** Why the rule lets nobody in now, in Chinese for the engineer. */
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

/** Makes a device with its secret and takes one place of the rule's quota; false where none is left. */
export async function enter(tx: Db, rule: Rule | undefined, row: NewDevice, productKey: string) {
  if (rule) {
    const [room] = await tx
      .update(registrationRule)
      .set({
        quota: sql`${registrationRule.quota} - 1`,
        // Else a form that was open meanwhile gives the place back.
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
 * A device nobody entered: made where the rule says, or why not now. `gatewayId` for one that turned up behind a gateway,
 * which is then its own.
 */
export async function admit(
  db: Db,
  rule: Rule,
  { productKey, deviceName }: Identity,
  gatewayId?: string,
) {
  if (!DeviceName.test(deviceName)) throw new AlinkError(alinkCode.wrongName)
  // New ones only: those entered before go on.
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
    // It asked twice at once, or two gateways for it: it is there, and whose, the caller reads.
    if (sqlState(error) === '23505') return true
    throw error
  })
  return made ? undefined : { reason: '名额已用完', state: 'refused' as const }
}

/**
 * Which project a device registers in, where several have a rule for its product: the one its serial was entered in, else
 * the one whose networks it comes from, else the one that names no network. Whether that rule is open plays no part: a
 * project that is closed does not hand its devices to another.
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
  // Who was entered nowhere can only be let in by a rule that asks for no entry.
  return candidates.find(({ mode }) => mode === 'free') ?? candidates[0]!
}

/** Whether a device nobody entered could register by either rule, and nothing says which. */
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

/** Devices that register themselves with the one secret of their product, as the product's rule allows. */
export function openRegistration(db: Db, directory: Directory) {
  /** The rules of the product, of which there is at least one, for who has its secret. */
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
    // Who has the product's secret must not take over a device that is at work.
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
  // A socket that hears both writes IPv4 as ::ffff:10.0.0.1.
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
