import Alert from 'antd/es/alert'
import Form from 'antd/es/form'
import { call } from '@iot/shared/client/call'
import {
  RegistrationApproval,
  type RegistrationRecord,
} from '@iot/shared/contract/device/registration.schema'
import { registrationRecordApi } from '@iot/shared/contract/device/registration.api'
import { field } from '@iot/shared/ui/field'
import { FormDialog } from '@iot/shared/ui/formDialog'
import { TextItem } from '@iot/shared/ui/items'
import { SpaceSelect } from '../device/SpaceSelect'
import { useSpaceOptions } from '../device/useSpaceOptions'

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
  const spaceOptions = useSpaceOptions(projectId)
  const changesGateway = device?.gatewayName && device.gatewayName !== gatewayName

  return (
    <FormDialog<RegistrationApproval>
      title={`通过 ${deviceName}`}
      schema={RegistrationApproval}
      initial={{ name: device?.name ?? deviceName, spaceId: device?.spaceId ?? null }}
      draft={`approval/${id}`}
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
      {changesGateway && (
        <Alert
          type="warning"
          showIcon
          title={`它现在属于“${device.gatewayName}”，保存后改归“${gatewayName}”`}
          style={{ marginBottom: 16 }}
        />
      )}
      <TextItem of={RegistrationApproval} name="name" autoFocus />
      <Form.Item {...field(RegistrationApproval, 'spaceId')}>
        <SpaceSelect spaces={spaceOptions} />
      </Form.Item>
    </FormDialog>
  )
}
