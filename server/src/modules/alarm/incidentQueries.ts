import type { IncidentDetail, incidentSchemas } from '@iot/shared/contract/alarm/incident.schema'
import { and, desc, eq, gte, inArray, lt, sql, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { readPage } from '../../core/db/page'
import { createFieldRefusal } from '../../core/refusal'
import { buildOrderBy, contains, whereEquals, whereIdIn } from '../../core/db/rows'
import {
  alarmIncident as table,
  alarmRule,
  incidentDevice,
  incidentEvent,
} from '../../tables/alarm'
import { device } from '../../tables/device'
import { selectUserName } from '../../tables/personName'
import { user, userRole } from '../../tables/user'
import { role } from '../../tables/role'
import { whereInScope } from '../device/policy/deviceScope'
import { isOpenRun } from '../scene/policy'
import { describeEvent } from './describeEvent'
import { addNames } from './incidentNames'
import { findComparedNumber } from './incidentValues'
import { whereVisible, type IncidentRow, type Scope } from './incidentScope'
import { severityOrder, usualOrder } from './policy'
import { describeRules, toContractRule } from './ruleQueries'

const maxEvents = 500
const maxListedDevices = 1000
const maxRelated = 20

type PageQuery = z.output<typeof incidentSchemas.page.input>

function whereMatches(
  query: Omit<PageQuery, 'pageNo' | 'pageSize'>,
  scope: Scope,
): SQL | undefined {
  const { projectId, title, severity, status = 'active', ruleId, deviceId, from, to } = query
  const { resolvedFrom } = query
  return and(
    whereVisible(scope),
    whereEquals(table.projectId, projectId),
    contains(table.title, title),
    whereEquals(table.severity, severity),
    status === 'all'
      ? undefined
      : status === 'active'
        ? sql`${table.status} <> 'resolved'`
        : eq(table.status, status),
    whereEquals(table.ruleId, ruleId),
    deviceId
      ? sql`exists (select 1 from ${incidentDevice} where ${incidentDevice.projectId} = ${table.projectId}
          and ${incidentDevice.incidentId} = ${table.id} and ${incidentDevice.deviceId} = ${deviceId})`
      : undefined,
    from ? gte(table.openedTime, from) : undefined,
    to ? lt(table.openedTime, to) : undefined,
    resolvedFrom ? gte(table.resolvedTime, resolvedFrom) : undefined,
  )
}

/**
 * Returns a condition for incidents that concern devices of a space or a group: as devices of the incident, behind its
 * gateway, or in its room. It is undefined without space and group.
 * @throws "not found" if the space or group is not in the project
 */
async function whereConcerns(
  db: Db,
  { projectId, spaceId, groupId }: Pick<PageQuery, 'projectId' | 'spaceId' | 'groupId'>,
) {
  if (!spaceId && !groupId) return undefined
  if (projectId === undefined) throw createFieldRefusal('projectId', '请选择项目')
  const isInScope = await whereInScope(db, projectId, { spaceId, groupId })
  return sql`exists (select 1 from ${device} where ${device.projectId} = ${table.projectId} and ${isInScope} and (
    ${device.gatewayId} = ${table.deviceId}
    or (${table.subjectKey} like 'space:%' and ${device.spaceId} = ${table.spaceId})
    or exists (select 1 from ${incidentDevice} where ${incidentDevice.projectId} = ${table.projectId}
      and ${incidentDevice.incidentId} = ${table.id} and ${incidentDevice.deviceId} = ${device.id})))`
}

type ListQuery = Omit<PageQuery, 'pageNo' | 'pageSize'> & { ids?: string[] }
const whereListed = async (db: Db, { ids, ...query }: ListQuery, scope: Scope) =>
  and(whereMatches(query, scope), whereIdIn(table.id, ids), await whereConcerns(db, query))

const buildListOrder = (sort: string | undefined) =>
  sort
    ? buildOrderBy(
        {
          id: table.id,
          severity: severityOrder,
          openedTime: table.openedTime,
          lastTime: table.lastTime,
          count: table.count,
        },
        sort,
        sort,
      )
    : usualOrder

export const incidentQueries = (db: Db) => ({
  async page(query: PageQuery & { ids?: string[] }, scope: Scope) {
    const where = await whereListed(db, query, scope)
    const { list, ...count } = await readPage(db, table, where, query, ({ limit, offset }) =>
      db
        .select()
        .from(table)
        .where(where)
        .orderBy(...buildListOrder(query.sort))
        .limit(limit)
        .offset(offset),
    )
    return { ...count, list: await addNames(db, list) }
  },
  /** Lists the ids of all pages in their order. */
  async listIds(query: ListQuery, scope: Scope, maxRows: number) {
    const rows = await db
      .select({ id: table.id })
      .from(table)
      .where(await whereListed(db, query, scope))
      .orderBy(...buildListOrder(query.sort))
      .limit(maxRows)
    return rows.map(({ id }) => id)
  },
  find: async (id: string) => (await db.select().from(table).where(eq(table.id, id)))[0],
  lock: (ids: string[]) =>
    db.select().from(table).where(inArray(table.id, ids)).orderBy(table.id).for('update'),
  async addDetail(row: IncidentRow, scope: Scope): Promise<IncidentDetail> {
    const [incident] = await addNames(db, [row])
    const [rule] = await db.select().from(alarmRule).where(eq(alarmRule.id, row.ruleId))
    const ofIncident = and(
      eq(incidentEvent.projectId, row.projectId),
      eq(incidentEvent.incidentId, row.id),
    )
    const events = await db
      .select({
        id: incidentEvent.id,
        kind: incidentEvent.kind,
        time: incidentEvent.time,
        detail: incidentEvent.detail,
        userName: selectUserName(sql.raw('incident_event.user_id')),
      })
      .from(incidentEvent)
      .where(ofIncident)
      .orderBy(desc(incidentEvent.time), desc(incidentEvent.id))
      .limit(maxEvents)
    const devices = await db
      .select({
        id: incidentDevice.deviceId,
        name: sql<string>`coalesce(${device.name}, ${incidentDevice.name})`,
        detail: incidentDevice.detail,
        firstTime: incidentDevice.firstTime,
        recoveredTime: incidentDevice.recoveredTime,
      })
      .from(incidentDevice)
      .leftJoin(
        device,
        and(eq(device.projectId, incidentDevice.projectId), eq(device.id, incidentDevice.deviceId)),
      )
      .where(
        and(eq(incidentDevice.projectId, row.projectId), eq(incidentDevice.incidentId, row.id)),
      )
      .orderBy(
        sql`${incidentDevice.recoveredTime} is not null`,
        incidentDevice.firstTime,
        incidentDevice.deviceId,
      )
      .limit(maxListedDevices)
    const related = await db
      .select({
        id: table.id,
        title: table.title,
        severity: table.severity,
        openedTime: table.openedTime,
      })
      .from(table)
      .where(
        and(
          whereVisible(scope),
          eq(table.projectId, row.projectId),
          sql`${table.id} <> ${row.id}`,
          sql`${table.openedTime} between ${row.openedTime}::timestamptz - interval '5 minutes' and ${row.openedTime}::timestamptz + interval '5 minutes'`,
        ),
      )
      .orderBy(table.openedTime, table.id)
      .limit(maxRelated)
    return {
      ...incident!,
      previousId: row.previousId,
      hasValues: (await findComparedNumber(db, row)) !== undefined,
      sentence: rule ? (await describeRules(db, [toContractRule(rule)]))[0]! : '',
      events: events.map(({ detail, ...event }) => ({
        ...event,
        text: describeEvent({ kind: event.kind, detail }),
      })),
      devices,
      related,
    }
  },
  /** Changes an incident under the optimistic lock; undefined if it has changed since it was read. */
  async update(
    { projectId, id, version }: Pick<IncidentRow, 'projectId' | 'id' | 'version'>,
    change: Partial<IncidentRow>,
    username: string,
  ) {
    const [row] = await db
      .update(table)
      .set({ ...change, updateBy: username, version: sql`${table.version} + 1` })
      .where(and(eq(table.projectId, projectId), eq(table.id, id), eq(table.version, version)))
      .returning()
    return row
  },
  acknowledge: (ids: string[], username: string) =>
    db
      .update(table)
      .set({
        status: 'acknowledged',
        acknowledgedBy: username,
        acknowledgedTime: sql`now()`,
        updateBy: username,
        version: sql`${table.version} + 1`,
      })
      .where(and(inArray(table.id, ids), eq(table.status, 'open'))),
  /** Acknowledges the runs of scenes together with their incidents, so that the hand-over does not ask for them again. */
  acknowledgeRuns: (incidentIds: string[], username: string, note: string) =>
    db.execute(sql`
      update scene_run r set acknowledged_by = ${username}, acknowledged_time = now(), note = ${note}
      from ${table} where ${inArray(table.id, incidentIds)} and ${table.projectId} = r.project_id
        and ${table.subjectKey} = 'scene:' || r.scene_id and ${isOpenRun}`),
  /** Users who see the project; those who see all projects see it, too. */
  listAssignees: (projectId: number) =>
    db
      .select({ id: user.id, name: selectUserName(sql.raw('user_account.id')) })
      .from(user)
      .where(
        and(
          eq(user.disabled, false),
          sql`(${user.expireTime} is null or ${user.expireTime} > now())`,
          sql`(${user.allProjects} or ${projectId} = any(${user.projectIds})
            or exists (select 1 from ${userRole} join ${role} on ${role.id} = ${userRole.roleId}
              where ${userRole.userId} = ${user.id} and ${role.everything}))`,
        ),
      )
      .orderBy(user.name, user.id)
      .limit(999),
})
