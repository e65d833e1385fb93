import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Flex, Form } from 'antd'
import type { DataType } from '@iot/shared/contract/thingModel'
import { typeWords } from '@iot/shared/contract/thingText'
import { isWhole, refuseValue } from '@iot/shared/contract/thingValue'
import { wholeLine } from '@iot/shared/ui/formDialog'
import { ValueField } from './ValueField'

type Struct = Extract<DataType, { type: 'struct' }>
type List = Extract<DataType, { type: 'array' }>
type Path = (string | number)[]
type WholeFieldsProps = { name: string; dataType: DataType; path: Path }

/** Renders inputs for the members of a structure or the items of an array. */
export const WholeFields = ({ name, dataType, path }: WholeFieldsProps) => (
  <>
    {dataType.type === 'struct' && <Members of={dataType} path={path} />}
    {dataType.type === 'array' && <Items name={name} of={dataType} path={path} />}
  </>
)

/** @param label item of an array to which the member belongs, if several are listed */
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

/** Returns the validation rules of a value with a single input; the members of a structure have their own. */
export const rulesOf = (name: string, dataType: DataType) => [
  { required: true, message: `请填写${name}` },
  {
    validator: async (_: unknown, value: unknown) => {
      if (value === undefined || value === '' || value === null || isWhole(dataType)) return
      const why = refuseValue(dataType, value)
      if (why) throw new Error(`${name}${why}`)
    },
  },
]
