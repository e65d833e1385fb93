import {
  modeText,
  RegistrationRecord,
  RegistrationRule,
  registrationStateText,
  RuleLine,
  wayText,
} from '@iot/shared/contract/registration'
import { dayWords, severalOf, sheetOf, wordsOf } from '../../core/tasks/sheet'

/** Columns of an import file, with the example row of the template. */
export const sheet = sheetOf(RuleLine, {
  name: '示例吸顶灯',
  // The key distinguishes products of the same name.
  productKey: { optional: true },
  mode: { ...wordsOf(modeText), example: modeText.free },
  projectName: '华南片区/科创园',
  nameTemplate: '{deviceName}',
  addresses: { ...severalOf(), example: '10.0.0.0/8' },
  expireTime: { ...dayWords, example: '2099-12-31' },
  quota: '100',
  approval: '是',
  status: '启用',
})
/** An export tells whether a product has a secret, but never contains the secret. */
export const exported = [...sheet, ...sheetOf(RegistrationRule, { hasSecret: '', updateTime: '' })]

export const recordSheet = sheetOf(RegistrationRecord, {
  deviceName: '',
  productName: '',
  productKey: '',
  gatewayName: '',
  way: wordsOf(wayText),
  state: wordsOf(registrationStateText),
  reason: '',
  address: '',
  count: '',
  firstTime: '',
  lastTime: '',
  decideBy: '',
})
