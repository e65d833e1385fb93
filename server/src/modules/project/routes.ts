import {
  Project,
  ProjectDraft,
  managedProjectSchemas,
} from '@iot/shared/contract/project/managedProject.schema'
import { managedProjectApi } from '@iot/shared/contract/project/managedProject.api'
import {
  listNextStatuses,
  projectStatusText,
  projectTypeText,
  validateProjectOperation,
  type ProjectStatus,
  type ProjectType,
} from '@iot/shared/contract/project/projectStatus'
import type { FastifyInstance } from 'fastify'
import {
  createConflictRefusal,
  requireRow,
  createMissingRefusal,
  createRefusal,
  createFieldRefusal,
} from '../../core/refusal'
import { createChangeDescriber } from '../../core/http/actionLog'
import type { Context } from '../../core/http/context'
import { assertRegionExists, formatRegion } from '../region/policy'
import { createUpdateHandlers } from '../../core/http/updateHandlers'
import { serve } from '../../core/http/serve'
import { createExportHandler } from '../../core/tasks/export'
import { now } from '../../tables/columns'
import { project as table } from '../../tables/project'
import { reschedule } from '../snapshot/policy'
import { projectEntity as entity } from './policy'
import { projectQueries, type ProjectRow } from './queries'
import { findProjectReferences } from './references'
import { seedProjects } from './seed'
import { sheet } from './sheet'

const toAuditEntry = createChangeDescriber(
  entity,
  ProjectDraft.extend({ status: Project.shape.status }),
  {
    areaCode: (code) => formatRegion(String(code)),
    type: (type) => projectTypeText[type as ProjectType],
    status: (status) => projectStatusText[status as ProjectStatus],
  },
)

export function projectRoutes(app: FastifyInstance) {
  const queries = projectQueries(app.db)
  app.uniques.add('project', table, ProjectDraft, managedProjectApi.page)
  app.references.add('calendar', (db, ids) => projectQueries(db).findUsingCalendars(ids))
  app.references.add('project', findProjectReferences)

  /**
   * Returns the project.
   * @throws "not found" if it does not exist or the user cannot see it
   */
  async function getVisibleProject(
    id: string,
    { seesProject }: Context,
    rows = queries,
  ): Promise<ProjectRow> {
    const row = requireRow(await rows.get(id), entity)
    if (!seesProject(row.projectId)) throw createMissingRefusal(entity)
    return row
  }
  const toResponse = async (row: ProjectRow, rows = queries) => (await rows.addCounts([row]))[0]!

  const rowHandlers = createUpdateHandlers(managedProjectSchemas, {
    title: entity,
    table,
    createQueries: projectQueries,
    about: toAuditEntry,
    async check({ areaCode, longitude, latitude, calendarId, timeZone }, rows, previousProject) {
      // A region that was abolished may stay; a new choice must exist.
      if (areaCode !== previousProject?.areaCode) assertRegionExists(areaCode)
      if ((longitude === null) !== (latitude === null))
        throw createFieldRefusal(
          longitude === null ? 'longitude' : 'latitude',
          '请同时填写经度和纬度',
        )
      const isNewZone = timeZone !== undefined && timeZone !== previousProject?.timeZone
      if (isNewZone && !(await rows.knowsTimeZone(timeZone)))
        throw createFieldRefusal('timeZone', `数据库不认识时区“${timeZone}”，请选择别的`)
      if (calendarId && !(await rows.hasCalendar(calendarId, previousProject?.projectId)))
        throw createFieldRefusal('calendarId', '所选日历不存在或已被删除')
    },
    answer: (row, rows) => toResponse(row, rows),
  })

  serve(app, managedProjectApi, managedProjectSchemas, {
    page: (query, { projectScope }) => queries.page(query, projectScope),
    get: async ({ id }, context) => toResponse(await getVisibleProject(id, context)),
    create: (draft, context) =>
      context.write(projectQueries, async (rows, recordAudit, tx) => {
        const { id, username } = context.user
        const createdProject = await rowHandlers.insert(draft, username)(rows, recordAudit, tx)
        if (context.projectScope !== 'all')
          await rows.assignToUser(id, createdProject.projectId, username)
        return createdProject
      }),
    async update(change, context) {
      const { projectId, timeZone } = await getVisibleProject(change.id, context)
      // Energy used so far belongs to days of the old time zone, so it is settled before the zone changes.
      if (timeZone !== (change.timeZone ?? timeZone)) await app.energy.bringUpToDate(projectId)
      return context.write(projectQueries, async (rows, recordAudit, tx) => {
        const row = await rowHandlers.change(change, context.user.username)(rows, recordAudit, tx)
        if (timeZone !== row.timeZone) await reschedule(tx, projectId, row.timeZone)
        return row
      })
    },
    setStatus: ({ id, version, status }, context) =>
      context.write(projectQueries, async (rows, recordAudit) => {
        const previousProject = await getVisibleProject(id, context, rows)
        if (previousProject.version !== version)
          throw createConflictRefusal(await toResponse(previousProject, rows))
        if (!listNextStatuses(previousProject.status).includes(status))
          throw createRefusal(
            `项目在${projectStatusText[previousProject.status]}，不能直接改为${projectStatusText[status]}`,
          )
        const change = { id, version, status, statusTime: now() }
        const row = await rows.update(change, context.user.username)
        if (!row)
          throw createConflictRefusal(
            await toResponse(await getVisibleProject(id, context, rows), rows),
          )
        recordAudit(toAuditEntry(row, { before: previousProject, after: row }))
        return toResponse(row, rows)
      }),
    remove: ({ id }, context) =>
      context.write(projectQueries, async (rows, recordAudit, tx) => {
        const row = await getVisibleProject(id, context, rows)
        const refusal = validateProjectOperation(row.status, 'remove')
        if (refusal) throw createRefusal(refusal)
        await app.references.assertNotReferenced(
          tx,
          'project',
          String(row.projectId),
          `项目“${row.name}”`,
          context,
        )
        await rows.removeSnapshots(row.projectId)
        await rows.remove([id])
        recordAudit(toAuditEntry(row, { before: row }))
        return null
      }),
    example: async () => ({
      available: app.settings.example !== undefined && (await queries.isNew()),
    }),
    async importExample(_, { projectScope, recordChange }) {
      if (!app.settings.example) throw createRefusal('这个平台没有带示例楼宇')
      if (projectScope !== 'all') throw createRefusal('您只能管理分配给您的项目')
      if (!(await queries.isNew())) throw createRefusal('示例楼宇只能导入还没有建过项目的平台')
      await seedProjects(app.db)
      await app.settings.example.add(app.db)
      recordChange({ entity, id: '', name: '示例楼宇' })
      return null
    },
    exportRows: (exportQuery, context) =>
      createExportHandler(app, managedProjectApi.exportRows, {
        entity,
        sheet,
        page: (query: Parameters<typeof queries.page>[0]) =>
          queries.page(query, context.projectScope),
      })(exportQuery, context),
  })
}
