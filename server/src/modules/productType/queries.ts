import type {
  ProductTypeDraft,
  productTypeSchemas,
} from '@iot/shared/contract/product/productType.schema'
import { isLibraryIcon } from '@iot/shared/contract/product/iconName'
import { and, arrayContains, asc, eq, inArray, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { contains, whereEquals } from '../../core/db/rows'
import { versionedQueries } from '../../core/db/versionedQueries'
import { product } from '../../tables/device'
import { icon } from '../../tables/icon'
import { withIconCodes } from '../icon/policy'
import { productType as table } from '../../tables/productType'
import { scene, sceneAction } from '../../tables/scene'

type PageInput = z.output<typeof productTypeSchemas.page.input>

export const productTypeQueries = (db: Db) => {
  const rows = versionedQueries(db, table)
  return {
    ...rows,
    insert: (draft: ProductTypeDraft, actor: string) =>
      rows.insert({ ...draft, builtin: false }, actor),
    page: ({ name, category, status, ...page }: PageInput) =>
      rows.list(
        and(
          name ? or(contains(table.name, name), contains(table.code, name)) : undefined,
          category ? arrayContains(table.categories, [category]) : undefined,
          whereEquals(table.status, status),
        ),
        page,
        'sort',
      ),
    /** Lists types for an export, with the codes of library icons. */
    async exportPage(query: PageInput) {
      const { list, ...count } = await this.page(query)
      return { ...count, list: await withIconCodes(db, list) }
    },
    /** Adds the pictures of library icons. */
    async listOptions() {
      const rows = await db.select().from(table).orderBy(asc(table.sort), asc(table.id))
      const ids = rows.map((row) => row.icon).filter(isLibraryIcon)
      const icons = await db
        .select({
          id: icon.id,
          on: icon.on,
          off: icon.off,
          offline: icon.offline,
          fault: icon.fault,
        })
        .from(icon)
        .where(inArray(icon.id, ids))
      return rows.map((row) => {
        const { id: _, ...pictures } = icons.find(({ id }) => id === row.icon) ?? {}
        return { ...row, pictures: 'on' in pictures ? pictures : null }
      })
    },
    findUsingIcons: (ids: string[]) =>
      db
        .select({
          to: table.icon,
          entity: sql<string>`'产品类型'`,
          id: table.id,
          name: table.name,
        })
        .from(table)
        .where(inArray(table.icon, ids))
        .orderBy(table.id),
    findProductsUsing: (ids: string[]) =>
      db
        .select({ to: table.id, entity: sql<string>`'产品'`, id: product.id, name: product.name })
        .from(product)
        .innerJoin(table, eq(table.code, product.productType))
        .where(inArray(table.id, ids))
        .orderBy(product.id),
    findScenesUsing: (ids: string[]) =>
      db
        .selectDistinct({
          to: table.id,
          entity: sql<string>`'场景'`,
          id: scene.id,
          name: scene.name,
          projectId: scene.projectId,
        })
        .from(sceneAction)
        .innerJoin(table, eq(table.code, sceneAction.productType))
        .innerJoin(
          scene,
          and(eq(scene.projectId, sceneAction.projectId), eq(scene.id, sceneAction.sceneId)),
        )
        .where(inArray(table.id, ids))
        .orderBy(scene.id),
  }
}
