import Alert from 'antd/es/alert'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import { Property } from '@iot/shared/contract/thingModel/thingModel.schema'
import { parseJson, validateValue } from '@iot/shared/contract/thingModel/thingValue'
import { FormDialog } from '@iot/shared/ui/formDialog'
import { CompositeFields } from '../thingModel/CompositeFields'

/** Fields are named as in the platform's field errors: `values.Colour.Red`. */
type FormValues = { values: Record<string, unknown> }
type CompositeValueFormProps = {
  property: Property
  /** The form starts with the reported value, which is JSON text. */
  reported?: number | string
  isProtected: boolean
  send: (value: string, options: { handles: number[] }) => Promise<unknown>
  onClose: () => void
}

/** Sets a structure or an array member by member and sends it as one command. */
export default function CompositeValueForm({
  property: { identifier, name, dataType },
  reported,
  isProtected,
  send,
  onClose,
}: CompositeValueFormProps) {
  const reportedValue = parseJson(reported)
  const validReportedValue =
    validateValue(dataType, reportedValue) === undefined ? reportedValue : undefined
  const emptyValue = dataType.type === 'array' ? [] : {}
  return (
    <FormDialog<FormValues>
      wide={dataType.type === 'struct' && dataType.specs.length > 6}
      title={`设置${name}`}
      schema={Property}
      words={{ ok: '下发', done: '已下发，等待设备确认' }}
      initial={{ values: { [identifier]: validReportedValue ?? emptyValue } }}
      draft={`value/${identifier}`}
      to={devicePermissions.control}
      send={({ values }, _, options) =>
        send(JSON.stringify(values[identifier] ?? emptyValue), options)
      }
      onSaved={() => {}}
      onClose={onClose}
    >
      {isProtected && (
        <Alert
          type="warning"
          showIcon
          title="这台设备属于应急或疏散回路，批量操作不会动它"
          style={{ marginBottom: 16 }}
        />
      )}
      <CompositeFields name={name} dataType={dataType} path={['values', identifier]} />
    </FormDialog>
  )
}
