import { Alert } from 'antd'
import { rights } from '@iot/shared/contract/homeRights'
import { Property } from '@iot/shared/contract/thingModel'
import { parsed, refuseValue } from '@iot/shared/contract/thingValue'
import { FormDialog } from '@iot/shared/ui/formDialog'
import { WholeFields } from '../thingModel/WholeFields'

/** Fields are named as in the platform's field errors: `values.Colour.Red`. */
type Typed = { values: Record<string, unknown> }
type WholeFormProps = {
  property: Property
  /** The form starts with the reported value, which is JSON text. */
  reported?: number | string
  isProtected: boolean
  send: (value: string, options: { handles: number[] }) => Promise<unknown>
  onClose: () => void
}

/** Sets a structure or an array member by member and sends it as one command. */
export default function WholeForm({
  property: { identifier, name, dataType },
  reported,
  isProtected,
  send,
  onClose,
}: WholeFormProps) {
  const said = parsed(reported)
  const known = refuseValue(dataType, said) === undefined ? said : undefined
  const empty = dataType.type === 'array' ? [] : {}
  return (
    <FormDialog<Typed>
      wide={dataType.type === 'struct' && dataType.specs.length > 6}
      title={`设置${name}`}
      schema={Property}
      words={{ ok: '下发', done: '已下发，等待设备确认' }}
      initial={{ values: { [identifier]: known ?? empty } }}
      to={rights.control}
      send={({ values }, _, options) => send(JSON.stringify(values[identifier] ?? empty), options)}
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
      <WholeFields name={name} dataType={dataType} path={['values', identifier]} />
    </FormDialog>
  )
}
