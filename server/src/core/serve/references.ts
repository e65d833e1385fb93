import type { References as Listed } from '@iot/shared/contract/endpoint'
import type { Status } from '@iot/shared/contract/fields'
import type { Db } from '../db/db'
import { referenced, wrongField } from '../refusal'

type Switched = { status: Status }
type Reference = Listed['references'][number]
type Finder = (db: Db, ids: string[]) => Promise<(Reference & { to: string })[]>

/**
 * Modules do not know who refers to them; who refers says so here.
 * @example app.references.add('manufacturer', (db, ids) => db.select({ to: brand.manufacturerId, id: brand.id, name: brand.name, entity: sql<string>`'品牌'` }).from(brand).where(inArray(brand.manufacturerId, ids)))
 */
export function openReferences() {
  const finders = new Map<string, Finder[]>()

  async function find(db: Db, entity: string, ids: string[]) {
    const found = new Map<string, Reference[]>()
    for (const finder of finders.get(entity) ?? []) {
      for (const { to, ...reference } of await finder(db, ids))
        found.set(to, [...(found.get(to) ?? []), reference])
    }
    return found
  }
  return {
    add: (entity: string, finder: Finder) =>
      finders.set(entity, [...(finders.get(entity) ?? []), finder]),
    /** How many rows refer to each; none for those that nothing refers to. */
    counts: async (db: Db, entity: string, ids: string[]) =>
      new Map([...(await find(db, entity, ids))].map(([id, { length }]) => [id, length])),
    /** Why a row must stay, by its id, of those that something refers to. */
    async inUse(db: Db, entity: string, ids: string[], verb: '删除' | '禁用' = '删除') {
      const counts = await this.counts(db, entity, ids)
      return new Map([...counts].map(([id, count]) => [id, `正被 ${count} 处使用，不能${verb}`]))
    },
    /** Refuses a change that disables a row something refers to. */
    async mustStayEnabled(
      db: Db,
      entity: string,
      change: Switched,
      before?: Switched & { id: string },
    ) {
      if (before?.status !== 'enabled' || change.status !== 'disabled') return
      const why = (await this.inUse(db, entity, [before.id], '禁用')).get(before.id)
      if (why) throw wrongField('status', why)
    },
    /** Refuses with the list when anything refers to the row. */
    async mustBeFree(db: Db, entity: string, id: string, what: string) {
      const references = (await find(db, entity, [id])).get(id)
      if (references) throw referenced(what, references)
    },
  }
}
export type References = ReturnType<typeof openReferences>
