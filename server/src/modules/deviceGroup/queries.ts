import { wordsOfTag, type deviceGroupApi } from '@iot/shared/contract/deviceGroup'
import { lightSwitch } from '@iot/shared/contract/light'
import { treeOf } from '@iot/shared/contract/tree'
import { and, asc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { pageOf, type Slice } from '../../core/db/page'
import { contains, equals } from '../../core/db/rows'
import { versioned } from '../../core/db/versioned'
import { countLights, isLight } from '../../device-access/lights'
import { device, product } from '../../tables/device'
import { deviceGroup as table } from '../../tables/deviceGroup'
import { deviceTag } from '../../tables/deviceRecords'
import { groupSpaces, isAmong, isMember, type Means } from './policy'

type Page = z.output<typeof deviceGroupApi.page.input>
export type GroupRow = typeof table.$inferSelect
/** A preview of a rule names at most this many devices as examples. */
const namesShown = 5

export const deviceGroupQueries = (db: Db) => {
  const rows = versioned(db, table)
  const spaces = (projectId: number) => groupSpaces(db, projectId)
  const inProject = (projectId: number, means: SQL) => and(eq(device.projectId, projectId), means)
  const count = (row: GroupRow, all: Awaited<ReturnType<typeof spaces>>) =>
    db.$count(device, inProject(row.projectId, isMember(row, all)))
  /** Returns which of these device ids belong to the project. */
  async function known(projectId: number, ids: string[]) {
    if (ids.length === 0) return new Set<string>()
    const found = await db
      .select({ id: device.id })
      .from(device)
      .where(and(eq(device.projectId, projectId), inArray(device.id, ids)))
    return new Set(found.map(({ id }) => id))
  }
  const productNames = () =>
    db.select({ id: product.id, name: product.name, productKey: product.productKey }).from(product)
  const products = async () => new Map((await productNames()).map(({ id, name }) => [id, name]))

  return {
    ...rows,
    spaces,
    known,
    products,
    productNames,
    /** Finds devices of the project by their DeviceName. */
    named: async (projectId: number, names: string[]) =>
      names.length === 0
        ? []
        : db
            .select({ id: device.id, deviceName: device.deviceName })
            .from(device)
            .where(and(eq(device.projectId, projectId), inArray(device.deviceName, names))),
    /** Lists groups for an export, with the names of the devices, products and places they refer to. */
    async lines(query: Page) {
      const { list, ...count } = await this.page(query)
      const known = await productNames()
      const tree = treeOf(await spaces(query.projectId))
      const isOnly = (one: string) => known.filter(({ name }) => name === one).length === 1
      const lines = list.map(async (row) => ({
        ...row,
        products: row.productIds.flatMap((id) => {
          const found = known.find((one) => one.id === id)
          return found ? (isOnly(found.name) ? found.name : found.productKey) : []
        }),
        places: row.spaceIds.map((id) =>
          tree
            .path(id)
            .map(({ name }) => name)
            .join(' / '),
        ),
        tags: row.tags.map(wordsOfTag),
        deviceNames: await this.deviceNames(row.projectId, row.deviceIds),
      }))
      return { ...count, list: await Promise.all(lines) }
    },
    async deviceNames(projectId: number, ids: string[]) {
      if (ids.length === 0) return []
      const found = await db
        .select({ deviceName: device.deviceName })
        .from(device)
        .where(and(eq(device.projectId, projectId), isAmong(device.id, ids)))
        .orderBy(asc(device.deviceName))
      return found.map(({ deviceName }) => deviceName)
    },
    async page({ projectId, name, kind, ...page }: Page) {
      const { list, ...count } = await rows.list(
        and(
          eq(table.projectId, projectId),
          name ? contains(table.name, name) : undefined,
          equals(table.kind, kind),
        ),
        page,
      )
      return { list: await this.answered(list), ...count }
    },
    /** Adds the current number of devices and the rule in words to groups of one project. */
    async answered(list: GroupRow[]) {
      const names = list.some(({ productIds }) => productIds.length > 0)
        ? await products()
        : new Map<string, string>()
      const all = list.length > 0 ? await spaces(list[0]!.projectId) : []
      const tree = treeOf(all)
      return Promise.all(
        list.map(async (row) => {
          const here = await known(row.projectId, row.deviceIds)
          const deviceIds = row.deviceIds.filter((id) => here.has(id))
          const some = (ids: string[], nameOf: (id: string) => string | undefined) =>
            ids.map((id) => nameOf(id) ?? '已删除').join('、')
          const words = [
            some(row.productIds, (id) => names.get(id)),
            some(row.spaceIds, (id) => tree.get(id)?.name),
            row.tags.map(wordsOfTag).join('、'),
          ]
          return {
            ...row,
            deviceIds,
            memberText: words.filter(Boolean).join(' · '),
            deviceCount: row.kind === 'hand' ? deviceIds.length : await count(row, all),
          }
        }),
      )
    },
    async preview(projectId: number, means: Means) {
      const where = inProject(projectId, isMember(means, await spaces(projectId)))
      const [counts] = await db
        .select({
          total: sql<number>`count(*)`.mapWith(Number),
          protected: sql<number>`count(*) filter (where ${device.protected})`.mapWith(Number),
        })
        .from(device)
        .where(where)
      const some = await db
        .select({ name: device.name })
        .from(device)
        .where(where)
        .orderBy(asc(device.name), asc(device.id))
        .limit(namesShown)
      return { ...counts!, names: some.map(({ name }) => name) }
    },
    options: (projectId: number) =>
      db
        .select({ id: table.id, name: table.name })
        .from(table)
        .where(eq(table.projectId, projectId))
        .orderBy(asc(table.name), asc(table.id)),
    /** Counts the lights of a group by state. */
    async lights(row: GroupRow) {
      const means = isMember(row, await spaces(row.projectId))
      const sum = { on: 0, off: 0, offline: 0, unknown: 0, protected: 0, reachable: 0 }
      const keys = Object.keys(sum) as (keyof typeof sum)[]
      for (const one of await countLights(db, row.projectId, { means }))
        for (const key of keys) sum[key] += one[key]
      return sum
    },
    async members(row: GroupRow, page: Slice) {
      const all = await spaces(row.projectId)
      const where = inProject(row.projectId, isMember(row, all))
      const tree = treeOf(all)
      const { list, ...count } = await pageOf(db, device, where, page, ({ limit, offset }) =>
        db
          .select({
            id: device.id,
            name: device.name,
            productName: product.name,
            spaceId: device.spaceId,
            floorId: device.floorId,
            protected: device.protected,
            state: device.state,
            isLight: sql<boolean>`${isLight}`,
            isLit: sql<
              boolean | null
            >`case when ${device.state} = 'online' and ${isLight} and not ${device.stale} ? ${lightSwitch} then ${device.reported} ->> ${lightSwitch} = '1' end`,
          })
          .from(device)
          .innerJoin(product, eq(product.id, device.productId))
          .where(where)
          .orderBy(asc(device.name), asc(device.id))
          .limit(limit)
          .offset(offset),
      )
      const placed = list.map(({ spaceId, ...one }) => ({
        ...one,
        place: tree
          .path(spaceId)
          .map(({ name }) => name)
          .join(' / '),
      }))
      return { ...count, list: placed }
    },
    tags: (projectId: number) =>
      db
        .selectDistinct({ key: deviceTag.key, value: deviceTag.value })
        .from(deviceTag)
        .where(eq(deviceTag.projectId, projectId))
        .orderBy(asc(deviceTag.key), asc(deviceTag.value))
        .limit(500),
    /** Lists groups whose rule refers to one of these products or spaces. */
    async ruledBy(column: 'productIds' | 'spaceIds', ids: string[]) {
      const found = await db
        .select({
          id: table.id,
          name: table.name,
          named: table[column],
          projectId: table.projectId,
        })
        .from(table)
        .where(
          sql`exists (select 1 from jsonb_array_elements_text(${table[column]}) as named where named in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)))`,
        )
      return found.flatMap(({ id, name, named, projectId }) =>
        named
          .filter((to) => ids.includes(to))
          .map((to) => ({ to, id, name, projectId, entity: '设备组' })),
      )
    },
  }
}
