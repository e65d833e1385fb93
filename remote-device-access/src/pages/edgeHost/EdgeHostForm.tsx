import Form from 'antd/es/form'
import { call } from '@iot/shared/client/call'
import { pickInputFields } from '@iot/shared/contract/endpoint'
import {
  EdgeHost,
  EdgeHostChange,
  EdgeHostDraft,
} from '@iot/shared/contract/device/edgeHost.schema'
import { edgeHostApi } from '@iot/shared/contract/device/edgeHost.api'
import type { DeviceSecret } from '@iot/shared/contract/device/managedDevice.schema'
import { getSelectedName } from '@iot/shared/contract/options'
import { field } from '@iot/shared/ui/field'
import { FormDialog } from '@iot/shared/ui/formDialog'
import { ChoiceItem, NumberItem, TextItem } from '@iot/shared/ui/items'
import { SpaceSelect } from '../device/SpaceSelect'
import { useSpaceOptions } from '../device/useSpaceOptions'
import { useSecretDialog } from '../device/useSecretDialog'
import { useGatewayOptions } from './useGatewayOptions'

type EdgeHostFormProps = {
  projectId: number
  host?: EdgeHost
  onSaved: (savedHost: unknown) => void
  onClose: () => void
}
const blankHost = { productId: '', name: '', deviceName: '', spaceId: null, heartbeatInterval: 60 }

/** Registers a host and shows its one-time secret, or edits a host. */
export default function EdgeHostForm({ projectId, host, onSaved, onClose }: EdgeHostFormProps) {
  const showSecret = useSecretDialog()
  const gatewayOptions = useGatewayOptions()
  const spaceOptions = useSpaceOptions(host?.projectId ?? projectId)
  const spaceNamesById = { [host?.spaceId ?? '']: host?.place }
  return (
    <FormDialog<EdgeHostDraft>
      title={host ? '编辑边缘主机' : '登记边缘主机'}
      schema={EdgeHost}
      initial={host ?? blankHost}
      to={host ? edgeHostApi.update : edgeHostApi.create}
      send={(draft, revision, options) =>
        revision
          ? call(
              edgeHostApi.update,
              { ...pickInputFields(EdgeHostChange, draft), ...revision } as never,
              options,
            )
          : call(edgeHostApi.create, { ...draft, projectId }, options)
      }
      show={(name, value) =>
        name === 'spaceId' && !!value && getSelectedName(spaceOptions, value, spaceNamesById)
      }
      draft="edgeHost"
      onSaved={(savedHost) => {
        if (!host) showSecret('边缘主机已登记', savedHost as DeviceSecret)
        onSaved(savedHost)
      }}
      onClose={onClose}
    >
      {!host && <ChoiceItem of={EdgeHostDraft} name="productId" options={gatewayOptions} />}
      <TextItem of={EdgeHostDraft} name="name" />
      {!host && (
        <TextItem
          of={EdgeHostDraft}
          name="deviceName"
          extra="主机连接时用作 DeviceName；登记后不能修改"
        />
      )}
      <Form.Item {...field(EdgeHostDraft, 'spaceId')}>
        <SpaceSelect spaces={spaceOptions} namesById={spaceNamesById} />
      </Form.Item>
      <NumberItem
        of={EdgeHostDraft}
        name="heartbeatInterval"
        extra="连着 3 个间隔没有上报，主机显示为降级"
        suffix="秒"
      />
    </FormDialog>
  )
}
