import { and, eq, inArray, ne, notInArray, or, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import type { WriteAsHolder } from '../../core/lease/leases'
import { registrationRecord } from '../../tables/registration'
import { AlinkError, alinkCode, type Identity } from '../protocol/alink'
import type { KnownDevice } from '../directory'
import { reportedElsewhereText } from '../registration/registration'
import {
  recordRegistration,
  omitSignature,
  type RegistrationAttempt,
} from '../registration/registrationRecords'
import { pickIdentity } from './collectResults'

/** Reason for refusing a serial that is bound to another gateway. */
export const boundElsewhereText = '该设备已属于另一台网关'

/**
 * Settles the open records of serials that a gateway has bound: its own records are done, those of other gateways are
 * conflicts. A decision of a person stands.
 */
export async function settleOpenRecords(
  db: Db,
  gateway: Pick<KnownDevice, 'id' | 'projectId'>,
  identities: Identity[],
) {
  if (identities.length === 0) return
  const isOwn = eq(registrationRecord.gatewayId, gateway.id)
  await db
    .update(registrationRecord)
    .set({
      state: sql`case when ${isOwn} then 'done' else 'conflict' end`,
      reason: sql`case when ${isOwn} then '' else ${boundElsewhereText}::text end`,
    })
    .where(
      and(
        eq(registrationRecord.projectId, gateway.projectId),
        ne(registrationRecord.gatewayId, ''),
        inArray(registrationRecord.state, ['pending', 'conflict']),
        or(
          ...identities.map(({ productKey, deviceName }) =>
            and(
              eq(registrationRecord.productKey, productKey),
              eq(registrationRecord.deviceName, deviceName),
            ),
          ),
        ),
      ),
    )
}

/** Records how a gateway tried to register or bind its sub-devices, for the engineer to decide. */
export function createAttemptRecorder(db: Db, writeAsHolder: WriteAsHolder) {
  const recordAttempt = (
    gateway: KnownDevice,
    identity: Identity,
    attempt: Pick<RegistrationAttempt, 'way' | 'state' | 'reason'>,
    request: Record<string, unknown> = pickIdentity(identity),
  ) =>
    writeAsHolder((tx) =>
      recordRegistration(tx, {
        projectId: gateway.projectId,
        ...pickIdentity(identity),
        gatewayId: gateway.id,
        payload: omitSignature(request),
        ...attempt,
      }),
    )
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

  return { recordAttempt, assertNotBoundElsewhere, findRegistrationState }
}
export type AttemptRecorder = ReturnType<typeof createAttemptRecorder>
