import { severityText, type AlarmSeverity } from '@iot/shared/contract/alarm/alarmSeverity'
import { notificationPolicyApi as api } from '@iot/shared/contract/alarm/notificationPolicy.api'
import {
  dayModeText,
  explainHours,
  type DayMode,
} from '@iot/shared/contract/alarm/notificationPolicy'
import {
  NotificationPolicy,
  NotificationPolicyDraft,
  notificationPolicySchemas as schemas,
  type PolicyStep,
} from '@iot/shared/contract/alarm/notificationPolicy.schema'
import { statusText } from '@iot/shared/contract/fields'
import type { Status } from '@iot/shared/contract/fields.schema'
import { and, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { contains, hasUnknownIds, whereEquals } from '../../core/db/rows'
import { versionedQueries } from '../../core/db/versionedQueries'
import { createChangeDescriber } from '../../core/http/actionLog'
import { createBulkHandlers } from '../../core/http/bulkHandlers'
import { serve } from '../../core/http/serve'
import { createUpdateHandlers } from '../../core/http/updateHandlers'
import { createFieldRefusal } from '../../core/refusal'
import { explainReach } from './policyReach'
import type { PolicyRow } from './policyMatch'
import { calendar } from '../../tables/calendar'
import { notificationChannel, notificationPolicy as table } from '../../tables/notification'
import { project } from '../../tables/project'
import { role } from '../../tables/role'

const title = '通知策略'
const describeBoolean = (value: unknown) => (value ? '是' : '否')

const createQueries = (db: Db) => {
  const rows = versionedQueries(db, table)
  return {
    ...rows,
    page: ({ name, status, ...page }: z.output<typeof schemas.page.input>) =>
      rows.list(and(contains(table.name, name), whereEquals(table.status, status)), page),
    explainReach: (row: PolicyRow) => explainReach(db, row),
    hasUnknownIds: (column: PgColumn, ids: readonly (string | number)[]) =>
      hasUnknownIds(db, column, ids),
    listUsing: async (channelIds: string[]) => {
      const { rows: uses } = await db.execute<{ to: string; id: string; name: string }>(sql`
        select distinct channel as "to", p.id, p.name from notification_policy p
          cross join jsonb_array_elements(p.steps) step
          cross join jsonb_array_elements_text(step->'channelIds') channel
        where channel in (select value from jsonb_array_elements_text(${JSON.stringify(channelIds)}::jsonb))
        order by p.name`)
      return uses.map((use) => ({ ...use, entity: title }))
    },
  }
}

const toAuditEntry = createChangeDescriber(title, NotificationPolicyDraft, {
  status: (status) => statusText[status as Status],
  severities: (severities) =>
    (severities as AlarmSeverity[]).map((severity) => severityText[severity]).join('、'),
  dayMode: (mode) => dayModeText[mode as DayMode],
  notifiesResolved: describeBoolean,
  isFallback: describeBoolean,
  steps: (steps) =>
    (steps as PolicyStep[])
      .map(({ afterMinutes, channelIds }) => `${afterMinutes} 分钟：${channelIds.length} 个渠道`)
      .join('；'),
})

export function notificationPolicyRoutes(app: FastifyInstance) {
  const queries = createQueries(app.db)
  app.uniques.add('notificationPolicy', table, NotificationPolicy, api.page)
  app.references.add('notificationChannel', (db, ids) => createQueries(db).listUsing(ids))

  const { create, update } = createUpdateHandlers(schemas, {
    title,
    table,
    createQueries,
    about: toAuditEntry,
    async check(draft, rows) {
      const hoursError = explainHours(draft)
      if (hoursError) throw createFieldRefusal('toClock', hoursError)
      await assertReferencesExist(draft, rows)
    },
    answer: addWarnings,
  })
  serve(app, api, schemas, {
    ...createBulkHandlers(app, {
      name: 'notificationPolicy',
      title,
      createQueries,
      about: toAuditEntry,
    }),
    create,
    update,
    async page(query) {
      const { list, ...count } = await queries.page(query)
      const rows = await Promise.all(list.map((row) => addWarnings(row, queries)))
      return { ...count, list: rows }
    },
  })
}

const addWarnings = async (row: PolicyRow, queries: ReturnType<typeof createQueries>) => ({
  ...row,
  warnings: await queries.explainReach(row),
})

async function assertReferencesExist(
  { steps, projectIds, calendarId }: NotificationPolicyDraft,
  queries: ReturnType<typeof createQueries>,
) {
  if (await queries.hasUnknownIds(project.projectId, projectIds))
    throw createFieldRefusal('projectIds', '所选项目不存在')
  if (await queries.hasUnknownIds(calendar.id, calendarId === null ? [] : [calendarId]))
    throw createFieldRefusal('calendarId', '所选日历不存在')
  const channelIds = steps.flatMap((step) => step.channelIds)
  if (await queries.hasUnknownIds(notificationChannel.id, channelIds))
    throw createFieldRefusal('steps', '所选的通知渠道已被删除，请重新选择')
  const roleIds = steps.flatMap((step) => step.roleIds)
  if (await queries.hasUnknownIds(role.id, roleIds))
    throw createFieldRefusal('steps', '所选的角色已被删除，请重新选择')
}
