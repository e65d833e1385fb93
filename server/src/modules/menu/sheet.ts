import { Menu, menuTypeText } from '@iot/shared/contract/menu'
import { sheetOf, wordsOf } from '../../core/tasks/sheet'
import { parentCell } from '../../core/tasks/treeSheet'

export const sheet = sheetOf(Menu.extend({ parent: parentCell('上级') }), {
  name: '',
  type: wordsOf(menuTypeText),
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
