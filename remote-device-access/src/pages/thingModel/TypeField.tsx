import { Flex, Input, InputNumber, Select } from 'antd'
import type { DataType } from '@iot/shared/contract/thingModel'
import { isNumberType, typeText } from '@iot/shared/contract/thingText'
import { listedOnly } from '@iot/shared/ui/useListed'
import { ItemsField } from './ItemsField'
import { ParamsField } from './ParamsField'
import { useUnits } from './useUnits'
import { inside, marked, type Wrong } from './wrong'

type Type = DataType['type']
export const allTypes = Object.keys(typeText) as Type[]
/** Structures cannot be nested. */
export const memberTypes = allTypes.filter((type) => type !== 'struct' && type !== 'array')
const itemTypes: Type[] = ['int', 'float', 'double', 'text', 'struct']

const start: { [T in Type]: Extract<DataType, { type: T }> } = {
  int: { type: 'int', specs: {} },
  float: { type: 'float', specs: {} },
  double: { type: 'double', specs: {} },
  bool: { type: 'bool', specs: { 0: '关闭', 1: '开启' } },
  enum: { type: 'enum', specs: {} },
  text: { type: 'text', specs: { length: 255 } },
  date: { type: 'date' },
  bitmap: { type: 'bitmap', specs: {} },
  struct: { type: 'struct', specs: [] },
  array: { type: 'array', specs: { size: 10, item: { type: 'int', specs: {} } } },
}

/** Changes the type; a numeric type keeps limits, step and unit of another numeric type. */
const turned = (value: DataType, type: Type): DataType =>
  isNumberType(value) && isNumberType(start[type])
    ? ({ type, specs: value.specs } as NumberType)
    : start[type]

type TypeFieldProps = {
  id?: string
  value?: DataType
  onChange?: (dataType: DataType) => void
  types?: Type[]
  /** Screen readers get this name. */
  title?: string
  /** Deployed devices use this type, so it and its content cannot be changed. */
  kept?: DataType
  wrong?: Wrong
}

/** Edits a data type with its constraints. */
export function TypeField({
  id,
  value = start.int,
  onChange = () => {},
  types = allTypes,
  title = '数据类型',
  kept,
  wrong,
}: TypeFieldProps) {
  return (
    <Flex vertical gap={8}>
      <Select<Type>
        id={id}
        aria-label={title}
        value={value.type}
        disabled={kept !== undefined}
        options={types.map((type) => ({ value: type, label: typeText[type] }))}
        onChange={(type) => onChange(turned(value, type))}
        style={{ width: 200 }}
      />
      <Specs value={value} kept={kept} onChange={onChange} wrong={inside(wrong, 'specs')} />
    </Flex>
  )
}

type SpecsProps = {
  value: DataType
  kept?: DataType
  onChange: (dataType: DataType) => void
  wrong: Wrong
}

function Specs({ value, kept, onChange, wrong }: SpecsProps) {
  const { type } = value
  switch (type) {
    case 'int':
    case 'float':
    case 'double':
      return <NumberSpecs value={value} onChange={onChange} wrong={wrong} />
    case 'bool':
      return (
        <Flex gap={8}>
          {(['0', '1'] as const).map((bit) => (
            <Input
              key={bit}
              {...marked(!!inside(wrong, bit))}
              prefix={`${bit} =`}
              aria-label={`${bit} 的含义`}
              maxLength={64}
              value={value.specs[bit]}
              onChange={({ target }) =>
                onChange({ type, specs: { ...value.specs, [bit]: target.value } })
              }
              style={{ width: 160 }}
            />
          ))}
        </Flex>
      )
    case 'enum':
      return (
        <ItemsField
          key={type}
          value={value.specs}
          word="枚举值"
          wrong={wrong}
          most={100}
          onChange={(specs) => onChange({ type, specs })}
        />
      )
    case 'bitmap':
      return (
        <ItemsField
          key={type}
          value={value.specs}
          word="位"
          wrong={wrong}
          most={32}
          onChange={(specs) => onChange({ type, specs })}
        />
      )
    case 'text':
      return (
        <InputNumber
          {...marked(!!inside(wrong, 'length'))}
          aria-label="长度"
          prefix="最长"
          suffix="个字"
          precision={0}
          min={1}
          max={10_240}
          value={value.specs.length}
          onChange={(length) => onChange({ type, specs: { length: length ?? 255 } })}
          style={{ width: 200 }}
        />
      )
    case 'date':
      return <span>毫秒时间戳</span>
    case 'struct':
      return (
        <ParamsField
          value={value.specs}
          word="成员"
          types={memberTypes}
          kept={kept?.type === type ? kept.specs : undefined}
          wrong={wrong}
          onChange={(specs) => onChange({ type, specs } as DataType)}
        />
      )
    case 'array':
      return (
        <>
          <InputNumber
            {...marked(!!inside(wrong, 'size'))}
            aria-label="元素个数"
            prefix="最多"
            suffix="个"
            precision={0}
            min={1}
            max={512}
            value={value.specs.size}
            onChange={(size) => onChange({ type, specs: { ...value.specs, size: size ?? 1 } })}
            style={{ width: 200 }}
          />
          <TypeField
            title="元素类型"
            types={itemTypes}
            value={value.specs.item}
            kept={kept?.type === type ? kept.specs.item : undefined}
            wrong={inside(wrong, 'item')}
            onChange={(item) => onChange({ type, specs: { ...value.specs, item } } as DataType)}
          />
        </>
      )
  }
}

type NumberType = Extract<DataType, { type: 'int' | 'float' | 'double' }>
const numbers = { min: '最小值', max: '最大值', step: '步长', scale: '小数位' } as const

function NumberSpecs({ value, onChange, wrong }: SpecsProps & { value: NumberType }) {
  const units = useUnits()
  const { type, specs } = value
  const set = (change: Partial<NumberType['specs']>) =>
    onChange({ type, specs: { ...specs, ...change } })
  return (
    <Flex gap={8} wrap>
      {(Object.keys(numbers) as (keyof typeof numbers)[]).map((name) => (
        <InputNumber
          key={name}
          {...marked(!!inside(wrong, name))}
          prefix={numbers[name]}
          aria-label={numbers[name]}
          value={specs[name]}
          onChange={(number) => set({ [name]: number ?? undefined })}
          style={{ width: 150 }}
        />
      ))}
      <Select
        allowClear
        {...marked(!!inside(wrong, 'unit'))}
        showSearch={{ optionFilterProp: 'label' }}
        aria-label="单位"
        placeholder="单位"
        {...listedOnly(units, { [specs.unit ?? '']: specs.unit ?? '' })}
        value={specs.unit}
        onChange={(unit?: string) => set({ unit })}
        style={{ width: 200 }}
      />
    </Flex>
  )
}
