import { sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'

/**
 * Acknowledges the events of devices that incidents of alarm rules are about, so that the hand-over does not ask for the
 * same a second time.
 */
export const acknowledgeReportedEvents = (tx: Db, incidentIds: string[], username: string) =>
  tx.execute(sql`
    update incident e set acknowledged_by = ${username}, acknowledged_time = now()
    from alarm_incident i join alarm_rule r on r.id = i.rule_id
      join incident_device d on d.project_id = i.project_id and d.incident_id = i.id
    where i.id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(incidentIds)}::jsonb))
      and e.project_id = d.project_id and e.device_id = d.device_id and e.acknowledged_time is null
      and (r.source ->> 'kind' = 'offline' and e.kind = 'offline'
        or r.source ->> 'kind' = 'event' and (r.source -> 'types') ?
          case e.kind when 'fault' then 'error' when 'alarm' then 'alert' else '' end)`)
