import type { ActionMode } from '@iot/shared/contract/device/device.schema'
import { lightProductType } from '@iot/shared/contract/control/light'
import { createBulkAction } from './bulkActions'

const allOffMode: ActionMode = {
  productType: lightProductType,
  typeName: '灯光',
  actionType: 'all_off',
  name: '全关',
  confirm: 'ask',
  identifier: 'PowerSwitch',
  showOnHome: true,
}

it.each([
  ['A座1F-大堂-01', ['1'], '关 A座1F-大堂-01'],
  ['选中的 2 盏', ['1', '2'], '关选中的 2 盏灯'],
])('titles the action for %s', (name, deviceIds, title) => {
  const action = createBulkAction(allOffMode, 1, { kind: 'devices', deviceIds }, name)
  expect(action.title).toBe(title)
  expect(action.spoken).toEqual({ kind: 'all_off', name, lamps: deviceIds.length })
})
it('titles the action for a place with its lamps', () =>
  expect(createBulkAction(allOffMode, 1, { kind: 'project' }, '大堂').title).toBe('关大堂的灯'))
