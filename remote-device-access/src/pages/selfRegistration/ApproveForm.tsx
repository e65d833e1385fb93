import { Alert, Form } from 'antd'
import { call } from '@iot/shared/client/call'
import {
  Approval,
  type RegistrationRecord,
  registrationRecordApi,
} from '@iot/shared/contract/registration'
import { field } from '@iot/shared/ui/field'
import { FormDialog } from '@iot/shared/ui/formDialog'
import { TextItem } from '@iot/shared/ui/items'
import { PlaceSelect } from '../device/PlaceSelect'
import { usePlaces } from '../device/usePlaces'

type ApproveFormProps = {
  record: RegistrationRecord
  projectId: number
  onSaved: () => void
  onClose: () => void
}

/**
 * Asks for name and space of a device before it is approved; a device known behind another gateway moves to the new
 * one.
 */
export default function ApproveForm({ record, projectId, onSaved, onClose }: ApproveFormProps) {
  const { id, deviceName, gatewayName, device, state } = record
  const ownerId = device?.gatewayId ?? null
  const places = usePlaces(projectId)
  const moves = device?.gatewayName && device.gatewayName !== gatewayName

  return (
    <FormDialog<Approval>
      title={`通过 ${deviceName}`}
      schema={Approval}
      initial={{ name: device?.name ?? deviceName, spaceId: device?.spaceId ?? null }}
      to={registrationRecordApi.approve}
      send={({ name, spaceId }, _, options) =>
        call(
          registrationRecordApi.approve,
          { id, projectId, state, ownerId, name, spaceId: spaceId ?? null },
          options,
        )
      }
      onSaved={onSaved}
      onClose={onClose}
    >
      {moves && (
        <Alert
          type="warning"
          showIcon
          title={`它现在属于“${device.gatewayName}”，保存后改归“${gatewayName}”`}
          style={{ marginBottom: 16 }}
        />
      )}
      <TextItem of={Approval} name="name" autoFocus />
      <Form.Item {...field(Approval, 'spaceId')}>
        <PlaceSelect places={places} />
      </Form.Item>
    </FormDialog>
  )
}
