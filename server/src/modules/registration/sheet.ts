import {
  registrationModeText,
  registrationStateText,
  registrationWayText,
} from '@iot/shared/contract/device/registration'
import {
  RegistrationRecord,
  RegistrationRule,
  RegistrationRuleFileRow,
} from '@iot/shared/contract/device/registration.schema'
import { createListConversion, createChoiceConversion } from '../../core/tasks/cellConversion'
import { dayConversion, createSheetColumns } from '../../core/tasks/sheet'

/** Columns of an import file, with the example row of the template. */
export const sheet = createSheetColumns(RegistrationRuleFileRow, {
  name: '示例吸顶灯',
  // The key distinguishes products of the same name.
  productKey: { optional: true },
  mode: { ...createChoiceConversion(registrationModeText), example: registrationModeText.free },
  projectName: '华南片区/科创园',
  nameTemplate: '{deviceName}',
  addresses: { ...createListConversion(), example: '10.0.0.0/8' },
  expireTime: { ...dayConversion, example: '2099-12-31' },
  quota: '100',
  approval: '是',
  status: '启用',
})
/** An export tells whether a product has a secret, but never contains the secret. */
export const exportColumns = [
  ...sheet,
  ...createSheetColumns(RegistrationRule, { hasSecret: '', updateTime: '' }),
]

export const recordSheet = createSheetColumns(RegistrationRecord, {
  deviceName: '',
  productName: '',
  productKey: '',
  gatewayName: '',
  way: createChoiceConversion(registrationWayText),
  state: createChoiceConversion(registrationStateText),
  reason: '',
  address: '',
  count: '',
  firstTime: '',
  lastTime: '',
  decideBy: '',
})
