import { projectApi } from '@iot/shared/contract/project'
import { ManagedSpace, spaceApi } from '@iot/shared/contract/space'
import {
  refuseSpacePlace,
  spaceSearched,
  spaceTypeText,
  type SpaceType,
} from '@iot/shared/contract/spacePlace'
import { growingTree, namesTo, rowsAt, treeOf, type Tree } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import { uuidv7 } from 'uuidv7'
import type { Db } from '../../core/db/db'
import type { Slice } from '../../core/db/page'
import { changedSince, found, missing, refused, wrongField } from '../../core/refusal'
import { changeOf } from '../../core/serve/actionLog'
import type { Context, Writing } from '../../core/serve/context'
import { idsOf, perRow } from '../../core/serve/perRow'
import { serve } from '../../core/serve/serve'
import { treeRemoving } from '../../core/serve/treeRemoving'
import { exporter } from '../../core/tasks/export'
import { importer, type ImportInput, type Portion } from '../../core/tasks/import'
import { parentIn, parentsFirst, treeLines } from '../../core/tasks/treeSheet'
import { projectOf } from '../project/policy'
import { keepBefore } from '../snapshot/policy'
import { planFrom } from './plan'
import { planOf } from './policy'
import { spaceQueries, type SpaceRow } from './queries'
import { exported, sheet, SpaceLine } from './sheet'

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
  /**
   * Returns the space.
   * @throws "not found" if it does not exist or the user cannot see its project
   */
  async function mine(id: string, { seesProject }: Context, rows = queries): Promise<SpaceRow> {
    const row = found(await rows.get(id), entity)
    if (!seesProject(row.projectId)) throw missing(entity)
    return row
  }
  const floorOf = (tree: Tree<SpaceRow>, id: string) =>
    tree.path(id).find(({ type }) => type === 'floor')?.id ?? null

  async function listed(projectId: number) {
    const counts = await queries.deviceCounts(projectId)
    return (await queries.ofProject(projectId).all()).map((row) => ({
      ...row,
      plan: planOf(row),
      deviceCount: counts.get(row.id) ?? 0,
    }))
  }
  const exportLines = exporter(app, spaceApi.exportRows, {
    entity,
    sheet: exported,
    page: async ({ projectId, ...asked }: Slice & { projectId: number; name?: string }) =>
      treeLines(await listed(projectId), spaceSearched, asked),
  })
  type Input = ImportInput & { projectId: number }
  const importLines = importer(app, spaceApi.importRows, {
    entity,
    schema: SpaceLine,
    sheet,
    queriesOf: spaceQueries,
    order: parentsFirst,
    async hold(rows, { drafts, made, by, ...of }: Portion<typeof SpaceLine, Input>, tx) {
      const { projectId } = of.input
      const growing = growingTree(await rows.ofProject(projectId).held())
      const isNew = ({ parent, name }: SpaceLine) =>
        rowsAt(growing.tree, parent ? `${parent}/${name}` : name).length === 0
      if (made === 0 && drafts.some(isNew)) await keepBefore(tx, projectId, `导入${entity}`, by)
      return growing
    },
    create:
      ({ parent, ...line }, by, _, { projectId }: Input, { tree, add }) =>
      async (rows, note, tx) => {
        const draft = { ...line, projectId, parentId: parentIn(tree, parent, entity) }
        add(await creating(draft, tree, by)(rows, note, tx))
      },
    existing: {
      endpoint: spaceApi.update,
      key: ({ parent, name }) => JSON.stringify([parent, name]),
      find({ parent, name }, { held: { tree } }) {
        const parentId = parentIn(tree, parent, entity)
        return tree.children(parentId).find((row) => row.name === name)
      },
      // A file row for an existing space changes nothing; its type must match.
      change:
        (before, { type }) =>
        async () => {
          if (type !== before.type)
            throw wrongField(
              'type',
              `已有的“${before.name}”是${spaceTypeText[before.type]}，类型不能修改`,
            )
        },
    },
  })
  const removingIn = (projectId: number) =>
    treeRemoving<SpaceRow>(app, {
      name: 'space',
      title: entity,
      called: ({ type }) => spaceTypeText[type],
      queriesOf(tx: Db) {
        const rows = spaceQueries(tx)
        return { ...rows, ...rows.ofProject(projectId) }
      },
      about:
        (tree) =>
        (row, { before }) =>
          about(row, { before: told(tree, before) }),
    })

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
      return treeOf(await listed(projectId)).ordered()
    },
    exportRows(asked, context) {
      mustSee(asked.projectId, context)
      return exportLines(asked, context)
    },
    async importRows(input, context) {
      mustSee(input.projectId, context)
      await projectOf(app.db, input.projectId)
      return importLines(input, context)
    },
    async create({ projectId, ...draft }, context) {
      mustSee(projectId, context)
      return context.write(spaceQueries, async (rows, note, tx) => {
        await projectOf(tx, projectId)
        const tree = treeOf(await rows.ofProject(projectId).held())
        return creating({ ...draft, projectId }, tree, context.user.username)(rows, note, tx)
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
        const whyNot = (row: SpaceRow) => {
          const why = refuseSpacePlace(tree, row, parentId)
          if (why) return why
          if (row.parentId === parentId) return false
          if (names.has(row.name)) return `那里已有“${row.name}”`
          names.add(row.name)
          return false
        }
        const asked = new Set(ids)
        const moving = new Set<string>()
        const why = new Map<string, string | false>()
        for (const row of tree.ordered()) {
          if (!asked.has(row.id)) continue
          // A descendant of another moved space moves with it.
          if (tree.path(row.parentId).some(({ id }) => moving.has(id))) continue
          const reason = whyNot(row)
          why.set(row.id, reason)
          if (!reason) moving.add(row.id)
        }
        const refusal = ({ id }: SpaceRow) => why.get(id)
        return perRow(ids, list, refusal, async (all) => {
          const free = all.filter(({ id }) => moving.has(id))
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
              ...one,
              ...fresh,
              id: ids.get(one.id)!,
              parentId: ids.get(one.parentId!)!,
            })),
          )
        note(about(row, { after: told(tree, row) }))
        return row
      }),
    async remove(asked, context) {
      const { projectId } = await mine(asked.id, context)
      return removingIn(projectId).remove(asked, context)
    },
    async removeMany({ projectId, ids }, context) {
      mustSee(projectId, context)
      return removingIn(projectId).removeMany({ ids }, context)
    },
  })

  // An `<img>` element sends no authorization header. The hash in the address is known only to users of the project.
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

/** Returns the fields of a space for the audit log. */
const told = (tree: Tree<SpaceRow>, row: SpaceRow) => ({
  ...row,
  plan: planOf(row) ? '有' : '',
  place: namesTo(tree, row.parentId),
})

const creating =
  (
    draft: Pick<SpaceRow, 'projectId' | 'parentId' | 'type' | 'name'>,
    tree: Tree<SpaceRow>,
    by: string,
  ): Writing<typeof spaceQueries, SpaceRow> =>
  async (rows, note) => {
    mustFit(tree, draft, draft.parentId)
    mustBeFree(tree, draft.parentId, draft.name)
    const row = await rows.add(draft, by)
    note(about(row, { after: told(tree, row) }))
    return row
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
