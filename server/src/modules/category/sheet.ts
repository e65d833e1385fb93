import { ProductCategory, ProductCategoryDraft } from '@iot/shared/contract/category'
import { Sort } from '@iot/shared/contract/fields'
import type { z } from 'zod'
import { sheetOf } from '../../core/tasks/sheet'
import { parentCell } from '../../core/tasks/treeSheet'

/** A category as a row of a file: the one above it by its names, last of its siblings where no number is given. */
export const CategoryLine = ProductCategoryDraft.omit({ parentId: true }).extend({
  parent: parentCell('上级品类'),
  sort: Sort.optional(),
})
export type CategoryLine = z.infer<typeof CategoryLine>

export const sheet = sheetOf(CategoryLine, {
  name: '筒灯',
  code: 'DownLight',
  parent: '照明 / 灯',
  icon: { example: 'BulbOutlined', optional: true },
  sort: { example: '1', optional: true },
  description: { optional: true },
})
/** Functions have files of their own. */
export const exported = [
  ...sheet,
  ...sheetOf(ProductCategory, {
    functionCount: '',
    productCount: '',
    modelVersion: '',
    updateTime: '',
  }),
]
