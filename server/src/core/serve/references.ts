import type { References as Listed } from '@iot/shared/contract/endpoint'
import type { Status } from '@iot/shared/contract/fields'
import type { Db } from '../db/db'
import { referenced, wrongField } from '../refusal'
import type { Context } from './context'

type Switched = { status: Status }
type Reference = Listed['references'][number]
/**
 * A referring row has a `projectId` if it belongs to a project, and a `count` if it stands for several rows without
 * names.
 */
type Found = Reference & { projectId?: number; count?: number }
type Finder = (db: Db, ids: string[]) => Promise<(Found & { to: string })[]>

type Seer = Pick<Context, 'seesProject'>
const hiddenFrom =
  ({ seesProject }: Seer) =>
  ({ projectId }: Found) =>
    projectId !== undefined && !seesProject(projectId)
const shownOf = (all: Found[], seer: Seer) =>
  all.filter((one) => one.count === undefined && !hiddenFrom(seer)(one))

/** A bulk operation names at most this many referring rows per row. */
const most = 3
function namesOf(all: Found[], seer: Seer) {
  const named = shownOf(all, seer)
    .slice(0, most)
    .map(({ entity, name }) => `${entity}“${name}”`)
  if (named.length === 0) return ''
  return `：${named.join('、')}${countOf(all) > named.length ? '等' : ''}`
}

const countOf = (all: Found[]) => all.reduce((sum, { count = 1 }) => sum + count, 0)

/**
 * Registry of references between modules. A module does not know which others refer to its rows, so those register
 * here.
 * @example
 * const found = { to: brand.manufacturerId, id: brand.id, name: brand.name, entity: sql<string>`'品牌'` }
 * app.references.add('manufacturer', (db, ids) =>
 *   db.select(found).from(brand).where(inArray(brand.manufacturerId, ids)))
 */
export function openReferences() {
  const finders = new Map<string, Finder[]>()

  async function find(db: Db, entity: string, ids: string[]) {
    const found = new Map<string, Found[]>()
    for (const finder of finders.get(entity) ?? []) {
      for (const { to, ...reference } of await finder(db, ids))
        found.set(to, [...(found.get(to) ?? []), reference])
    }
    return found
  }
  return {
    add: (entity: string, finder: Finder) =>
      finders.set(entity, [...(finders.get(entity) ?? []), finder]),
    /** Returns the number of referring rows per id; ids without references are missing from the map. */
    counts: async (db: Db, entity: string, ids: string[]) =>
      new Map([...(await find(db, entity, ids))].map(([id, all]) => [id, countOf(all)])),
    /**
     * Returns for each referenced row the reason why it must stay, by id; referring rows that `seer` may see are
     * named.
     */
    async inUse(
      db: Db,
      entity: string,
      ids: string[],
      seer?: Seer,
      verb: '删除' | '禁用' = '删除',
    ) {
      const why = (all: Found[]) =>
        `正被 ${countOf(all)} 处使用，不能${verb}${seer ? namesOf(all, seer) : ''}`
      return new Map([...(await find(db, entity, ids))].map(([id, all]) => [id, why(all)]))
    },
    /**
     * Refuses a change that disables a row that other rows refer to.
     * @throws Refusal with the number of references
     */
    async mustStayEnabled(
      db: Db,
      entity: string,
      change: Switched,
      before?: Switched & { id: string },
    ) {
      if (before?.status !== 'enabled' || change.status !== 'disabled') return
      const why = (await this.inUse(db, entity, [before.id], undefined, '禁用')).get(before.id)
      if (why) throw wrongField('status', why)
    },
    /**
     * Refuses if other rows refer to this one and lists them; rows outside the caller's scope are only counted.
     * @throws Refusal with the list
     */
    async mustBeFree(db: Db, entity: string, id: string, what: string, seer: Seer) {
      const all = (await find(db, entity, [id])).get(id)
      if (!all) return
      const isHidden = hiddenFrom(seer)
      const named = shownOf(all, seer)
      const rest = all.filter((one) => !named.includes(one))
      const where = rest.every(isHidden) ? '在您看不到的项目里' : '没有列出'
      throw referenced(what, [
        ...named.map(({ entity, id, name }) => ({ entity, id, name })),
        ...(rest.length > 0
          ? [{ entity: '其他', id: '', name: `另有 ${countOf(rest)} 处${where}` }]
          : []),
      ])
    },
  }
}
export type References = ReturnType<typeof openReferences>
