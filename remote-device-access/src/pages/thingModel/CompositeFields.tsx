import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Form from 'antd/es/form'
import type { DataType } from '@iot/shared/contract/thingModel/thingModel.schema'
import { describeType } from '@iot/shared/contract/thingModel/thingText'
import { isComposite, validateValue } from '@iot/shared/contract/thingModel/thingValue'
import { fullRowStyle } from '@iot/shared/ui/formDialog'
import { ValueField } from './ValueField'

type StructType = Extract<DataType, { type: 'struct' }>
type ArrayType = Extract<DataType, { type: 'array' }>
type Path = (string | number)[]
type CompositeFieldsProps = { name: string; dataType: DataType; path: Path }

/** Renders inputs for the members of a structure or the items of an array. */
export const CompositeFields = ({ name, dataType, path }: CompositeFieldsProps) => (
  <>
    {dataType.type === 'struct' && <StructFields of={dataType} path={path} />}
    {dataType.type === 'array' && <ArrayFields name={name} of={dataType} path={path} />}
  </>
)

/** @param label item of an array to which the member belongs, if several are listed */
const StructFields = ({ of, path, label = '' }: { of: StructType; path: Path; label?: string }) => (
  <div style={{ ...columnsStyle, ...fullRowStyle }}>
    {of.specs.map(({ identifier, name, dataType }) => (
      <Form.Item
        key={identifier}
        name={[...path, identifier]}
        label={`${name} ${identifier}`}
        extra={describeType(dataType)}
        rules={createValueRules(name, dataType)}
      >
        <ValueField dataType={dataType} label={label ? `${label}的${name}` : undefined} />
      </Form.Item>
    ))}
  </div>
)

function ArrayFields({ name, of: { specs }, path }: { name: string; of: ArrayType; path: Path }) {
  const { item, size } = specs
  return (
    <Form.List name={path}>
      {(fields, { add, remove }) => (
        <Flex vertical gap={8}>
          {fields.map((field, index) => {
            const label = `第 ${index + 1} 项`
            return (
              <Flex key={field.key} gap={8} align="start">
                <span style={{ width: 64, paddingTop: 5, flexShrink: 0 }}>{label}</span>
                <div style={{ flex: 1, minWidth: 0 }}>
                  {item.type === 'struct' ? (
                    <StructFields of={item} path={[field.name]} label={label} />
                  ) : (
                    <Form.Item name={field.name} rules={createValueRules(label, item)}>
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

const columnsStyle = {
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(240px, 1fr))',
  columnGap: 16,
}

/** Returns the validation rules of a value with a single input; the members of a structure have their own. */
export const createValueRules = (name: string, dataType: DataType) => [
  { required: true, message: `请填写${name}` },
  {
    validator: async (_: unknown, value: unknown) => {
      if (value === undefined || value === '' || value === null || isComposite(dataType)) return
      const reason = validateValue(dataType, value)
      if (reason) throw new Error(`${name}${reason}`)
    },
  },
]
