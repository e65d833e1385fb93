import { formatTag } from '@iot/shared/contract/device/deviceGroup'
import type { deviceGroupSchemas } from '@iot/shared/contract/device/deviceGroup.schema'
import { lightSwitchIdentifier, sumLights } from '@iot/shared/contract/control/light'
import { createTree, formatTreePath } from '@iot/shared/contract/tree'
import { and, asc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { readPage, type PageQuery } from '../../core/db/page'
import { contains, whereEquals } from '../../core/db/rows'
import { versionedQueries } from '../../core/db/versionedQueries'
import { countLights, isLight } from '../../device-access/lightCounts'
import { device, product } from '../../tables/device'
import { deviceGroup as table } from '../../tables/deviceGroup'
import { deviceTag } from '../../tables/deviceRecords'
import { listProjectSpaces, whereIdInList, whereMember, type MembershipRule } from './policy'

type PageInput = z.output<typeof deviceGroupSchemas.page.input>
export type GroupRow = typeof table.$inferSelect
/** A preview of a rule names at most this many devices as examples. */
const maxExampleNames = 5

const whereInProject = (projectId: number, membership: SQL) =>
  and(eq(device.projectId, projectId), membership)

/** Reads what the rules of groups refer to: devices, products, spaces and tags. */
const groupFactQueries = (db: Db) => {
  const productNames = () =>
    db.select({ id: product.id, name: product.name, productKey: product.productKey }).from(product)
  const products = async () => new Map((await productNames()).map(({ id, name }) => [id, name]))

  return {
    spaces: (projectId: number) => listProjectSpaces(db, projectId),
    products,
    productNames,
    /** Returns which of these device ids belong to the project. */
    async known(projectId: number, ids: string[]) {
      if (ids.length === 0) return new Set<string>()
      const existingRows = await db
        .select({ id: device.id })
        .from(device)
        .where(and(eq(device.projectId, projectId), inArray(device.id, ids)))
      return new Set(existingRows.map(({ id }) => id))
    },
    /** Finds devices of the project by their DeviceName. */
    findByDeviceNames: async (projectId: number, names: string[]) =>
      names.length === 0
        ? []
        : db
            .select({ id: device.id, deviceName: device.deviceName })
            .from(device)
            .where(and(eq(device.projectId, projectId), inArray(device.deviceName, names))),
    async getDeviceNames(projectId: number, ids: string[]) {
      if (ids.length === 0) return []
      const nameRows = await db
        .select({ deviceName: device.deviceName })
        .from(device)
        .where(and(eq(device.projectId, projectId), whereIdInList(device.id, ids)))
        .orderBy(asc(device.deviceName))
      return nameRows.map(({ deviceName }) => deviceName)
    },
    listTags: (projectId: number) =>
      db
        .selectDistinct({ key: deviceTag.key, value: deviceTag.value })
        .from(deviceTag)
        .where(eq(deviceTag.projectId, projectId))
        .orderBy(asc(deviceTag.key), asc(deviceTag.value))
        .limit(500),
  }
}
type GroupFactQueries = ReturnType<typeof groupFactQueries>

/** Reads and writes groups with their number of devices and their rule in words. */
const groupRowQueries = (
  db: Db,
  { spaces, products, known: findExistingIds }: GroupFactQueries,
) => {
  const rows = versionedQueries(db, table)
  const countMembers = (row: GroupRow, allSpaces: Awaited<ReturnType<typeof spaces>>) =>
    db.$count(device, whereInProject(row.projectId, whereMember(row, allSpaces)))

  return {
    ...rows,
    async page({ projectId, name, kind, ...page }: PageInput) {
      const { list, ...count } = await rows.list(
        and(
          eq(table.projectId, projectId),
          name ? contains(table.name, name) : undefined,
          whereEquals(table.kind, kind),
        ),
        page,
      )
      return { list: await this.withMemberCounts(list), ...count }
    },
    /** Adds the current number of devices and the rule in words to groups of one project. */
    async withMemberCounts(list: GroupRow[]) {
      const productNameById = list.some(({ productIds }) => productIds.length > 0)
        ? await products()
        : new Map<string, string>()
      const spaceRows = list.length > 0 ? await spaces(list[0]!.projectId) : []
      const tree = createTree(spaceRows)
      return Promise.all(
        list.map(async (row) => {
          const existingIds = await findExistingIds(row.projectId, row.deviceIds)
          const deviceIds = row.deviceIds.filter((id) => existingIds.has(id))
          const joinNames = (ids: string[], getName: (id: string) => string | undefined) =>
            ids.map((id) => getName(id) ?? '已删除').join('、')
          const ruleTexts = [
            joinNames(row.productIds, (id) => productNameById.get(id)),
            joinNames(row.spaceIds, (id) => tree.get(id)?.name),
            row.tags.map(formatTag).join('、'),
          ]
          return {
            ...row,
            deviceIds,
            memberText: ruleTexts.filter(Boolean).join(' · '),
            deviceCount:
              row.kind === 'hand' ? deviceIds.length : await countMembers(row, spaceRows),
          }
        }),
      )
    },
    listOptions: (projectId: number) =>
      db
        .select({ id: table.id, name: table.name })
        .from(table)
        .where(eq(table.projectId, projectId))
        .orderBy(asc(table.name), asc(table.id)),
    /** Lists groups whose rule refers to one of these products or spaces. */
    async listGroupsReferringTo(column: 'productIds' | 'spaceIds', ids: string[]) {
      const groupRows = await db
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
      return groupRows.flatMap(({ id, name, named: referencedIds, projectId }) =>
        referencedIds
          .filter((to) => ids.includes(to))
          .map((to) => ({ to, id, name, projectId, entity: '设备组' })),
      )
    },
  }
}

/** Reads the current members of a group or of a rule that is not saved yet. */
const groupMemberQueries = (db: Db, { spaces }: GroupFactQueries) => ({
  async preview(projectId: number, membership: MembershipRule) {
    const where = whereInProject(projectId, whereMember(membership, await spaces(projectId)))
    const [counts] = await db
      .select({
        total: sql<number>`count(*)`.mapWith(Number),
        protected: sql<number>`count(*) filter (where ${device.protected})`.mapWith(Number),
      })
      .from(device)
      .where(where)
    const exampleRows = await db
      .select({ name: device.name })
      .from(device)
      .where(where)
      .orderBy(asc(device.name), asc(device.id))
      .limit(maxExampleNames)
    return { ...counts!, names: exampleRows.map(({ name }) => name) }
  },
  async countGroupLights(row: GroupRow) {
    const membership = whereMember(row, await spaces(row.projectId))
    const spaceLights = await countLights(db, row.projectId, { condition: membership })
    return { ...sumLights(spaceLights), spaces: spaceLights }
  },
  async listMembers(row: GroupRow, page: PageQuery) {
    const spaceRows = await spaces(row.projectId)
    const where = whereInProject(row.projectId, whereMember(row, spaceRows))
    const tree = createTree(spaceRows)
    const { list, ...count } = await readPage(db, device, where, page, ({ limit, offset }) =>
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
          >`case when ${device.state} = 'online' and ${isLight} and not ${device.stale} ? ${lightSwitchIdentifier} then ${device.reported} ->> ${lightSwitchIdentifier} = '1' end`,
        })
        .from(device)
        .innerJoin(product, eq(product.id, device.productId))
        .where(where)
        .orderBy(asc(device.name), asc(device.id))
        .limit(limit)
        .offset(offset),
    )
    const membersWithPlace = list.map(({ spaceId, ...one }) => ({
      ...one,
      place: formatTreePath(tree, spaceId),
    }))
    return { ...count, list: membersWithPlace }
  },
})

export const deviceGroupQueries = (db: Db) => {
  const facts = groupFactQueries(db)
  return {
    ...facts,
    ...groupRowQueries(db, facts),
    ...groupMemberQueries(db, facts),
    /** Lists groups for an export, with the names of the devices, products and places they refer to. */
    async listExportLines(query: PageInput) {
      const { list, ...count } = await this.page(query)
      const knownProducts = await facts.productNames()
      const tree = createTree(await facts.spaces(query.projectId))
      const isUniqueName = (item: string) =>
        knownProducts.filter(({ name }) => name === item).length === 1
      const exportLines = list.map(async (row) => ({
        ...row,
        products: row.productIds.flatMap((id) => {
          const matchingProduct = knownProducts.find((knownProduct) => knownProduct.id === id)
          return matchingProduct
            ? isUniqueName(matchingProduct.name)
              ? matchingProduct.name
              : matchingProduct.productKey
            : []
        }),
        places: row.spaceIds.map((id) => formatTreePath(tree, id)),
        tags: row.tags.map(formatTag),
        deviceNames: await this.getDeviceNames(row.projectId, row.deviceIds),
      }))
      return { ...count, list: await Promise.all(exportLines) }
    },
  }
}
