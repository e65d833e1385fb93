import { menuTypeText } from '@iot/shared/contract/access/menu'
import { Menu } from '@iot/shared/contract/access/menu.schema'
import { createChoiceConversion } from '../../core/tasks/cellConversion'
import { createSheetColumns } from '../../core/tasks/sheet'
import { createParentSchema } from '../../core/tasks/treeSheet'

export const sheet = createSheetColumns(Menu.extend({ parent: createParentSchema('上级') }), {
  name: '',
  type: createChoiceConversion(menuTypeText),
  parent: '',
  path: '',
  routeName: '',
  permission: '',
  icon: '',
  visible: '',
  sort: '',
  status: '',
  builtin: '',
  updateTime: '',
})
