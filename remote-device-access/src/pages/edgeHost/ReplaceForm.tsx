import { Alert, Form, Select } from 'antd'
import { call } from '@iot/shared/client/call'
import { edgeHostApi, Replacement, type EdgeHost } from '@iot/shared/contract/edgeHost'
import type { DeviceSecret } from '@iot/shared/contract/managedDevice'
import { field } from '@iot/shared/ui/field'
import { FormDialog } from '@iot/shared/ui/formDialog'
import { TextItem } from '@iot/shared/ui/items'
import { listedOnly } from '@iot/shared/ui/useListed'
import { useTellSecret } from '../device/useTellSecret'
import { useGateways } from './useGateways'

type ReplaceFormProps = {
  host: EdgeHost
  onSaved: (made: DeviceSecret) => void
  onClose: () => void
}

/** Assigns a new serial number to replace a broken host; its child devices stay. */
export default function ReplaceForm({ host, onSaved, onClose }: ReplaceFormProps) {
  const { id, productId, name, childCount } = host
  const tell = useTellSecret()
  const gateways = useGateways()
  return (
    <FormDialog<Replacement>
      title={`替换“${name}”`}
      schema={Replacement}
      initial={{ productId, name, deviceName: '' }}
      to={edgeHostApi.replace}
      send={(draft, _, options) => call(edgeHostApi.replace, { ...draft, id }, options)}
      onSaved={(answer) => {
        tell('主机已替换', answer as DeviceSecret)
        onSaved(answer as DeviceSecret)
      }}
      onClose={onClose}
      words={{ ok: '替换', done: `“${name}”已替换` }}
    >
      <Alert
        type="warning"
        showIcon
        style={{ marginBottom: 16 }}
        title={`${childCount} 台子设备、位置和配置归新主机；“${name}”立即断开并禁用`}
      />
      <TextItem
        of={Replacement}
        name="deviceName"
        extra="新主机的序列号；已登记而没有子设备的主机也可以"
      />
      <Form.Item {...field(Replacement, 'productId')}>
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          {...listedOnly(gateways, { [productId]: host.productName })}
        />
      </Form.Item>
      <TextItem of={Replacement} name="name" />
    </FormDialog>
  )
}
