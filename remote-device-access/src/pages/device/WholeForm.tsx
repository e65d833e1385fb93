import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Alert, Button, Flex, Form } from 'antd'
import { Property, type DataType } from '@iot/shared/contract/thingModel'
import { typeWords } from '@iot/shared/contract/thingText'
import { isWhole, parsed, refuseValue } from '@iot/shared/contract/thingValue'
import { FormDialog, wholeLine } from '@iot/shared/ui/formDialog'
import { ValueField } from '../thingModel/ValueField'

type Simple = Exclude<DataType, { type: 'struct' } | { type: 'array' }>
type Struct = Extract<DataType, { type: 'struct' }>
type List = Extract<DataType, { type: 'array' }>
type Path = (string | number)[]
/** Named as the platform names what it refuses: `values.Colour.Red`. */
type Typed = { values: Record<string, unknown> }
type WholeFormProps = {
  property: Property
  /** What the device says, as JSON text: where one begins. */
  reported?: number | string
  isProtected: boolean
  send: (value: string, options: { handles: number[] }) => Promise<unknown>
  onClose: () => void
}

/** Asks a device for a structure or an array, member by member of its model, as one command. */
export default function WholeForm({
  property: { identifier, name, dataType },
  reported,
  isProtected,
  send,
  onClose,
}: WholeFormProps) {
  const said = parsed(reported)
  const known = refuseValue(dataType, said) === undefined ? said : undefined
  const path = ['values', identifier]
  const empty = dataType.type === 'array' ? [] : {}
  return (
    <FormDialog<Typed>
      wide={dataType.type === 'struct' && dataType.specs.length > 6}
      title={`设置${name}`}
      schema={Property}
      words={{ ok: '下发', done: '已下发，等待设备确认' }}
      initial={{ values: { [identifier]: known ?? empty } }}
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
      {dataType.type === 'struct' && <Members of={dataType} path={path} />}
      {dataType.type === 'array' && <Items name={name} of={dataType} path={path} />}
    </FormDialog>
  )
}

/** @param label where several stand below each other: of which item a member is */
const Members = ({ of, path, label = '' }: { of: Struct; path: Path; label?: string }) => (
  <div style={{ ...columns, ...wholeLine }}>
    {of.specs.map(({ identifier, name, dataType }) => (
      <Form.Item
        key={identifier}
        name={[...path, identifier]}
        label={`${name} ${identifier}`}
        extra={typeWords(dataType)}
        rules={rulesOf(name, dataType)}
      >
        <ValueField dataType={dataType} label={label ? `${label}的${name}` : undefined} />
      </Form.Item>
    ))}
  </div>
)

function Items({ name, of: { specs }, path }: { name: string; of: List; path: Path }) {
  const { item, size } = specs
  return (
    <Form.List name={path}>
      {(fields, { add, remove }) => (
        <Flex vertical gap={8}>
          {fields.map((field, at) => {
            const label = `第 ${at + 1} 项`
            return (
              <Flex key={field.key} gap={8} align="start">
                <span style={{ width: 64, paddingTop: 5, flexShrink: 0 }}>{label}</span>
                <div style={{ flex: 1, minWidth: 0 }}>
                  {item.type === 'struct' ? (
                    <Members of={item} path={[field.name]} label={label} />
                  ) : (
                    <Form.Item name={field.name} rules={rulesOf(label, item)}>
                      <ValueField dataType={item} label={label} />
                    </Form.Item>
                  )}
                </div>
                <Button
                  type="text"
                  icon={<DeleteOutlined />}
                  aria-label={`删除${label}`}
                  onClick={() => remove(field.name)}
                />
              </Flex>
            )
          })}
          <Button
            type="dashed"
            icon={<PlusOutlined />}
            disabled={fields.length >= size}
            onClick={() => add(item.type === 'struct' ? {} : undefined)}
          >
            {fields.length >= size ? `最多 ${size} 项` : `添加${name}的一项`}
          </Button>
        </Flex>
      )}
    </Form.List>
  )
}

const columns = {
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(240px, 1fr))',
  columnGap: 16,
}

const rulesOf = (name: string, dataType: Simple | List['specs']['item']) => [
  { required: true, message: `请填写${name}` },
  {
    validator: async (_: unknown, value: unknown) => {
      if (value === undefined || value === '' || value === null || isWhole(dataType)) return
      const why = refuseValue(dataType, value)
      if (why) throw new Error(`${name}${why}`)
    },
  },
]
