import type { Scope } from '@iot/shared/contract/control'
import { and, asc, count, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { device, product } from '../../tables/device'
import { space } from '../../tables/space'
import { scene, sceneAction } from '../../tables/scene'

export const sceneQueries = (db: Db) => ({
  async page(scope: 'all' | number[], pageNo: number, pageSize: number) {
    const seen = scope === 'all' ? undefined : inArray(scene.projectId, scope)
    const list = await db
      .select()
      .from(scene)
      .where(seen)
      .orderBy(asc(scene.projectId), asc(scene.sort), asc(scene.id))
      .limit(pageSize)
      .offset((pageNo - 1) * pageSize)
    const [{ total } = { total: 0 }] = await db.select({ total: count() }).from(scene).where(seen)
    return { list, total }
  },
  actions: (projectId: number, sceneIds: string[]) =>
    db
      .select()
      .from(sceneAction)
      .where(and(eq(sceneAction.projectId, projectId), inArray(sceneAction.sceneId, sceneIds))),
  spaces: (projectId: number) =>
    db
      .select({ id: space.id, parentId: space.parentId })
      .from(space)
      .where(eq(space.projectId, projectId)),
  devices: (projectId: number) =>
    db
      .select({ id: device.id, spaceId: device.spaceId, productType: product.productType })
      .from(device)
      .innerJoin(product, eq(product.id, device.productId))
      .where(and(eq(device.projectId, projectId), eq(device.protected, false))),
})
export type SceneAction = { sceneId: string; productType: string; scope: Scope }
