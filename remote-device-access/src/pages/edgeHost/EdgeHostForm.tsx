import { Form } from 'antd'
import { call } from '@iot/shared/client/call'
import { askedBy } from '@iot/shared/contract/endpoint'
import { EdgeHost, edgeHostApi, EdgeHostChange, EdgeHostDraft } from '@iot/shared/contract/edgeHost'
import type { DeviceSecret } from '@iot/shared/contract/managedDevice'
import { chosenName } from '@iot/shared/contract/options'
import { field } from '@iot/shared/ui/field'
import { FormDialog } from '@iot/shared/ui/formDialog'
import { ChoiceItem, NumberItem, TextItem } from '@iot/shared/ui/items'
import { PlaceSelect } from '../device/PlaceSelect'
import { usePlaces } from '../device/usePlaces'
import { useTellSecret } from '../device/useTellSecret'
import { useGateways } from './useGateways'

type EdgeHostFormProps = {
  projectId: number
  host?: EdgeHost
  onSaved: (answer: unknown) => void
  onClose: () => void
}
const blank = { productId: '', name: '', deviceName: '', spaceId: null, heartbeatInterval: 60 }

/** Registers a host and shows its one-time secret, or edits a host. */
export default function EdgeHostForm({ projectId, host, onSaved, onClose }: EdgeHostFormProps) {
  const tell = useTellSecret()
  const gateways = useGateways()
  const places = usePlaces(host?.projectId ?? projectId)
  const known = { [host?.spaceId ?? '']: host?.place }
  return (
    <FormDialog<EdgeHostDraft>
      title={host ? '编辑边缘主机' : '登记边缘主机'}
      schema={EdgeHost}
      initial={host ?? blank}
      to={host ? edgeHostApi.update : edgeHostApi.create}
      send={(draft, revision, options) =>
        revision
          ? call(
              edgeHostApi.update,
              { ...askedBy(EdgeHostChange, draft), ...revision } as never,
              options,
            )
          : call(edgeHostApi.create, { ...draft, projectId }, options)
      }
      show={(name, value) => name === 'spaceId' && !!value && chosenName(places, value, known)}
      draft="edgeHost"
      onSaved={(answer) => {
        if (!host) tell('边缘主机已登记', answer as DeviceSecret)
        onSaved(answer)
      }}
      onClose={onClose}
    >
      {!host && <ChoiceItem of={EdgeHostDraft} name="productId" options={gateways} />}
      <TextItem of={EdgeHostDraft} name="name" />
      {!host && (
        <TextItem
          of={EdgeHostDraft}
          name="deviceName"
          extra="主机连接时用作 DeviceName；登记后不能修改"
        />
      )}
      <Form.Item {...field(EdgeHostDraft, 'spaceId')}>
        <PlaceSelect places={places} known={known} />
      </Form.Item>
      <NumberItem
        of={EdgeHostDraft}
        name="heartbeatInterval"
        extra="连着 3 个间隔没有上报，主机显示为降级"
        suffix="秒"
        precision={0}
      />
    </FormDialog>
  )
}
