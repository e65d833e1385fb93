import { sql } from 'drizzle-orm'
import type { Db } from '../core/db/db'
import { registrationRecord as record } from '../tables/registration'

export type Turned = Pick<
  typeof record.$inferInsert,
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

/**
 * Writes down a serial that turned up, for the engineer who decides about it; one row however often it does. What a person
 * refused stays refused until a person says otherwise or the device is in. Address and payload are those of the first time.
 */
export async function recordRegistration(db: Db, turned: Turned) {
  const now = new Date().toISOString()
  const kept = sql`${record.state} = 'refused' and ${record.decideBy} <> '' and excluded.state <> 'done'`
  await db
    .insert(record)
    .values({ ...turned, firstTime: now, lastTime: now })
    .onConflictDoUpdate({
      target: [record.projectId, record.productKey, record.deviceName, record.gatewayId],
      set: {
        way: turned.way,
        state: sql`case when ${kept} then ${record.state} else excluded.state end`,
        reason: sql`case when ${kept} then ${record.reason} else excluded.reason end`,
        lastTime: now,
        count: sql`${record.count} + 1`,
      },
    })
}

/** What is kept of a message to look at: with its signature somebody else could send it again. */
export const unsigned = ({ sign: _, ...payload }: { sign?: string } & Record<string, unknown>) =>
  payload
