import { Icon } from '@iot/shared/contract/product/icon.schema'
import { createListConversion } from '../../core/tasks/cellConversion'
import { createSheetColumns } from '../../core/tasks/sheet'

/** Columns of an export; pictures are exported as files instead. */
export const sheet = createSheetColumns(Icon, {
  name: '',
  code: '',
  group: '',
  tags: createListConversion(),
  usedCount: '',
  status: '',
  updateTime: '',
})
