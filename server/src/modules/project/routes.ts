import { managedProjectApi, Project, ProjectDraft } from '@iot/shared/contract/managedProject'
import {
  nextStatuses,
  projectStatusText,
  projectTypeText,
  refuseInProject,
  type ProjectStatus,
  type ProjectType,
} from '@iot/shared/contract/projectStatus'
import type { FastifyInstance } from 'fastify'
import { changedSince, found, missing, refused, wrongField } from '../../core/refusal'
import { changeOf } from '../../core/serve/actionLog'
import type { Context } from '../../core/serve/context'
import { mustBeRegion, regionName } from '../../core/serve/region'
import { savedRow } from '../../core/serve/savedRow'
import { serve } from '../../core/serve/serve'
import { exporter } from '../../core/tasks/export'
import { project as table } from '../../tables/project'
import { reschedule } from '../snapshot/policy'
import { projectQueries, type ProjectRow } from './queries'
import { inProjects } from './references'
import { seedProjects } from './seed'
import { sheet } from './sheet'

const entity = '项目'
const about = changeOf(entity, ProjectDraft.extend({ status: Project.shape.status }), {
  areaCode: (code) => regionName(String(code)),
  type: (type) => projectTypeText[type as ProjectType],
  status: (status) => projectStatusText[status as ProjectStatus],
})

export function projectRoutes(app: FastifyInstance) {
  const queries = projectQueries(app.db)
  app.uniques.add('project', table, ProjectDraft, managedProjectApi.page)
  app.references.add('calendar', (db, ids) => projectQueries(db).withCalendars(ids))
  app.references.add('project', inProjects)

  /** Who may not see it does not learn that a project exists. */
  async function mine(id: string, { seesProject }: Context, rows = queries): Promise<ProjectRow> {
    const row = found(await rows.get(id), entity)
    if (!seesProject(row.projectId)) throw missing(entity)
    return row
  }
  const answer = async (row: ProjectRow, rows = queries) => (await rows.counted([row]))[0]!

  const saved = savedRow(managedProjectApi, {
    title: entity,
    table,
    queriesOf: projectQueries,
    about,
    async check({ areaCode, longitude, latitude, calendarId, timeZone }, rows, before) {
      // A region that was abolished since may stay; a new choice must exist.
      if (areaCode !== before?.areaCode) mustBeRegion(areaCode)
      if ((longitude === null) !== (latitude === null))
        throw wrongField(longitude === null ? 'longitude' : 'latitude', '请同时填写经度和纬度')
      const isNewZone = timeZone !== undefined && timeZone !== before?.timeZone
      if (isNewZone && !(await rows.knowsTimeZone(timeZone)))
        throw wrongField('timeZone', `数据库不认识时区“${timeZone}”，请选择别的`)
      if (calendarId && !(await rows.hasCalendar(calendarId, before?.projectId)))
        throw wrongField('calendarId', '所选日历不存在或已被删除')
    },
    answer: (row, rows) => answer(row, rows),
  })

  serve(app, managedProjectApi, {
    page: (query, { projectScope }) => queries.page(query, projectScope),
    get: async ({ id }, context) => answer(await mine(id, context)),
    create: (draft, context) =>
      context.write(projectQueries, async (rows, note, tx) => {
        const { id, username } = context.user
        const made = await saved.insert(draft, username)(rows, note, tx)
        if (context.projectScope !== 'all') await rows.assign(id, made.projectId)
        return made
      }),
    async update(change, context) {
      const { projectId, timeZone } = await mine(change.id, context)
      // Energy used so far is settled first, because it belongs to days of the previous zone.
      if (timeZone !== (change.timeZone ?? timeZone)) await app.energy.upToDate(projectId)
      return context.write(projectQueries, async (rows, note, tx) => {
        const row = await saved.change(change, context.user.username)(rows, note, tx)
        if (timeZone !== row.timeZone) await reschedule(tx, projectId, row.timeZone)
        return row
      })
    },
    setStatus: ({ id, version, status }, context) =>
      context.write(projectQueries, async (rows, note) => {
        const before = await mine(id, context, rows)
        if (before.version !== version) throw changedSince(await answer(before, rows))
        if (!nextStatuses(before.status).includes(status))
          throw refused(
            `项目在${projectStatusText[before.status]}，不能直接改为${projectStatusText[status]}`,
          )
        const row = await rows.update({ id, version, status }, context.user.username)
        if (!row) throw changedSince(await answer(await mine(id, context, rows), rows))
        note(about(row, { before, after: row }))
        return answer(row, rows)
      }),
    remove: ({ id }, context) =>
      context.write(projectQueries, async (rows, note, tx) => {
        const row = await mine(id, context, rows)
        const why = refuseInProject(row.status, 'remove')
        if (why) throw refused(why)
        await app.references.mustBeFree(
          tx,
          'project',
          String(row.projectId),
          `项目“${row.name}”`,
          context,
        )
        await rows.removeSnapshots(row.projectId)
        await rows.remove([id])
        note(about(row, { before: row }))
        return null
      }),
    example: async () => ({
      available: app.settings.example !== undefined && (await queries.isNew()),
    }),
    async importExample(_, { projectScope, note }) {
      if (!app.settings.example) throw refused('这个平台没有带示例楼宇')
      if (projectScope !== 'all') throw refused('您只能管理分配给您的项目')
      if (!(await queries.isNew())) throw refused('示例楼宇只能导入还没有建过项目的平台')
      await seedProjects(app.db)
      await app.settings.example(app.db)
      note({ entity, id: '', name: '示例楼宇' })
      return null
    },
    exportRows: (asked, context) =>
      exporter(app, managedProjectApi.exportRows, {
        entity,
        sheet,
        page: (query: Parameters<typeof queries.page>[0]) =>
          queries.page(query, context.projectScope),
      })(asked, context),
  })
}
