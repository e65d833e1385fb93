import { sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'

/** Notifications that are not bundled in this time, because their process was killed, are sent one by one. */
export const bundleWaitSeconds = 10

/** Makes what waits to be told of the opening of these subjects one message for each channel and its roles, and sends it now. */
export const bundleNotifications = (db: Db, subjects: string[]) =>
  db.execute(sql`
    with waiting as (
      select id, channel_id, role_ids from notification_outbox
      where subject in (select jsonb_array_elements_text(${JSON.stringify(subjects)}::jsonb))
        and event = 'opened' and status = 'pending' and attempts = 0 and message_id is null
      for update),
    messages as (select channel_id, role_ids, gen_random_uuid() as id from waiting group by channel_id, role_ids)
    update notification_outbox o set message_id = messages.id, next_time = now()
    from waiting, messages where o.id = waiting.id and messages.channel_id = waiting.channel_id
      and messages.role_ids = waiting.role_ids`)
