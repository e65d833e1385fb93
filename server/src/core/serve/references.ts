import type { References as Listed } from '@iot/shared/contract/endpoint'
import type { Status } from '@iot/shared/contract/fields'
import type { Db } from '../db/db'
import { referenced, wrongField } from '../refusal'
import type { Context } from './context'

type Switched = { status: Status }
type Reference = Listed['references'][number]
/** `projectId`: of a row that belongs to a project; `count`: how many rows it stands for, which have no name then. */
type Found = Reference & { projectId?: number; count?: number }
type Finder = (db: Db, ids: string[]) => Promise<(Found & { to: string })[]>

const countOf = (all: Found[]) => all.reduce((sum, { count = 1 }) => sum + count, 0)

/**
 * Modules do not know who refers to them; who refers says so here.
 * @example app.references.add('manufacturer', (db, ids) => db.select({ to: brand.manufacturerId, id: brand.id, name: brand.name, entity: sql<string>`'品牌'` }).from(brand).where(inArray(brand.manufacturerId, ids)))
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
    /** How many rows refer to each; none for those that nothing refers to. */
    counts: async (db: Db, entity: string, ids: string[]) =>
      new Map([...(await find(db, entity, ids))].map(([id, all]) => [id, countOf(all)])),
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
    /** Refuses with the list when anything refers to the row; what the asking person does not see is only counted. */
    async mustBeFree(
      db: Db,
      entity: string,
      id: string,
      what: string,
      { seesProject }: Pick<Context, 'seesProject'>,
    ) {
      const all = (await find(db, entity, [id])).get(id)
      if (!all) return
      const isHidden = ({ projectId }: Found) => projectId !== undefined && !seesProject(projectId)
      const named = all.filter((one) => one.count === undefined && !isHidden(one))
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
