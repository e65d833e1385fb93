import { randomBytes } from 'node:crypto'
import { validateProjectOperation } from '@iot/shared/contract/project/projectStatus'
import type { RegistrationWay } from '@iot/shared/contract/device/registration.schema'
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { transaction, type Db } from '../../core/db/db'
import { getSqlState } from '../../core/db/outage'
import { device, deviceCredential, product } from '../../tables/device'
import { project } from '../../tables/project'
import { productCredential, registrationRecord, registrationRule } from '../../tables/registration'
import { AlinkError, alinkCode, DeviceName, type Identity } from '../protocol/alink'
import type { Directory } from '../directory'
import { recordRegistration, omitSignature } from './registrationRecords'
import { chooseRule, isInNetworks, type Rule } from './ruleChoice'
import { computeHmac, isSameSignature, type RegistrationRequest } from '../protocol/signature'

/** `secret` is the key for later signatures; `token` is a client id and password that replace the signature. */
export type CredentialKind = 'secret' | 'token'
export type IssuedCredentials = { deviceSecret: string } | { clientId: string; deviceToken: string }

/** Reason for a serial that two gateways report and that belongs to neither. */
export const reportedElsewhereText = '另一台网关也上报了这个序列号'

export const createSecret = () => randomBytes(16).toString('hex')

/** Products of this type issue one secret per device, so their product secret registers no device. */
export const ownSecretsOnlyText = '产品的认证方式是一机一密，设备须逐台登记'
export const productDisabledText = '产品已停用，不能登记设备'

/** Returns why the rule registers no device now, in Chinese for the engineer; undefined if it is open. */
export async function findClosedReason(db: Db, { enabled, expireTime, projectId }: Rule) {
  if (!enabled) return '规则已禁用'
  if (expireTime && expireTime < new Date().toISOString()) return '规则已过期'
  const [row] = await db
    .select({ status: project.status })
    .from(project)
    .where(eq(project.projectId, projectId))
  return row && validateProjectOperation(row.status, 'register')
}
const isAllowedAddress = ({ addresses }: Rule, address: string) =>
  addresses.length === 0 || isInNetworks(addresses, address)

type NewDevice = Pick<
  typeof device.$inferInsert,
  'name' | 'deviceName' | 'projectId' | 'productId'
> &
  Partial<typeof device.$inferInsert>

/**
 * Creates a device with its secret and takes one place of the rule's quota.
 * @returns false if the quota is used up
 */
export async function insertDevice(
  tx: Db,
  rule: Rule | undefined,
  row: NewDevice,
  productKey: string,
) {
  if (rule) {
    const [quotaRow] = await tx
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
    if (!quotaRow) return false
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
    .values({ productKey, deviceName, deviceSecret: createSecret(), projectId, deviceId: id })
  return true
}

/**
 * Registers an unknown device as the rule allows. `gatewayId` binds a device that was found behind a gateway.
 * @returns undefined on success, else the reason and state of the refusal
 */
export async function registerByRule(
  db: Db,
  rule: Rule,
  { productKey, deviceName }: Identity,
  gatewayId?: string,
) {
  if (!DeviceName.test(deviceName)) throw new AlinkError(alinkCode.wrongName)
  // A disabled product refuses new devices only; existing ones keep working.
  const [productRow] = await db
    .select({ status: product.status })
    .from(product)
    .where(eq(product.id, rule.productId))
  if (productRow?.status === 'disabled')
    return { reason: productDisabledText, state: 'refused' as const }
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
    const ownRecord = records.find((record) => record.gatewayId === (gatewayId ?? ''))
    if (ownRecord?.state === 'refused' && ownRecord.decideBy)
      return { reason: ownRecord.reason, state: 'refused' as const }
    if (gatewayId && records.some((record) => record !== ownRecord && record.state === 'pending'))
      return { reason: reportedElsewhereText, state: 'conflict' as const }
    return { reason: '等待审批', state: 'pending' as const }
  }
  const name = rule.nameTemplate.replaceAll('{deviceName}', deviceName).slice(0, 64)
  const { projectId, productId } = rule
  const isCreated = await transaction(db, (tx) =>
    insertDevice(tx, rule, { name, deviceName, projectId, productId, gatewayId }, productKey),
  ).catch((error: unknown) => {
    // The device registered twice at once, or through two gateways: it exists now, and the caller reads its owner.
    if (getSqlState(error) === '23505') return true
    throw error
  })
  return isCreated ? undefined : { reason: '名额已用完', state: 'refused' as const }
}

/** Registers devices that know the secret of their product, as the rules of the product allow. */
export function createDeviceRegistration(db: Db, directory: Directory) {
  /**
   * Returns the rules of the product, at least one.
   * @throws AlinkError if the product secret is wrong or the product has no rule
   */
  async function findRules({
    productKey,
    deviceName,
    random,
    signMethod,
    sign,
  }: RegistrationRequest) {
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
    const expected = computeHmac({ deviceName, productKey, random }, signMethod, row.secret)
    if (!expected) throw new AlinkError(alinkCode.signMethod)
    if (!isSameSignature(expected, sign)) throw new AlinkError(alinkCode.productSignature)
    const rules = await db
      .select()
      .from(registrationRule)
      .where(eq(registrationRule.productId, row.productId))
      .orderBy(registrationRule.id)
    if (rules.length === 0 || row.node === 'sub') throw new AlinkError(alinkCode.registrationOff)
    return { rules, authType: row.authType }
  }

  async function issueCredentials(
    { productKey, deviceName }: RegistrationRequest,
    credentialKind: CredentialKind,
  ): Promise<IssuedCredentials> {
    const isRequestedDevice = and(
      eq(deviceCredential.productKey, productKey),
      eq(deviceCredential.deviceName, deviceName),
    )
    if (credentialKind === 'token') {
      const tokenCredentials = { clientId: createSecret(), deviceToken: createSecret() }
      await db.update(deviceCredential).set(tokenCredentials).where(isRequestedDevice)
      return tokenCredentials
    }
    const [row] = await db
      .select({ deviceSecret: deviceCredential.deviceSecret })
      .from(deviceCredential)
      .where(isRequestedDevice)
    return row!
  }

  return async function register(
    request: RegistrationRequest,
    {
      way,
      address,
      credentialKind,
    }: { way: RegistrationWay; address: string; credentialKind: CredentialKind },
  ): Promise<IssuedCredentials> {
    const { rules, authType } = await findRules(request)
    const { productKey, deviceName } = request
    directory.forget(request)
    let knownDevice = await directory.find(request)
    const rule = chooseRule(rules, address, knownDevice?.projectId)
    const recordAttempt = (
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
        payload: omitSignature(request),
      })

    const refusalReason =
      (authType === 'deviceSecret' ? ownSecretsOnlyText : await findClosedReason(db, rule)) ??
      (isAllowedAddress(rule, address) ? undefined : '地址不在允许范围内')
    if (refusalReason) {
      await recordAttempt(rule.projectId, 'refused', refusalReason)
      throw new AlinkError(alinkCode.registrationOff)
    }
    if (!knownDevice && rule.mode === 'preregistered') {
      await recordAttempt(rule.projectId, 'refused', '序列号没有登记')
      throw new AlinkError(alinkCode.deviceMissing)
    }
    if (!knownDevice) {
      const refusal = await registerByRule(db, rule, request)
      if (refusal) {
        await recordAttempt(rule.projectId, refusal.state, refusal.reason)
        throw new AlinkError(alinkCode.registrationOff, refusal.state)
      }
      directory.forget(request)
      knownDevice = (await directory.find(request))!
    }
    if (knownDevice.disabled) {
      await recordAttempt(knownDevice.projectId, 'refused', '设备已禁用')
      throw new AlinkError(alinkCode.disabled)
    }
    // The product secret must not suffice to take over an active device.
    if (knownDevice.activated) {
      await recordAttempt(knownDevice.projectId, 'refused', '设备已激活')
      throw new AlinkError(alinkCode.alreadyActive)
    }
    const credentials = await issueCredentials(request, credentialKind)
    await recordAttempt(knownDevice.projectId, 'done')
    return credentials
  }
}
export type RegisterDevice = ReturnType<typeof createDeviceRegistration>
