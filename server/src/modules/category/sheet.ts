import { ProductCategory, ProductCategoryDraft } from '@iot/shared/contract/product/category.schema'
import { Sort } from '@iot/shared/contract/fields.schema'
import type { z } from 'zod'
import { createSheetColumns } from '../../core/tasks/sheet'
import { createParentSchema } from '../../core/tasks/treeSheet'

/**
 * Columns of a category in an import file. The parent is given by its path of names; without a sort number the category
 * becomes the last sibling.
 */
export const CategoryLine = ProductCategoryDraft.omit({ parentId: true }).extend({
  parent: createParentSchema('上级品类'),
  sort: Sort.optional(),
})
export type CategoryLine = z.infer<typeof CategoryLine>

export const sheet = createSheetColumns(CategoryLine, {
  name: '筒灯',
  code: 'DownLight',
  parent: '照明 / 灯',
  icon: { example: 'BulbOutlined', optional: true },
  sort: { example: '1', optional: true },
  description: { optional: true },
})
/** Functions of a category have import files of their own. */
export const exportColumns = [
  ...sheet,
  ...createSheetColumns(ProductCategory, {
    functionCount: '',
    productCount: '',
    modelVersion: '',
    updateTime: '',
  }),
]
