import {
  MapEngineering,
  mapEngineeringApi,
  mapStatusText,
  type MapGroup,
  type MapStatus,
} from '@iot/shared/contract/mapEngineering'
import { Project } from '@iot/shared/contract/managedProject'
import { projectApi } from '@iot/shared/contract/project'
import type { FastifyInstance } from 'fastify'
import { changedSince, found, refused, wrongField } from '../../core/refusal'
import { changeOf } from '../../core/serve/actionLog'
import type { Context } from '../../core/serve/context'
import { serve } from '../../core/serve/serve'
import { mustBeFree } from '../../core/serve/unique'
import { mapEngineering as table } from '../../tables/mapEngineering'
import { arranged, groupsOf, treeOfGroups } from './groups'
import { engineeringId } from './policy'
import { mapQueries, type MapRow } from './queries'

const entity = '地图工程版本'
type Projects = Awaited<ReturnType<ReturnType<typeof mapQueries>['projects']>>

const isDraft = ({ status }: MapRow) => {
  if (status !== 'draft') throw refused(`${mapStatusText[status]}的版本不能修改，请复制为草稿`)
}
/** A version groups all projects, so only users who see all of them may manage it. */
const mustSeeAll = ({ projectScope }: Context) => {
  if (projectScope !== 'all') throw refused('您只能管理分配给您的项目，不能管理地图工程')
}

export function mapEngineeringRoutes(app: FastifyInstance) {
  const queries = mapQueries(app.db)

  /** Returns a draft as it would be published, or the published version with the projects as they are now. */
  const answer = (row: MapRow, projects: Projects) => {
    const groups =
      row.status === 'published'
        ? groupsOf(projects)
        : row.status === 'draft'
          ? arranged(row.groups, projects)
          : row.groups
    return { ...row, groups, projectCount: groups.flatMap(({ projectIds }) => projectIds).length }
  }
  const about = (projects: Projects) => {
    const names = new Map(projects.map(({ projectId, name }) => [projectId, name]))
    return changeOf(entity, MapEngineering, {
      status: (status) => mapStatusText[status as MapStatus],
      groups: (groups) =>
        (groups as MapGroup[])
          .map(
            ({ name, projectIds }) =>
              `${name}：${projectIds.map((id) => names.get(id) ?? id).join('、')}`,
          )
          .join('；'),
    })
  }

  serve(app, mapEngineeringApi, {
    async page(query, context) {
      mustSeeAll(context)
      const [{ list, ...rest }, projects] = [await queries.page(query), await queries.projects()]
      return { list: list.map((row) => answer(row, projects)), ...rest }
    },

    create: ({ fromId, ...draft }, context) =>
      context.write(mapQueries, async (rows, note, tx) => {
        mustSeeAll(context)
        await mustBeFree(tx, table, mapEngineeringApi.create.input, { engineeringId, ...draft })
        const projects = await rows.projects()
        const from = fromId ? found(await rows.get(fromId), entity) : undefined
        const groups = from ? answer(from, projects).groups : groupsOf(projects)
        const row = await rows.insert(
          { ...draft, engineeringId, groups, status: 'draft', publishTime: null, publishBy: '' },
          context.user.username,
        )
        note(about(projects)(row, { after: row }))
        return answer(row, projects)
      }),

    update: (change, context) =>
      context.write(mapQueries, async (rows, note, tx) => {
        mustSeeAll(context)
        const before = found(await rows.get(change.id), entity)
        const projects = await rows.projects()
        if (before.version !== change.version) throw changedSince(answer(before, projects))
        isDraft(before)
        mustBeArrangement(change.groups, projects)
        await mustBeFree(tx, table, mapEngineeringApi.create.input, { engineeringId, ...change })
        const row = await rows.update(change, context.user.username)
        if (!row) throw changedSince(answer(found(await rows.get(change.id), entity), projects))
        note(about(projects)(row, { before: answer(before, projects), after: row }))
        return answer(row, projects)
      }),

    remove: ({ id }, context) =>
      context.write(mapQueries, async (rows, note) => {
        mustSeeAll(context)
        const row = found(await rows.get(id), entity)
        if (row.status === 'published') throw refused('已发布的版本正在使用，不能删除')
        await rows.remove([id])
        note(about(await rows.projects())(row, { before: row }))
        return null
      }),

    publish: ({ id, version }, context) =>
      context.write(mapQueries, async (rows, note) => {
        mustSeeAll(context)
        await rows.hold()
        const by = context.user.username
        const before = found(await rows.get(id), entity)
        const projects = await rows.projects()
        if (before.version !== version) throw changedSince(answer(before, projects))
        if (before.status !== 'draft') throw refused('只有草稿可以发布，请复制为草稿')
        const { groups } = answer(before, projects)
        mustBeArrangement(groups, projects)
        const changed = placesOf(groups, projects)
        await rows.archive(groupsOf(projects), by)
        await rows.regroup(changed, by)
        const row = (await rows.publish(id, version, by))!
        const sides = { before: { status: before.status }, after: { status: row.status } }
        note(about(projects)(row, sides))
        for (const { projectId, groupName } of changed) {
          const old = projects.find((one) => one.projectId === projectId)!
          if (old.groupName !== groupName)
            note({
              entity: '项目',
              id: old.id,
              name: old.name,
              schema: Project,
              before: { groupName: old.groupName },
              after: { groupName },
            })
        }
        return answer(row, await rows.projects())
      }),
  })

  const { mapEngineeringTree } = projectApi
  serve(
    app,
    { mapEngineeringTree },
    {
      async mapEngineeringTree({ engineeringId, version }, { seesProject }) {
        const row = await queries.named(engineeringId, version)
        if (!row) return { children: [] }
        const projects = await queries.projects()
        const seen = projects.filter(({ projectId }) => seesProject(projectId))
        return treeOfGroups(answer(row, projects).groups, seen)
      },
    },
  )
}

/** Asserts that each group and project occurs once and that names are unique within a group. */
function mustBeArrangement(groups: MapGroup[], projects: Projects) {
  const names = new Map(projects.map(({ projectId, name }) => [projectId, name]))
  const twice = (all: unknown[]) => all.find((one, index) => all.indexOf(one) !== index)
  const group = twice(groups.map(({ name }) => name))
  if (group !== undefined) throw wrongField('groups', `分组“${String(group)}”有两个`)
  const ids = groups.flatMap(({ projectIds }) => projectIds)
  if (!ids.every((id) => names.has(id))) throw wrongField('groups', '所选项目不存在或已被删除')
  const id = twice(ids) as number | undefined
  if (id !== undefined) throw wrongField('groups', `项目“${names.get(id)!}”在两个分组里`)
  for (const { name, projectIds } of groups) {
    const same = twice(projectIds.map((id) => names.get(id)))
    if (same !== undefined)
      throw wrongField('groups', `分组“${name}”里有两个项目都叫“${String(same)}”`)
  }
}

/** Returns group and order of the projects that change; if only groups change, the order within them is kept. */
function placesOf(groups: MapGroup[], projects: Projects) {
  const wanted = groups
    .filter(({ projectIds }) => projectIds.length > 0)
    .flatMap(({ name, projectIds }) =>
      projectIds.map((projectId) => ({ projectId, groupName: name })),
    )
  const names = new Map(wanted.map(({ projectId, groupName }) => [projectId, groupName]))
  const regrouped = groupsOf(
    projects.map((one) => ({ ...one, groupName: names.get(one.projectId)! })),
  )
  const isInOrder =
    JSON.stringify(regrouped.flatMap(({ projectIds }) => projectIds)) ===
    JSON.stringify(wanted.map(({ projectId }) => projectId))
  const old = new Map(projects.map((one) => [one.projectId, one]))
  return wanted
    .map((place, index) => ({
      ...place,
      sort: isInOrder ? old.get(place.projectId)!.sort : index + 1,
    }))
    .filter(({ projectId, groupName, sort }) => {
      const before = old.get(projectId)!
      return before.groupName !== groupName || before.sort !== sort
    })
}
