import { sql } from 'drizzle-orm'
import type { Db } from '../core/db/db'
import { registrationRecord } from '../tables/registration'

export type Turned = Pick<
  typeof registrationRecord.$inferInsert,
  | 'projectId'
  | 'productKey'
  | 'deviceName'
  | 'gatewayId'
  | 'way'
  | 'state'
  | 'reason'
  | 'address'
  | 'payload'
>

/** Writes down a serial that turned up, for the engineer who decides about it; one row however often it does. */
export async function recordRegistration(db: Db, turned: Turned) {
  const now = new Date().toISOString()
  await db
    .insert(registrationRecord)
    .values({ ...turned, firstTime: now, lastTime: now })
    .onConflictDoUpdate({
      target: [
        registrationRecord.projectId,
        registrationRecord.productKey,
        registrationRecord.deviceName,
        registrationRecord.gatewayId,
      ],
      set: {
        way: turned.way,
        state: turned.state,
        reason: turned.reason ?? '',
        lastTime: now,
        count: sql`${registrationRecord.count} + 1`,
      },
    })
}
