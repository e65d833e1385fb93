import { deviceStateText } from '@iot/shared/contract/device/managedDevice'
import { ManagedDevice } from '@iot/shared/contract/device/managedDevice.schema'
import { nodeText } from '@iot/shared/contract/product/product'
import { createChoiceConversion } from '../../core/tasks/cellConversion'
import { createSheetColumns } from '../../core/tasks/sheet'

/** Columns of an export. Secrets are only in the file that a registration hands out. */
export const sheet = createSheetColumns(ManagedDevice, {
  name: '',
  deviceName: '',
  productName: '',
  productKey: '',
  node: createChoiceConversion(nodeText),
  place: '',
  state: createChoiceConversion(deviceStateText),
  protected: '',
  gatewayName: '',
  address: '',
  onlineTime: '',
  reportedTime: '',
  createTime: '',
})
