import Checkbox from 'antd/es/checkbox'
import Form from 'antd/es/form'
import { call } from '@iot/shared/client/call'
import { pickInputFields } from '@iot/shared/contract/endpoint'
import {
  DeviceChange,
  DeviceDraft,
  ManagedDevice,
  type DeviceSecret,
} from '@iot/shared/contract/device/managedDevice.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { getSelectedName } from '@iot/shared/contract/options'
import { productApi } from '@iot/shared/contract/product/product.api'
import { deviceAccess } from '@iot/shared/screens/deviceAccess'
import { field } from '@iot/shared/ui/field'
import { FormDialog } from '@iot/shared/ui/formDialog'
import { ChoiceItem, TextItem } from '@iot/shared/ui/items'
import { usePickerOptions } from '@iot/shared/ui/useListed'
import { NoOptionsHint } from '../NoOptionsHint'
import { SpaceSelect } from './SpaceSelect'
import { useSpaceOptions } from './useSpaceOptions'
import { useSecretDialog } from './useSecretDialog'

type DeviceFormProps = {
  projectId: number
  device?: ManagedDevice
  /** The product of a new device may be known already. */
  productId?: string
  /** The place of a new device may be known already. */
  spaceId?: string
  onSaved: (savedDevice: unknown) => void
  onClose: () => void
}

/** Registers a device and shows its one-time secret, or edits a device. */
export default function DeviceForm({
  projectId,
  device,
  productId = '',
  spaceId,
  onSaved,
  onClose,
}: DeviceFormProps) {
  const showSecret = useSecretDialog()
  const { data: products } = usePickerOptions(productApi.list, {
    ready: !device && !productId,
    whenBack: true,
  })
  const spaceOptions = useSpaceOptions(device?.projectId ?? projectId)
  const spaceNamesById = { [device?.spaceId ?? '']: device?.place }
  const blankDevice = {
    productId,
    deviceName: '',
    name: '',
    spaceId: spaceId ?? null,
    protected: false,
  }

  return (
    <FormDialog<DeviceDraft>
      title={device ? '编辑设备' : '登记设备'}
      schema={ManagedDevice}
      initial={device ?? blankDevice}
      to={device ? managedDeviceApi.update : managedDeviceApi.create}
      send={(draft, revision, options) =>
        revision
          ? call(
              managedDeviceApi.update,
              { ...pickInputFields(DeviceChange, draft), ...revision } as never,
              options,
            )
          : call(managedDeviceApi.create, { ...draft, projectId }, options)
      }
      show={(name, value) =>
        name === 'spaceId' && !!value && getSelectedName(spaceOptions, value, spaceNamesById)
      }
      draft={productId ? undefined : 'device'}
      onSaved={(savedDevice) => {
        if (!device) showSecret('设备已登记', savedDevice as DeviceSecret)
        onSaved(savedDevice)
      }}
      onClose={onClose}
    >
      {!device && !productId && (
        <ChoiceItem
          of={DeviceDraft}
          name="productId"
          options={products
            ?.filter(({ status }) => status !== 'disabled')
            .map(({ id, name, modelNo }) => ({
              value: id,
              label: modelNo ? `${name}（${modelNo}）` : name,
            }))}
          none={
            <NoOptionsHint
              rowLabel="产品"
              page={deviceAccess.config.product}
              createEndpoint={productApi.create}
            />
          }
        />
      )}
      <TextItem of={DeviceDraft} name="name" />
      {!device && (
        <TextItem
          of={DeviceDraft}
          name="deviceName"
          extra="设备连接时用，通常是序列号；登记后不能修改"
        />
      )}
      <Form.Item {...field(DeviceDraft, 'spaceId')}>
        <SpaceSelect spaces={spaceOptions} namesById={spaceNamesById} />
      </Form.Item>
      <Form.Item name="protected" valuePropName="checked">
        <Checkbox>受保护回路（应急、疏散），批量操作和场景不会动它</Checkbox>
      </Form.Item>
    </FormDialog>
  )
}
