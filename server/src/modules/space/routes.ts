import { projectApi } from '@iot/shared/contract/project'
import { ManagedSpace, spaceApi } from '@iot/shared/contract/space'
import { refuseSpacePlace, spaceTypeText, type SpaceType } from '@iot/shared/contract/spacePlace'
import { treeOf, type Tree } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import { uuidv7 } from 'uuidv7'
import { changedSince, found, missing, referenced, refused, wrongField } from '../../core/refusal'
import { changeOf } from '../../core/serve/actionLog'
import type { Context } from '../../core/serve/context'
import { idsOf, perRow } from '../../core/serve/perRow'
import { serve } from '../../core/serve/serve'
import { projectOf } from '../project/policy'
import { planFrom } from './plan'
import { planOf } from './policy'
import { spaceQueries, type SpaceRow } from './queries'

const entity = '空间'
const about = changeOf(
  entity,
  ManagedSpace.pick({ name: true, type: true, plan: true, metres: true }).extend({
    place: ManagedSpace.shape.parentId,
  }),
  { type: (type) => spaceTypeText[type as SpaceType] },
)

export function spaceRoutes(app: FastifyInstance) {
  const queries = spaceQueries(app.db)
  const { spaces } = projectApi

  function mustSee(projectId: number, { seesProject }: Context) {
    if (!seesProject(projectId)) throw missing('项目')
  }
  /** Who may not see its project does not learn that a space exists. */
  async function mine(id: string, { seesProject }: Context, rows = queries): Promise<SpaceRow> {
    const row = found(await rows.get(id), entity)
    if (!seesProject(row.projectId)) throw missing(entity)
    return row
  }
  /** As the log tells of it. */
  const told = (tree: Tree<SpaceRow>, row: SpaceRow) => ({
    ...row,
    plan: planOf(row) ? '有' : '',
    place: tree
      .path(row.parentId)
      .map(({ name }) => name)
      .join(' / '),
  })
  const floorOf = (tree: Tree<SpaceRow>, id: string) =>
    tree.path(id).find(({ type }) => type === 'floor')?.id ?? null

  serve(
    app,
    { spaces },
    {
      async spaces({ projectId }, context) {
        mustSee(projectId, context)
        const rows = await queries.ofProject(projectId).all()
        return rows.map((row) => ({ ...row, plan: planOf(row) }))
      },
    },
  )

  serve(app, spaceApi, {
    async list({ projectId }, context) {
      mustSee(projectId, context)
      const counts = await queries.deviceCounts(projectId)
      const tree = treeOf(await queries.ofProject(projectId).all())
      return tree.ordered().map((row) => ({
        ...row,
        plan: planOf(row),
        deviceCount: counts.get(row.id) ?? 0,
      }))
    },
    async create({ projectId, ...draft }, context) {
      mustSee(projectId, context)
      return context.write(spaceQueries, async (rows, note, tx) => {
        await projectOf(tx, projectId)
        const tree = treeOf(await rows.ofProject(projectId).held())
        mustFit(tree, draft, draft.parentId)
        mustBeFree(tree, draft.parentId, draft.name)
        const row = await rows.add({ ...draft, projectId }, context.user.username)
        note(about(row, { after: told(tree, row) }))
        return row
      })
    },
    update: ({ id, version, name }, context) =>
      context.write(spaceQueries, async (rows, note) => {
        const { projectId } = await mine(id, context, rows)
        const tree = treeOf(await rows.ofProject(projectId).held())
        const before = found(tree.get(id), entity)
        mustBeFree(tree, before.parentId, name, id)
        const row = await rows.update({ id, version, name }, context.user.username)
        if (!row) throw changedSince(before)
        note(about(row, { before: told(tree, before), after: told(tree, row) }))
        return row
      }),
    move: ({ id, parentId, index }, context) =>
      context.write(spaceQueries, async (rows, note) => {
        const { projectId } = await mine(id, context, rows)
        const { username } = context.user
        const inTree = rows.ofProject(projectId)
        const tree = treeOf(await inTree.held())
        const before = found(tree.get(id), entity)
        mustFit(tree, before, parentId)
        mustBeFree(tree, parentId, before.name, id)
        await inTree.place(tree, id, { parentId, index }, username)
        const now = treeOf(await inTree.all())
        await rows.toFloor(projectId, [...tree.within(id)], floorOf(now, id), username)
        note(about(before, { before: told(tree, before), after: told(now, now.get(id)!) }))
        return null
      }),
    async moveMany({ projectId, ids, parentId }, context) {
      mustSee(projectId, context)
      return context.write(spaceQueries, async (rows, note) => {
        const { username } = context.user
        const inTree = rows.ofProject(projectId)
        const tree = treeOf(await inTree.held())
        const list = ids.flatMap((id) => tree.get(id) ?? [])
        const names = new Set(tree.children(parentId).map(({ name }) => name))
        const refusal = (row: SpaceRow) => {
          const why = refuseSpacePlace(tree, row, parentId)
          if (why) return why
          if (row.parentId === parentId) return false
          if (names.has(row.name)) return `那里已有“${row.name}”`
          names.add(row.name)
          return false
        }
        return perRow(ids, list, refusal, async (free) => {
          await rows.append(projectId, idsOf(free), parentId, username)
          const now = treeOf(await inTree.all())
          for (const { id } of free) {
            await rows.toFloor(projectId, [...now.within(id)], floorOf(now, id), username)
            const [before, after] = [tree.get(id)!, now.get(id)!]
            note(about(before, { before: told(tree, before), after: told(now, after) }))
          }
        })
      })
    },
    setPlan: ({ id, version, picture, metres }, context) =>
      context.write(spaceQueries, async (rows, note) => {
        const before = await mine(id, context, rows)
        if (before.type !== 'floor') throw refused('只有楼层有平面图')
        const none = { planFile: null, planHash: null, planWidth: null, planHeight: null }
        const plan =
          picture === undefined
            ? {}
            : picture === ''
              ? none
              : planFrom(await rows.file(picture.slice(picture.lastIndexOf('/') + 1)))
        const row = await rows.update({ id, version, ...plan, metres }, context.user.username)
        if (!row) throw changedSince(await mine(id, context, rows))
        const shown = (one: SpaceRow) => ({ ...one, plan: planOf(one) })
        note(about(row, { before: shown(before), after: shown(row) }))
        return row
      }),
    copy: ({ id, name }, context) =>
      context.write(spaceQueries, async (rows, note) => {
        const { projectId } = await mine(id, context, rows)
        const { username } = context.user
        const tree = treeOf(await rows.ofProject(projectId).held())
        const source = found(tree.get(id), entity)
        if (source.type !== 'floor') throw refused('只有楼层可以复制')
        mustBeFree(tree, source.parentId, name)
        const ids = new Map([...tree.within(id)].map((one) => [one, uuidv7()]))
        const stamps = { createBy: username, updateBy: username, version: 1 }
        const fresh = { createTime: undefined, updateTime: undefined, ...stamps }
        const row = await rows.add({ ...source, ...fresh, id: ids.get(id)!, name }, username)
        const below = tree.ordered().filter((one) => one.id !== id && ids.has(one.id))
        if (below.length > 0)
          await rows.addAll(
            below.map((one) => ({
              ...{ ...one, ...fresh, id: ids.get(one.id)! },
              parentId: ids.get(one.parentId!)!,
            })),
          )
        note(about(row, { after: told(tree, row) }))
        return row
      }),
    remove: ({ id }, context) =>
      context.write(spaceQueries, async (rows, note) => {
        const { projectId } = await mine(id, context, rows)
        const tree = treeOf(await rows.ofProject(projectId).held())
        const row = found(tree.get(id), entity)
        const below = tree.children(id).map((child) => ({
          ...{ entity: spaceTypeText[child.type], id: child.id, name: child.name },
        }))
        const uses = [...below, ...(await rows.usesOf(row))]
        if (uses.length > 0) throw referenced(`${spaceTypeText[row.type]}“${row.name}”`, uses)
        await rows.remove(idsOf([row]))
        note(about(row, { before: told(tree, row) }))
        return null
      }),
  })

  // A picture element sends no header; the address itself is what only those learn who may see the project.
  app.get<{ Params: { hash: string } }>(
    '/v1/floor-plan/:hash.svg',
    async ({ params: { hash } }, reply) => {
      const svg = await queries.plan(hash)
      if (svg === undefined) return reply.code(404).type('text/plain').send('not found')
      return reply
        .type('image/svg+xml; charset=utf-8')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
        .header('x-content-type-options', 'nosniff')
        .send(svg)
    },
  )
}

function mustFit(
  tree: Tree<SpaceRow>,
  space: { type: SpaceType; id?: string },
  parentId: string | null,
) {
  const why = refuseSpacePlace(tree, space, parentId)
  if (why) throw wrongField('parentId', why)
}

function mustBeFree(tree: Tree<SpaceRow>, parentId: string | null, name: string, id?: string) {
  if (tree.children(parentId).some((row) => row.name === name && row.id !== id))
    throw wrongField('name', `那里已有“${name}”`)
}
