import type { snapshotApi } from '@iot/shared/contract/snapshot'
import { and, asc, eq, getTableColumns, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { pageOf } from '../../core/db/page'
import { order } from '../../core/db/rows'
import { device, product } from '../../tables/device'
import { project } from '../../tables/project'
import { projectSnapshot as table } from '../../tables/snapshot'
import { space } from '../../tables/space'
import { packed, unpacked, type Content } from './content'

type Page = z.output<typeof snapshotApi.page.input>
const { content: _, ...listed } = getTableColumns(table)
/** Of those that were taken by themselves. */
const mostAutomatic = 20

export const snapshotQueries = (db: Db) => ({
  async page({ projectId, sort, ...page }: Page) {
    const where = eq(table.projectId, projectId)
    const by = order(listed, sort, '-createTime')
    return pageOf(db, table, where, page, ({ limit, offset }) =>
      db
        .select(listed)
        .from(table)
        .where(where)
        .orderBy(...by)
        .limit(limit)
        .offset(offset),
    )
  },
  get: async (id: string) => (await db.select(listed).from(table).where(eq(table.id, id)))[0],
  async content(id: string) {
    const [row] = await db.select({ content: table.content }).from(table).where(eq(table.id, id))
    return row && unpacked(row.content)
  },
  count: (projectId: number) =>
    db.$count(table, and(eq(table.projectId, projectId), eq(table.automatic, false))),
  async keep(projectId: number, name: string, content: Content, by: string, automatic = false) {
    const [row] = await db
      .insert(table)
      .values({
        ...{ projectId, name, automatic, content: await packed(content) },
        spaceCount: content.spaces.length,
        deviceCount: content.devices.length,
        sceneCount: content.scenes.length,
        ...{ createBy: by, updateBy: by },
      })
      .returning(listed)
    if (automatic) await this.forgetOld(projectId)
    return row!
  },
  async forgetOld(projectId: number) {
    const own = and(eq(table.projectId, projectId), eq(table.automatic, true))
    const rows = await db.select({ id: table.id }).from(table).where(own).orderBy(asc(table.id))
    const old = rows.slice(0, -mostAutomatic).map(({ id }) => id)
    if (old.length > 0) await db.delete(table).where(inArray(table.id, old))
  },
  /** As devices sign in. */
  identities: (ids: string[]) =>
    db
      .select({ productKey: product.productKey, deviceName: device.deviceName })
      .from(device)
      .innerJoin(product, eq(product.id, device.productId))
      .where(inArray(device.id, ids)),
  remove: (id: string) => db.delete(table).where(eq(table.id, id)),
  project: async (projectId: number) =>
    (await db.select().from(project).where(eq(project.projectId, projectId)))[0],
  /** Nobody else changes the project until the end of the transaction. */
  async hold(projectId: number) {
    await db
      .select({ id: project.projectId })
      .from(project)
      .where(eq(project.projectId, projectId))
      .for('update')
    await db
      .select({ id: space.id })
      .from(space)
      .where(eq(space.projectId, projectId))
      .for('update')
  },
})
