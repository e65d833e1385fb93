import { incidentApi } from '@iot/shared/contract/alarm/incident.api'
import {
  incidentSchemas,
  OptionalNote,
  RequiredNote,
  ResolveReason,
} from '@iot/shared/contract/alarm/incident.schema'
import { dayMs, getPastTime, minuteMs } from '@iot/shared/contract/duration'
import { toZonedText } from '@iot/shared/contract/timeZone'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Db } from '../../core/db/db'
import { readPersonNames } from '../../core/db/personNames'
import { findTimeZone } from '../../core/db/timeZone'
import {
  createConflictRefusal,
  createFieldRefusal,
  createMissingRefusal,
  createRefusal,
  requireRow,
} from '../../core/refusal'
import { createChangeDescriber } from '../../core/http/actionLog'
import { applyPerRow, getIds } from '../../core/http/applyPerRow'
import type { Context, WriteCallback } from '../../core/http/context'
import { serve } from '../../core/http/serve'
import { createExportHandler } from '../../core/tasks/export'
import { now } from '../../tables/columns'
import { incidentQueries } from './incidentQueries'
import type { IncidentRow } from './incidentScope'
import { readStatistics } from './incidentStatistics'
import { createIncidentPages, incidentSheet } from './incidentSheet'
import { readIncidentValues } from './incidentValues'
import { addIncidentEvents, resolveIncidents } from './incidentWriter'

const title = '告警'
const statisticsMs = 30 * dayMs
const AuditFields = z.object({
  ...OptionalNote.shape,
  ...ResolveReason.shape,
  ...RequiredNote.shape,
  assigneeName: z.string().meta({ title: '负责人' }),
  snoozedUntil: z.string().meta({ title: '暂停提醒至' }),
})
const describeAudit = createChangeDescriber(title, AuditFields)
const toAuditEntry = (row: IncidentRow, after: object, before: object = {}) => ({
  ...describeAudit({ id: row.id, name: row.title }, { before, after }),
  projectId: row.projectId || undefined,
})

const isVisible = ({ seesProject, projectScope }: Context, { projectId }: IncidentRow) =>
  projectId === 0 ? projectScope === 'all' : seesProject(projectId)
/** An incident of a project that the user cannot see is reported as "not found". */
function assertVisible(row: IncidentRow | undefined, context: Context) {
  if (row && !isVisible(context, row)) throw createMissingRefusal(title)
  return requireRow(row, title)
}
const withName = (row: IncidentRow) => ({ ...row, name: row.title })

/** Says who has resolved an incident before the caller could. */
async function createEndDescriber(tx: Db, rows: IncidentRow[]) {
  const names = await readPersonNames(
    tx,
    rows.map(({ resolvedBy }) => resolvedBy),
  )
  return ({ resolvedBy }: IncidentRow) =>
    `已${resolvedBy ? `由 ${names.get(resolvedBy)} ` : '自行'}恢复`
}

type Queries = ReturnType<typeof incidentQueries>
type DetailAnswer = Awaited<ReturnType<Queries['addDetail']>>

const acknowledge =
  (
    { ids, note }: { ids: string[]; note: string },
    context: Context,
  ): WriteCallback<typeof incidentQueries, Awaited<ReturnType<typeof applyPerRow>>> =>
  async (rows, recordAudit, tx) => {
    const { user } = context
    const visibleRows = (await rows.lock(ids))
      .filter((row) => isVisible(context, row))
      .map(withName)
    const describeEnd = await createEndDescriber(tx, visibleRows)
    const getRefusalReason = (row: IncidentRow) =>
      row.status === 'resolved' && `${describeEnd(row)}，不能再确认`
    return applyPerRow(ids, visibleRows, getRefusalReason, async (accepted) => {
      const openRows = accepted.filter(({ status }) => status === 'open')
      await rows.acknowledge(getIds(openRows), user.username)
      await rows.acknowledgeRuns(getIds(openRows), user.username, note)
      const notedRows = accepted.filter(({ status }) => status !== 'open' && note)
      await addIncidentEvents(
        tx,
        [...openRows, ...notedRows].map((row) => ({
          projectId: row.projectId,
          incidentId: row.id,
          kind: row.status === 'open' ? 'acknowledged' : 'noted',
          userId: user.id,
          detail: { note },
        })),
      )
      for (const row of [...openRows, ...notedRows]) recordAudit(toAuditEntry(row, { note }))
      return new Set(getIds(openRows))
    })
  }

const resolve =
  (
    { ids, reason }: { ids: string[]; reason: string },
    context: Context,
  ): WriteCallback<typeof incidentQueries, Awaited<ReturnType<typeof applyPerRow>>> =>
  async (rows, recordAudit, tx) => {
    const { user } = context
    const visibleRows = (await rows.lock(ids))
      .filter((row) => isVisible(context, row))
      .map(withName)
    const describeEnd = await createEndDescriber(tx, visibleRows)
    const getRefusalReason = (row: IncidentRow) => row.status === 'resolved' && describeEnd(row)
    return applyPerRow(ids, visibleRows, getRefusalReason, async (accepted) => {
      await resolveIncidents(tx, accepted, {
        reason,
        user: { id: user.id, name: user.username },
        conditions: 'muted',
      })
      await rows.acknowledgeRuns(getIds(accepted), user.username, reason)
      for (const row of accepted) recordAudit(toAuditEntry(row, { reason }))
    })
  }

/** Changes one incident that is not resolved, with an entry in its timeline. */
function createChanger() {
  type Change = {
    change: Partial<IncidentRow>
    kind: 'snoozed' | 'assigned'
    detail: Record<string, unknown>
    audit: object
  }
  return (
    { id, version }: { id: string; version: number },
    context: Context,
    build: (row: IncidentRow, rows: Queries, tx: Db) => Promise<Change>,
  ): Promise<DetailAnswer> =>
    context.write(incidentQueries, async (rows, recordAudit, tx) => {
      const row = assertVisible(await rows.find(id), context)
      if (row.status === 'resolved') throw createRefusal('告警已恢复，不能再修改')
      const { change, kind, detail, audit } = await build(row, rows, tx)
      const changedRow = await rows.update({ ...row, version }, change, context.user.username)
      if (!changedRow) {
        const current = requireRow(await rows.find(id), title)
        throw createConflictRefusal(await rows.addDetail(current, context.projectScope))
      }
      await addIncidentEvents(tx, [
        { projectId: row.projectId, incidentId: id, kind, userId: context.user.id, detail },
      ])
      recordAudit(toAuditEntry(row, audit))
      return rows.addDetail(changedRow, context.projectScope)
    })
}

export function incidentRoutes(app: FastifyInstance) {
  const queries = incidentQueries(app.db)
  const changeIncident = createChanger()

  serve(app, incidentApi, incidentSchemas, {
    page: (query, { projectScope }) => queries.page(query, projectScope),
    get: async ({ id }, context) =>
      queries.addDetail(assertVisible(await queries.find(id), context), context.projectScope),
    values: async ({ id }, context) =>
      readIncidentValues(app.db, assertVisible(await queries.find(id), context)),
    async acknowledge(input, context) {
      const answer = await context.write(incidentQueries, acknowledge(input, context))
      void app.shift.publish()
      return answer
    },
    async resolve(input, context) {
      const answer = await context.write(incidentQueries, resolve(input, context))
      void app.shift.publish()
      return answer
    },
    snooze: ({ minutes, ...revision }, context) =>
      changeIncident(revision, context, async ({ projectId }, _, tx) => {
        const until = minutes === 0 ? null : new Date(Date.now() + minutes * minuteMs).toISOString()
        const timeZone = await findTimeZone(tx, projectId || undefined)
        const untilText = until ? toZonedText(until, timeZone).slice(0, 16) : ''
        return {
          change: { snoozedUntil: until },
          kind: 'snoozed',
          detail: { until, untilText },
          audit: { snoozedUntil: untilText },
        }
      }),
    assign: ({ assigneeId, ...revision }, context) =>
      changeIncident(revision, context, async ({ projectId }, rows) => {
        const assignee = (await rows.listAssignees(projectId)).find(({ id }) => id === assigneeId)
        if (assigneeId && !assignee)
          throw createFieldRefusal('assigneeId', '所选用户不存在，或看不到这个项目')
        const assigneeName = assignee?.name ?? ''
        return {
          change: { assigneeId },
          kind: 'assigned',
          detail: { assigneeId, assigneeName },
          audit: { assigneeName },
        }
      }),
    addNote: ({ id, note }, context) =>
      context.write(incidentQueries, async (rows, recordAudit, tx) => {
        const row = assertVisible(await rows.find(id), context)
        await addIncidentEvents(tx, [
          {
            projectId: row.projectId,
            incidentId: id,
            kind: 'noted',
            userId: context.user.id,
            detail: { note },
          },
        ])
        recordAudit(toAuditEntry(row, { note }))
        return rows.addDetail(row, context.projectScope)
      }),
    assignees: async ({ id }, context) =>
      queries.listAssignees(assertVisible(await queries.find(id), context).projectId),
    statistics: ({ projectId, from = getPastTime(statisticsMs), to = now() }, { projectScope }) =>
      readStatistics(app.db, projectId, from, to, projectScope),
    exportRows: (input, context) =>
      createExportHandler(app, incidentApi.exportRows, {
        entity: title,
        sheet: incidentSheet,
        page: createIncidentPages(queries, context.projectScope),
      })(input, context),
  })
}
