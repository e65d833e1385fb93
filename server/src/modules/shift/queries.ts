import type { ShiftChange, UnfinishedScene } from '@iot/shared/contract/control/shift.schema'
import type { shiftApi } from '@iot/shared/contract/control/shift.api'
import type { Output } from '@iot/shared/contract/endpoint'
import { inArray, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { selectPersonName } from '../../tables/personName'
import { sceneRun } from '../../tables/scene'
import { quietStatuses } from '../project/policy'
import { isOpenRun } from '../scene/policy'

type Slice = { pageNo: number; pageSize: number }
/** Returns the smallest id created since a time in milliseconds; a UUIDv7 begins with its timestamp. */
function getLowestIdSince(time: number) {
  const hex = Math.max(0, time).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
/** Tolerance in milliseconds for clock differences between machines. */
const clockSkewMs = 60_000

/** Reads and acknowledges runs of scenes that were missed or failed. */
const unfinishedSceneQueries = (db: Db) => ({
  /** Lists scenes with missed or failed runs that are not acknowledged; none of a project that reports no problems. */
  async listUnfinishedScenes(projectId: number): Promise<UnfinishedScene[]> {
    const { rows } = await db.execute<UnfinishedScene>(sql`
      select r.scene_id as id, coalesce(s.name, '已删除的场景') as name, count(*)::int as count,
        (count(*) filter (where r.status = 'missed'))::int as missed,
        min(coalesce(r.due_time, r.create_time)) as "firstTime",
        max(coalesce(r.due_time, r.create_time)) as "lastTime",
        (array_agg(r.reason order by r.id desc))[1] as reason
      from scene_run r left join scene s on s.project_id = r.project_id and s.id = r.scene_id
      where r.project_id = ${projectId} and ${isOpenRun}
        and not exists (select 1 from project p where p.id = r.project_id and p.status in (${quietStatuses}))
      group by r.scene_id, s.name order by "lastTime" desc, id`)
    return rows.map((row) => ({
      ...row,
      firstTime: new Date(row.firstTime).toISOString(),
      lastTime: new Date(row.lastTime).toISOString(),
    }))
  },
  /** Locks the runs, so that only one of two users acknowledges each of them. */
  lockRuns: async (projectId: number, sceneIds: string[]) => {
    const { rows } = await db.execute<{ id: string; sceneId: string }>(sql`
      select r.id, r.scene_id as "sceneId" from scene_run r
      where r.project_id = ${projectId} and ${isOpenRun} and r.scene_id in ${uuidListSql(sceneIds)}
      order by r.id for update`)
    return rows
  },
  /** Returns names of scenes of a project, including deleted scenes that left runs behind. */
  async findSceneNames(projectId: number, sceneIds: string[]) {
    const { rows } = await db.execute<{ id: string; name: string }>(sql`
      select asked.id, coalesce(s.name, '已删除的场景') as name
      from ${uuidListSql(sceneIds)} as asked (id)
      left join scene s on s.project_id = ${projectId} and s.id = asked.id
      where s.id is not null or exists (
        select from scene_run r where r.project_id = ${projectId} and r.scene_id = asked.id)`)
    return new Map(rows.map(({ id, name }) => [id, name]))
  },
  acknowledgeRuns: (ids: string[], change: Partial<typeof sceneRun.$inferInsert>) =>
    db.update(sceneRun).set(change).where(inArray(sceneRun.id, ids)),
})

/** Reads what was done in a project since the last shift. */
const handoverQueries = (db: Db) => ({
  /** Returns when another, ended session of this user was last active. */
  async findLastActivity(userId: string, sessionId: string) {
    const { rows } = await db.execute<{ time: string | null }>(sql`
      select max(last_seen) as time from session where user_id = ${userId} and id <> ${sessionId}
        and (ended = 'logout' or expire_time < now()) and last_seen > now() - interval '7 days'`)
    const time = rows[0]?.time
    return time ? new Date(time).toISOString() : undefined
  },
  async countByUser(projectId: number, from: string): Promise<Output<typeof shiftApi.people>> {
    const { rows } = await db.execute<Output<typeof shiftApi.people>[number]>(sql`
      select create_by as name, ${personNameSql} as "displayName", count(*)::int as tasks,
        (count(*) filter (where origin = 'config'))::int as config,
        (count(*) filter (where origin = 'set'))::int as manual,
        (count(*) filter (where origin = 'scene'))::int as scenes,
        sum(failed)::int as failed
      from (${changesSql(projectId, from)}) as done
      group by create_by order by tasks desc, name limit 100`)
    return rows
  },
  async listChanges(
    projectId: number,
    from: string,
    { by: userFilter, onlyFailed, pageNo, pageSize }: Slice & { by?: string; onlyFailed?: boolean },
  ): Promise<{ list: ShiftChange[]; total: number }> {
    const where = sql`where ${userFilter ? sql`create_by = ${userFilter}` : sql`true`} and ${onlyFailed ? sql`failed > 0` : sql`true`}`
    const { rows } = await db.execute<ShiftChange & { create_by: string; found: number }>(sql`
      select id, kind, title, origin, status, reason, create_by, ${personNameSql} as "createByName", time, "entityId", unit, total, success, failed,
        (count(*) over ())::int as found
      from (${changesSql(projectId, from)}) as done ${where}
      order by time desc, id desc limit ${pageSize} offset ${(pageNo - 1) * pageSize}`)
    const list = rows.map(({ create_by: createBy, found: _, time, ...row }) => ({
      ...row,
      createBy,
      time: new Date(time).toISOString(),
    }))
    return { list, total: rows[0]?.found ?? 0 }
  },
})

export const shiftQueries = (db: Db) => ({
  ...unfinishedSceneQueries(db),
  ...handoverQueries(db),
})

const uuidListSql = (ids: string[]) =>
  sql`(select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`

const personNameSql = selectPersonName(sql.raw('done.create_by'))

const countSql = (state: string) => sql`coalesce((t.counts ->> ${state})::int, 0)`

/** SQL for the titles of the first changed fields of an audit log entry; creations and deletions have none. */
const changedTitlesSql = sql`coalesce((
  select string_agg(field ->> 'title', '、') filter (where n <= 4)
  from jsonb_array_elements(l.changes) with ordinality as of(field, n)
  having bool_or(field ->> 'before' <> '') and bool_or(field ->> 'after' <> '')), '')`
/** These entities are listed as tasks or incidents instead. */
const excludedEntities = ['控制任务', '设备事件', '告警', '场景执行']

/** SQL for control tasks, failed scene runs and configuration changes since a time. */
const changesSql = (projectId: number, from: string) => sql`
  select t.id, 'task' as kind, t.title, coalesce(t.detail ->> 'origin', 'action') as origin, t.status, t.reason,
    t.create_by, t.create_time as time, '' as "entityId", coalesce(t.detail ->> 'unit', '台') as unit, t.total,
    ${countSql('success')} + ${countSql('confirmed')} as success, ${countSql('failed')} + ${countSql('timeout')} as failed
  from task t where t.project_id = ${projectId} and t.kind = 'control'
    and t.id >= ${getLowestIdSince(Date.parse(from) - clockSkewMs)}::uuid and t.create_time >= ${from}
  union all
  select r.id, 'run', '场景“' || coalesce(s.name, '已删除') || '”', 'scene', r.status, r.reason, r.create_by, r.create_time, '', '', 0, 0,
    case when r.status in ('missed', 'failed') then 1 else 0 end
  from scene_run r left join scene s on s.project_id = r.project_id and s.id = r.scene_id
  where r.project_id = ${projectId} and r.create_time >= ${from} and cardinality(r.task_ids) = 0 and r.status <> 'running'
  union all
  select l.id, 'change', l.verb || case when l.entity_name = '' then '' else '“' || l.entity_name || '”' end, 'config',
    case when l.ok then 'done' else 'failed' end, case when l.ok then ${changedTitlesSql} else l.reason end, l.username, l.time, l.entity_id, '', 0, 0, case when l.ok then 0 else 1 end
  from action_log l where l.project_id = ${projectId} and not l.part and l.time >= ${from}
    and l.entity <> all (${sql.raw(`array['${excludedEntities.join("','")}']`)})`
