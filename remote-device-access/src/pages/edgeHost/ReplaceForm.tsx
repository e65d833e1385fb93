import Alert from 'antd/es/alert'
import Form from 'antd/es/form'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { HostReplacement, type EdgeHost } from '@iot/shared/contract/device/edgeHost.schema'
import { edgeHostApi } from '@iot/shared/contract/device/edgeHost.api'
import type { DeviceSecret } from '@iot/shared/contract/device/managedDevice.schema'
import { field } from '@iot/shared/ui/field'
import { FormDialog } from '@iot/shared/ui/formDialog'
import { TextItem } from '@iot/shared/ui/items'
import { Select } from '@iot/shared/ui/select'
import { buildSelectProps } from '@iot/shared/ui/useListed'
import { useSecretDialog } from '../device/useSecretDialog'
import { useGatewayOptions } from './useGatewayOptions'

type ReplaceFormProps = {
  host: EdgeHost
  onSaved: (replacement: DeviceSecret) => void
  onClose: () => void
}

/** Assigns a new serial number to replace a broken host; its child devices stay. */
export default function ReplaceForm({ host, onSaved, onClose }: ReplaceFormProps) {
  const { id, productId, name, childCount } = host
  const showSecret = useSecretDialog()
  const gatewayOptions = useGatewayOptions()
  // The page polls the host; the user has seen the version with which the form opened.
  const [seenVersion] = useState(host.version)
  return (
    <FormDialog<HostReplacement>
      title={`替换“${name}”`}
      schema={HostReplacement}
      initial={{ productId, name, deviceName: '' }}
      draft={`edgeHostReplacement/${id}`}
      to={edgeHostApi.replace}
      send={(draft, _, options) =>
        call(edgeHostApi.replace, { ...draft, id, seenVersion }, options)
      }
      onSaved={(newHost) => {
        showSecret('主机已替换', newHost as DeviceSecret)
        onSaved(newHost as DeviceSecret)
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
        of={HostReplacement}
        name="deviceName"
        extra="新主机的序列号；已登记而没有子设备的主机也可以"
      />
      <Form.Item {...field(HostReplacement, 'productId')}>
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          {...buildSelectProps(gatewayOptions, { [productId]: host.productName })}
        />
      </Form.Item>
      <TextItem of={HostReplacement} name="name" />
    </FormDialog>
  )
}
