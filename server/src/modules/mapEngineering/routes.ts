import { mapStatusText } from '@iot/shared/contract/project/mapEngineering'
import {
  MapEngineering,
  type MapGroup,
  type MapStatus,
  mapEngineeringSchemas,
} from '@iot/shared/contract/project/mapEngineering.schema'
import { mapEngineeringApi } from '@iot/shared/contract/project/mapEngineering.api'
import { Project } from '@iot/shared/contract/project/managedProject.schema'
import { projectApi } from '@iot/shared/contract/project/project.api'
import { projectSchemas } from '@iot/shared/contract/project/project.schema'
import type { FastifyInstance } from 'fastify'
import {
  createConflictRefusal,
  requireRow,
  createRefusal,
  createFieldRefusal,
} from '../../core/refusal'
import { createChangeDescriber } from '../../core/http/actionLog'
import type { Context, WriteCallback } from '../../core/http/context'
import { serve } from '../../core/http/serve'
import { assertUnique } from '../../core/http/uniqueness'
import { mapEngineering as table } from '../../tables/mapEngineering'
import { arrangeGroups, groupProjects, buildGroupTree } from './groups'
import { engineeringId } from './policy'
import { mapQueries, type MapVersionRow } from './queries'

const entity = '地图工程版本'
type Projects = Awaited<ReturnType<ReturnType<typeof mapQueries>['listProjects']>>

const assertDraft = ({ status }: MapVersionRow) => {
  if (status !== 'draft')
    throw createRefusal(`${mapStatusText[status]}的版本不能修改，请复制为草稿`)
}
/** A version groups all projects, so only users who see all of them may manage it. */
const assertSeesAllProjects = ({ projectScope }: Context) => {
  if (projectScope !== 'all') throw createRefusal('您只能管理分配给您的项目，不能管理地图工程')
}

export function mapEngineeringRoutes(app: FastifyInstance) {
  const queries = mapQueries(app.db)

  serve(app, mapEngineeringApi, mapEngineeringSchemas, {
    async page(query, context) {
      assertSeesAllProjects(context)
      const [{ list, ...rest }, projects] = [
        await queries.page(query),
        await queries.listProjects(),
      ]
      return { list: list.map((row) => toResponse(row, projects)), ...rest }
    },

    create: ({ fromId, ...draft }, context) =>
      context.write(mapQueries, async (rows, recordAudit, tx) => {
        assertSeesAllProjects(context)
        await assertUnique(tx, table, mapEngineeringSchemas.create.input, {
          engineeringId,
          ...draft,
        })
        const projects = await rows.listProjects()
        const sourceVersion = fromId ? requireRow(await rows.get(fromId), entity) : undefined
        const groups = sourceVersion
          ? toResponse(sourceVersion, projects).groups
          : groupProjects(projects)
        const row = await rows.insert(
          { ...draft, engineeringId, groups, status: 'draft', publishTime: null, publishBy: '' },
          context.user.username,
        )
        recordAudit(createAuditMapper(projects)(row, { after: row }))
        return toResponse(row, projects)
      }),

    update: (change, context) =>
      context.write(mapQueries, async (rows, recordAudit, tx) => {
        assertSeesAllProjects(context)
        const previousVersion = requireRow(await rows.get(change.id), entity)
        const projects = await rows.listProjects()
        if (previousVersion.version !== change.version)
          throw createConflictRefusal(toResponse(previousVersion, projects))
        assertDraft(previousVersion)
        assertValidArrangement(change.groups, projects)
        await assertUnique(tx, table, mapEngineeringSchemas.create.input, {
          engineeringId,
          ...change,
        })
        const row = await rows.update(change, context.user.username)
        if (!row)
          throw createConflictRefusal(
            toResponse(requireRow(await rows.get(change.id), entity), projects),
          )
        recordAudit(
          createAuditMapper(projects)(row, {
            before: toResponse(previousVersion, projects),
            after: row,
          }),
        )
        return toResponse(row, projects)
      }),

    remove: ({ id }, context) =>
      context.write(mapQueries, async (rows, recordAudit) => {
        assertSeesAllProjects(context)
        const row = requireRow(await rows.get(id), entity)
        if (row.status === 'published') throw createRefusal('已发布的版本正在使用，不能删除')
        await rows.remove([id])
        recordAudit(createAuditMapper(await rows.listProjects())(row, { before: row }))
        return null
      }),

    publish: (input, context) => context.write(mapQueries, preparePublication(input, context)),
  })

  const { mapEngineeringTree } = projectApi
  serve(
    app,
    { mapEngineeringTree },
    { mapEngineeringTree: projectSchemas.mapEngineeringTree },
    {
      async mapEngineeringTree({ engineeringId, version }, { seesProject }) {
        const row = await queries.findByName(engineeringId, version)
        if (!row) return { children: [] }
        const projects = await queries.listProjects()
        const visibleProjects = projects.filter(({ projectId }) => seesProject(projectId))
        return buildGroupTree(toResponse(row, projects).groups, visibleProjects)
      },
    },
  )
}

/** Returns a draft as it would be published, or the published version with the projects as they are now. */
const toResponse = (row: MapVersionRow, projects: Projects) => {
  const groups =
    row.status === 'published'
      ? groupProjects(projects)
      : row.status === 'draft'
        ? arrangeGroups(row.groups, projects)
        : row.groups
  return { ...row, groups, projectCount: groups.flatMap(({ projectIds }) => projectIds).length }
}

const createAuditMapper = (projects: Projects) => {
  const nameById = new Map(projects.map(({ projectId, name }) => [projectId, name]))
  return createChangeDescriber(entity, MapEngineering, {
    status: (status) => mapStatusText[status as MapStatus],
    groups: (groups) =>
      (groups as MapGroup[])
        .map(
          ({ name, projectIds }) =>
            `${name}：${projectIds.map((id) => nameById.get(id) ?? id).join('、')}`,
        )
        .join('；'),
  })
}

/** Publishes a draft: the published version is archived, and the projects get their groups and order. */
const preparePublication =
  (
    { id, version }: { id: string; version: number },
    context: Context,
  ): WriteCallback<typeof mapQueries, ReturnType<typeof toResponse>> =>
  async (rows, recordAudit) => {
    assertSeesAllProjects(context)
    await rows.lockVersions()
    const actor = context.user.username
    const previousVersion = requireRow(await rows.get(id), entity)
    const projects = await rows.listProjects()
    if (previousVersion.version !== version)
      throw createConflictRefusal(toResponse(previousVersion, projects))
    if (previousVersion.status !== 'draft') throw createRefusal('只有草稿可以发布，请复制为草稿')
    const { groups } = toResponse(previousVersion, projects)
    assertValidArrangement(groups, projects)
    const changedPlacements = diffPlacements(groups, projects)
    await rows.archivePublished(groupProjects(projects), actor)
    await rows.regroup(changedPlacements, actor)
    const row = (await rows.publish(id, version, actor))!
    const statusChange = {
      before: { status: previousVersion.status },
      after: { status: row.status },
    }
    recordAudit(createAuditMapper(projects)(row, statusChange))
    for (const { projectId, groupName } of changedPlacements) {
      const previousProject = projects.find((project) => project.projectId === projectId)!
      if (previousProject.groupName !== groupName)
        recordAudit({
          entity: '项目',
          id: previousProject.id,
          name: previousProject.name,
          schema: Project,
          before: { groupName: previousProject.groupName },
          after: { groupName },
        })
    }
    return toResponse(row, await rows.listProjects())
  }

/** Asserts that each group and project occurs once and that names are unique within a group. */
function assertValidArrangement(groups: MapGroup[], projects: Projects) {
  const nameById = new Map(projects.map(({ projectId, name }) => [projectId, name]))
  const findDuplicate = <T>(all: T[]) =>
    all.find((candidate, index) => all.indexOf(candidate) !== index)
  const duplicateGroup = findDuplicate(groups.map(({ name }) => name))
  if (duplicateGroup !== undefined)
    throw createFieldRefusal('groups', `分组“${duplicateGroup}”有两个`)
  const ids = groups.flatMap(({ projectIds }) => projectIds)
  if (!ids.every((id) => nameById.has(id)))
    throw createFieldRefusal('groups', '所选项目不存在或已被删除')
  const id = findDuplicate(ids)
  if (id !== undefined) throw createFieldRefusal('groups', `项目“${nameById.get(id)!}”在两个分组里`)
  for (const { name, projectIds } of groups) {
    const duplicateName = findDuplicate(projectIds.map((id) => nameById.get(id)))
    if (duplicateName !== undefined)
      throw createFieldRefusal('groups', `分组“${name}”里有两个项目都叫“${duplicateName}”`)
  }
}

/** Returns group and order of the projects that change; if only groups change, the order within them is kept. */
function diffPlacements(groups: MapGroup[], projects: Projects) {
  const newPlacements = groups
    .filter(({ projectIds }) => projectIds.length > 0)
    .flatMap(({ name, projectIds }) =>
      projectIds.map((projectId) => ({ projectId, groupName: name })),
    )
  const groupNameById = new Map(
    newPlacements.map(({ projectId, groupName }) => [projectId, groupName]),
  )
  const regrouped = groupProjects(
    projects.map((project) => ({ ...project, groupName: groupNameById.get(project.projectId)! })),
  )
  const isInOrder =
    JSON.stringify(regrouped.flatMap(({ projectIds }) => projectIds)) ===
    JSON.stringify(newPlacements.map(({ projectId }) => projectId))
  const previousById = new Map(projects.map((project) => [project.projectId, project]))
  return newPlacements
    .map((place, index) => ({
      ...place,
      sort: isInOrder ? previousById.get(place.projectId)!.sort : index + 1,
    }))
    .filter(({ projectId, groupName, sort }) => {
      const previousProject = previousById.get(projectId)!
      return previousProject.groupName !== groupName || previousProject.sort !== sort
    })
}
