import type { References as Listed } from '@iot/shared/contract/endpoint'
import type { Status } from '@iot/shared/contract/fields.schema'
import type { Db } from '../db/db'
import { createReferencedRefusal, createFieldRefusal } from '../refusal'
import type { Context } from './context'

type StatusChange = { status: Status }
type ListedReference = Listed['references'][number]
/**
 * A referring row has a `projectId` if it belongs to a project, and a `count` if it stands for several rows without
 * names.
 */
type ReferringRow = ListedReference & { projectId?: number; count?: number }
type ReferenceFinder = (db: Db, ids: string[]) => Promise<(ReferringRow & { to: string })[]>

type Viewer = Pick<Context, 'seesProject'>
const isHiddenFrom =
  ({ seesProject }: Viewer) =>
  ({ projectId }: ReferringRow) =>
    projectId !== undefined && !seesProject(projectId)
const filterVisible = (referringRows: ReferringRow[], viewer: Viewer) =>
  referringRows.filter(
    (referringRow) => referringRow.count === undefined && !isHiddenFrom(viewer)(referringRow),
  )

/** A bulk operation names at most this many referring rows per row. */
const maxNamedRows = 3
function formatNames(referringRows: ReferringRow[], viewer: Viewer) {
  const visibleNames = filterVisible(referringRows, viewer)
    .slice(0, maxNamedRows)
    .map(({ entity, name }) => `${entity}“${name}”`)
  if (visibleNames.length === 0) return ''
  return `：${visibleNames.join('、')}${countRows(referringRows) > visibleNames.length ? '等' : ''}`
}

const countRows = (referringRows: ReferringRow[]) =>
  referringRows.reduce((sum, { count = 1 }) => sum + count, 0)

/**
 * Registry of references between modules. A module does not know which others refer to its rows, so those register
 * here.
 * @example
 * const reference = { to: brand.manufacturerId, id: brand.id, name: brand.name, entity: sql<string>`'品牌'` }
 * app.references.add('manufacturer', (db, ids) =>
 *   db.select(reference).from(brand).where(inArray(brand.manufacturerId, ids)))
 */
export function createReferenceRegistry() {
  const finders = new Map<string, ReferenceFinder[]>()

  async function findReferringRows(db: Db, entity: string, ids: string[]) {
    const rowsById = new Map<string, ReferringRow[]>()
    for (const finder of finders.get(entity) ?? []) {
      for (const { to, ...reference } of await finder(db, ids))
        rowsById.set(to, [...(rowsById.get(to) ?? []), reference])
    }
    return rowsById
  }
  return {
    add: (entity: string, finder: ReferenceFinder) =>
      finders.set(entity, [...(finders.get(entity) ?? []), finder]),
    /** Returns the number of referring rows per id; ids without references are missing from the map. */
    counts: async (db: Db, entity: string, ids: string[]) =>
      new Map(
        [...(await findReferringRows(db, entity, ids))].map(([id, all]) => [id, countRows(all)]),
      ),
    /**
     * Returns for each referenced row the reason why it must stay, by id; referring rows that `viewer` may see are
     * named.
     */
    async findUsageReasons(
      db: Db,
      entity: string,
      ids: string[],
      viewer?: Viewer,
      verb: '删除' | '禁用' = '删除',
    ) {
      const formatReason = (referringRows: ReferringRow[]) =>
        `正被 ${countRows(referringRows)} 处使用，不能${verb}${viewer ? formatNames(referringRows, viewer) : ''}`
      return new Map(
        [...(await findReferringRows(db, entity, ids))].map(([id, all]) => [id, formatReason(all)]),
      )
    },
    /**
     * Refuses a change that disables a row that other rows refer to.
     * @throws Refusal with the number of references
     */
    async assertCanDisable(
      db: Db,
      entity: string,
      change: StatusChange,
      previousRow?: StatusChange & { id: string },
    ) {
      if (previousRow?.status !== 'enabled' || change.status !== 'disabled') return
      const reason = (
        await this.findUsageReasons(db, entity, [previousRow.id], undefined, '禁用')
      ).get(previousRow.id)
      if (reason) throw createFieldRefusal('status', reason)
    },
    /**
     * Refuses if other rows refer to this one and lists them; rows outside the caller's scope are only counted.
     * @throws Refusal with the list
     */
    async assertNotReferenced(db: Db, entity: string, id: string, subject: string, viewer: Viewer) {
      const referringRows = (await findReferringRows(db, entity, [id])).get(id)
      if (!referringRows) return
      const isRowHidden = isHiddenFrom(viewer)
      const visibleRows = filterVisible(referringRows, viewer)
      const unlistedRows = referringRows.filter(
        (referringRow) => !visibleRows.includes(referringRow),
      )
      const location = unlistedRows.every(isRowHidden) ? '在您看不到的项目里' : '没有列出'
      throw createReferencedRefusal(subject, [
        ...visibleRows.map(({ entity, id, name }) => ({ entity, id, name })),
        ...(unlistedRows.length > 0
          ? [{ entity: '其他', id: '', name: `另有 ${countRows(unlistedRows)} 处${location}` }]
          : []),
      ])
    },
  }
}
export type ReferenceRegistry = ReturnType<typeof createReferenceRegistry>
