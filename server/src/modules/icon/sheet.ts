import { Icon } from '@iot/shared/contract/icon'
import { severalOf, sheetOf } from '../../core/tasks/sheet'

/** Columns of an export; pictures are exported as files instead. */
export const sheet = sheetOf(Icon, {
  name: '',
  code: '',
  group: '',
  tags: severalOf(),
  usedCount: '',
  status: '',
  updateTime: '',
})
