import { sql, type SQL } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type { Db } from '../../core/db/db'
import { incident } from '../../tables/incident'
import type { DeviceRef } from '../deviceRef'

type ProjectRow = { projectId: number }
const maxTextLength = 200
/** Control tasks are re-examined for ten minutes, so an incident remembers the last tasks it has counted. */
const maxTaskIds = 100

/** Records a device event as an incident; an unacknowledged incident of the same event is counted up. */
export async function recordEventIncident(
  db: Db,
  { id, projectId }: DeviceRef,
  event: { kind: 'fault' | 'alarm'; identifier: string; text: string; time: string },
) {
  const text = event.text.slice(0, maxTextLength)
  await db
    .insert(incident)
    .values({
      ...event,
      id: uuidv7(),
      projectId,
      deviceId: id,
      text,
      count: 1,
      firstTime: event.time,
      lastTime: event.time,
    })
    .onConflictDoUpdate({
      target: [incident.projectId, incident.deviceId, incident.kind, incident.identifier],
      targetWhere: sql`${incident.acknowledgedTime} is null`,
      set: {
        count: sql`${incident.count} + 1`,
        text,
        firstTime: sql`least(${incident.firstTime}, excluded.first_time)`,
        lastTime: sql`greatest(${incident.lastTime}, excluded.last_time)`,
      },
    })
}

const onOpenConflict = sql`on conflict (project_id, device_id, kind, identifier) where acknowledged_time is null`
const insertColumns = sql`insert into incident (id, project_id, device_id, kind, identifier, text, count, first_time, last_time, task_ids)`
const findChangedProjects = async (db: Db, statement: SQL) => {
  const { rows } = await db.execute<ProjectRow>(statement)
  return rows.map(({ projectId }) => Number(projectId))
}

/** Restricts the query to these devices, if given. */
const whereIdIn = (ids?: string[]) =>
  ids
    ? sql`and d.id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`
    : sql``

/**
 * Opens incidents for offline devices and ends those of devices that are back. Devices behind an offline edge host get
 * no incident of their own.
 * @param ids devices whose state has just changed; if omitted, all are checked and the incident starts at their last
 * message
 * @returns ids of the projects with changes
 */
export async function updateOfflineIncidents(db: Db, ids?: string[]): Promise<number[]> {
  const recoveredProjects = await findChangedProjects(
    db,
    sql`update incident i set end_time = now() from device d
      where i.kind = 'offline' and i.end_time is null
        and d.project_id = i.project_id and d.id = i.device_id and d.state <> 'offline' ${whereIdIn(ids)}
      returning i.project_id as "projectId"`,
  )
  const time = ids ? sql`now()` : sql`coalesce(greatest(d.reported_time, d.online_time), now())`
  const text = ids ? '' : '发现时已离线，时间是最后一次消息'
  const offlineProjects = await findChangedProjects(
    db,
    sql`${insertColumns}
      select gen_random_uuid(), d.project_id, d.id, 'offline', '', ${text}, 1, ${time}, ${time}, '{}'::uuid[]
      from device d left join device g on g.project_id = d.project_id and g.id = d.gateway_id
      where d.state = 'offline' and (d.reported_time is not null or d.online_time is not null)
        and (g.id is null or g.state = 'online') ${whereIdIn(ids)}
        and not exists (select 1 from incident i where i.project_id = d.project_id and i.device_id = d.id
          and i.kind = 'offline' and i.end_time is null)
      ${onOpenConflict} do update set count = incident.count + 1, text = excluded.text,
        last_time = greatest(incident.last_time, excluded.last_time), end_time = null
        where incident.end_time is not null
      returning project_id as "projectId"`,
  )
  return [...new Set([...recoveredProjects, ...offlineProjects])]
}

/**
 * Updates incidents after a control task has ended: failed commands open or count up an incident, successful ones end
 * it.
 */
export async function updateTaskIncidents(
  db: Db,
  projectId: number,
  taskId: string,
): Promise<boolean> {
  const taskCondition = sql`l.project_id = ${projectId} and l.task_id = ${taskId}`
  const recoveredProjects = await findChangedProjects(
    db,
    sql`update incident i set end_time = coalesce(l.done_time, now()) from control_ledger l
      where ${taskCondition} and l.state in ('success', 'confirmed') and i.project_id = l.project_id
        and i.device_id = l.device_id and i.kind = 'failed' and i.end_time is null and i.last_time <= coalesce(l.done_time, now())
      returning i.project_id as "projectId"`,
  )
  const failedProjects = await findChangedProjects(
    db,
    sql`${insertColumns}
      select gen_random_uuid(), l.project_id, l.device_id, 'failed', '',
        left(t.title || '：' || coalesce(nullif(l.reason, ''), case l.state when 'timeout' then '超时' else '失败' end), ${maxTextLength}),
        1, coalesce(l.done_time, now()), coalesce(l.done_time, now()), array[l.task_id]
      from control_ledger l join task t on t.id = l.task_id
        join device d on d.project_id = l.project_id and d.id = l.device_id
      where ${taskCondition} and l.state in ('failed', 'timeout')
        and not exists (select 1 from incident i where i.project_id = l.project_id and i.device_id = l.device_id
          and i.kind = 'failed' and l.task_id = any(i.task_ids))
      ${onOpenConflict} do update set count = incident.count + 1, text = excluded.text,
        task_ids = (incident.task_ids || excluded.task_ids)[greatest(1, cardinality(incident.task_ids) + 2 - ${maxTaskIds}):],
        last_time = greatest(incident.last_time, excluded.last_time), end_time = null
        where not incident.task_ids @> excluded.task_ids
      returning project_id as "projectId"`,
  )
  return recoveredProjects.length + failedProjects.length > 0
}
