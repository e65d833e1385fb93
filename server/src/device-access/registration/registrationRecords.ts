import { maxUndecidedRecords, maxRefusedRecords } from '@iot/shared/contract/device/registration'
import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../core/db/db'
import { registrationRecord as record } from '../../tables/registration'

export type RegistrationAttempt = Pick<
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
 * Records a serial that asked to register, one row per serial, for the engineer who decides. A person's refusal stands
 * until a person changes it or the device has registered. Address and payload are those of the first request.
 */
export async function recordRegistration(db: Db, attempt: RegistrationAttempt) {
  const time = new Date().toISOString()
  const isFinalRefusal = sql`${record.state} = 'refused' and ${record.decideBy} <> '' and excluded.state <> 'done'`
  const [savedRow] = await db
    .insert(record)
    .values({ ...attempt, firstTime: time, lastTime: time })
    .onConflictDoUpdate({
      target: [record.projectId, record.productKey, record.deviceName, record.gatewayId],
      set: {
        way: attempt.way,
        state: sql`case when ${isFinalRefusal} then ${record.state} else excluded.state end`,
        reason: sql`case when ${isFinalRefusal} then ${record.reason} else excluded.reason end`,
        lastTime: time,
        count: sql`${record.count} + 1`,
      },
    })
    .returning({ count: record.count })
  const isNew = savedRow?.count === 1
  if (isNew && attempt.state !== 'done') await trimRecords(db, attempt)
}

/** This counts new records per project and product since the last clean-up by this process. */
const newRecordCounts = new LRUCache<string, number>({ max: 10_000 })
const recordsPerTrim = 50

/**
 * A holder of the product secret can invent serials, so the number of open records and refusals is limited; the ones
 * not seen for the longest time are deleted.
 */
async function trimRecords(db: Db, { projectId, productKey }: RegistrationAttempt) {
  const key = `${projectId} ${productKey}`
  const newCount = (newRecordCounts.get(key) ?? recordsPerTrim - 1) + 1
  newRecordCounts.set(key, newCount % recordsPerTrim)
  if (newCount < recordsPerTrim) return
  await db.execute(sql`
    with gone as (
      delete from registration_record using (
        select id, decide_by = '' as is_open, row_number() over (
          partition by decide_by = '' order by last_time desc, id desc
        ) as place
        from registration_record
        where project_id = ${projectId} and product_key = ${productKey}
          and (decide_by = '' and state <> 'done' or decide_by <> '' and state = 'refused')
      ) as old
      where registration_record.project_id = ${projectId} and registration_record.id = old.id
        and old.place > case when old.is_open then ${maxUndecidedRecords}::int else ${maxRefusedRecords}::int end
      returning 1
    )
    insert into registration_dropped (project_id, product_key, count, last_time)
    select ${projectId}, ${productKey}, count(*), now() from gone having count(*) > 0
    on conflict (project_id, product_key) do update
      set count = registration_dropped.count + excluded.count, last_time = excluded.last_time`)
}

/** Removes the signature before storage, because a reader could replay a signed message. */
export const omitSignature = ({
  sign: _,
  ...payload
}: { sign?: string } & Record<string, unknown>) => payload
