import { deviceStateText, ManagedDevice } from '@iot/shared/contract/managedDevice'
import { nodeText } from '@iot/shared/contract/product'
import { sheetOf, wordsOf } from '../../core/tasks/sheet'

/** Columns of an export. Secrets are only in the file that a registration hands out. */
export const sheet = sheetOf(ManagedDevice, {
  name: '',
  deviceName: '',
  productName: '',
  productKey: '',
  node: wordsOf(nodeText),
  place: '',
  state: wordsOf(deviceStateText),
  protected: '',
  gatewayName: '',
  address: '',
  onlineTime: '',
  reportedTime: '',
  createTime: '',
})
