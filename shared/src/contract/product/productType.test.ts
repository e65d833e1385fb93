import { formatParameters } from './communicationProtocol'
import type { Parameter } from './communicationProtocol.schema'
import { formatActions } from './productType'
import type { TypeAction } from './productType.schema'

const action: TypeAction = {
  actionType: 'all_on',
  name: '全开',
  identifier: 'PowerSwitch',
  value: 1,
  confirm: 'ask',
}
const parameter: Parameter = {
  key: 'slave',
  label: '从站地址',
  type: 'number',
  required: true,
  default: '1',
  secret: false,
}

it('the text of an action and of a parameter contains every editable field', () => {
  expect(formatActions([action])).toBe('全开（all_on，PowerSwitch = 1，先说明再执行）')
  expect(formatActions([{ ...action, confirm: 'strict' }])).not.toBe(formatActions([action]))
  expect(formatParameters([parameter])).toBe('从站地址（slave，数字，必填，默认 1）')
  expect(formatParameters([{ ...parameter, required: false }])).toBe(
    '从站地址（slave，数字，默认 1）',
  )
})
