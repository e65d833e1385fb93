import { Icon } from '@iot/shared/contract/icon'
import { severalOf, sheetOf } from '../../core/tasks/sheet'

/** Of an export: pictures come as files, many at once. */
export const sheet = sheetOf(Icon, {
  name: '',
  code: '',
  group: '',
  tags: severalOf(),
  usedCount: '',
  status: '',
  updateTime: '',
})
