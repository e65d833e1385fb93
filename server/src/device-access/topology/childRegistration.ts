import { and, count, eq } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import type { WriteAsHolder } from '../../core/lease/leases'
import { deviceCredential, product } from '../../tables/device'
import { registrationRecord, registrationRule } from '../../tables/registration'
import { AlinkError, alinkCode, DeviceName, type Identity } from '../protocol/alink'
import type { Directory, KnownDevice } from '../directory'
import { registerByRule, findClosedReason } from '../registration/registration'
import { settleOpenRecords, type AttemptRecorder } from './attemptRecorder'
import { collectResults, pickIdentity } from './collectResults'

/** Maximum registration records per gateway, so that reported neighbours cannot fill the disk. */
const maxRecordsPerGateway = 5000

/** Registers sub-devices for their gateway and records those that it finds. */
export function createChildRegistration(
  db: Db,
  writeAsHolder: WriteAsHolder,
  directory: Directory,
  { recordAttempt, assertNotBoundElsewhere, findRegistrationState }: AttemptRecorder,
) {
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
      const refusal = await writeAsHolder((tx) => registerByRule(tx, rule, identity, gateway.id))
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
    if (child.gatewayId === gateway.id)
      await writeAsHolder((tx) => settleOpenRecords(tx, gateway, [identity]))
    return { iotId: child.id, ...pickIdentity(identity), deviceSecret: credential!.deviceSecret }
  }

  async function registerChildren(gateway: KnownDevice, identities: Identity[]) {
    const results = []
    // They register one after the other, because each may take one of few places. A refused one does not stop the
    // rest, so that the engineer sees them all.
    for (const identity of identities)
      results.push(...(await Promise.allSettled([registerChild(gateway, identity)])))
    return collectResults(identities, results)
  }

  async function assertHasFreeRecords(gateway: KnownDevice) {
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
  }

  /** Records the devices that a gateway finds, for the engineer to enter. */
  async function recordFoundChildren(gateway: KnownDevice, identities: Identity[]) {
    for (const identity of identities) {
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
  }

  return { registerChildren, assertHasFreeRecords, recordFoundChildren }
}
