import { NumberInput } from '@iot/shared/ui/numberInput'
import { Select } from '@iot/shared/ui/select'
import Flex from 'antd/es/flex'
import Input from 'antd/es/input'
import type { DataType } from '@iot/shared/contract/thingModel/thingModel.schema'
import { isNumberType, typeText } from '@iot/shared/contract/thingModel/thingText'
import { buildSelectProps } from '@iot/shared/ui/useListed'
import { ItemsField } from './ItemsField'
import { ParamsField } from './ParamsField'
import { useUnits } from './useUnits'
import { getInnerIssue, getInvalidProps, type FieldIssue } from './fieldIssue'

type DataTypeName = DataType['type']
export const allTypes = Object.keys(typeText) as DataTypeName[]
/** Structures cannot be nested. */
export const memberTypes = allTypes.filter((type) => type !== 'struct' && type !== 'array')
const itemTypes: DataTypeName[] = ['int', 'float', 'double', 'text', 'struct']

const initialTypes: { [T in DataTypeName]: Extract<DataType, { type: T }> } = {
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
const changeType = (value: DataType, type: DataTypeName): DataType =>
  isNumberType(value) && isNumberType(initialTypes[type])
    ? ({ type, specs: value.specs } as NumberType)
    : initialTypes[type]

type TypeFieldProps = {
  id?: string
  value?: DataType
  onChange?: (dataType: DataType) => void
  types?: DataTypeName[]
  /** Screen readers get this name. */
  title?: string
  /** Deployed devices use this type, so it and its content cannot be changed. */
  lockedType?: DataType
  typeIssue?: FieldIssue
}

/** Edits a data type with its constraints. */
export function TypeField({
  id,
  value = initialTypes.int,
  onChange = () => {},
  types = allTypes,
  title = '数据类型',
  lockedType,
  typeIssue,
}: TypeFieldProps) {
  return (
    <Flex vertical gap={8}>
      <Select<DataTypeName>
        id={id}
        aria-label={title}
        value={value.type}
        disabled={lockedType !== undefined}
        options={types.map((type) => ({ value: type, label: typeText[type] }))}
        onChange={(type) => onChange(changeType(value, type))}
        style={{ width: 200 }}
      />
      <Specs
        value={value}
        lockedDataType={lockedType}
        onChange={onChange}
        specsIssue={getInnerIssue(typeIssue, 'specs')}
      />
    </Flex>
  )
}

type SpecsProps = {
  value: DataType
  lockedDataType?: DataType
  onChange: (dataType: DataType) => void
  specsIssue: FieldIssue
}

function Specs({ value, lockedDataType, onChange, specsIssue }: SpecsProps) {
  const { type } = value
  switch (type) {
    case 'int':
    case 'float':
    case 'double':
      return <NumberSpecs value={value} onChange={onChange} specsIssue={specsIssue} />
    case 'bool':
      return (
        <Flex gap={8}>
          {(['0', '1'] as const).map((bit) => (
            <Input
              key={bit}
              {...getInvalidProps(!!getInnerIssue(specsIssue, bit))}
              prefix={`${bit} =`}
              aria-label={`${bit} 的含义`}
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
          columnLabel="枚举值"
          itemIssue={specsIssue}
          maxItems={100}
          onChange={(specs) => onChange({ type, specs })}
        />
      )
    case 'bitmap':
      return (
        <ItemsField
          key={type}
          value={value.specs}
          columnLabel="位"
          itemIssue={specsIssue}
          maxItems={32}
          onChange={(specs) => onChange({ type, specs })}
        />
      )
    case 'text':
      return (
        <NumberInput
          {...getInvalidProps(!!getInnerIssue(specsIssue, 'length'))}
          aria-label="长度"
          prefix="最长"
          suffix="个字"
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
          entryLabel="成员"
          types={memberTypes}
          lockedParams={lockedDataType?.type === type ? lockedDataType.specs : undefined}
          paramIssue={specsIssue}
          onChange={(specs) => onChange({ type, specs } as DataType)}
        />
      )
    case 'array':
      return (
        <>
          <NumberInput
            {...getInvalidProps(!!getInnerIssue(specsIssue, 'size'))}
            aria-label="元素个数"
            prefix="最多"
            suffix="个"
            value={value.specs.size}
            onChange={(size) => onChange({ type, specs: { ...value.specs, size: size ?? 1 } })}
            style={{ width: 200 }}
          />
          <TypeField
            title="元素类型"
            types={itemTypes}
            value={value.specs.item}
            lockedType={lockedDataType?.type === type ? lockedDataType.specs.item : undefined}
            typeIssue={getInnerIssue(specsIssue, 'item')}
            onChange={(item) => onChange({ type, specs: { ...value.specs, item } } as DataType)}
          />
        </>
      )
  }
}

type NumberType = Extract<DataType, { type: 'int' | 'float' | 'double' }>
const numberLabels = { min: '最小值', max: '最大值', step: '步长', scale: '小数位' } as const

function NumberSpecs({ value, onChange, specsIssue }: SpecsProps & { value: NumberType }) {
  const units = useUnits()
  const { type, specs } = value
  const changeSpecs = (change: Partial<NumberType['specs']>) =>
    onChange({ type, specs: { ...specs, ...change } })
  return (
    <Flex gap={8} wrap>
      {(Object.keys(numberLabels) as (keyof typeof numberLabels)[]).map((name) => (
        <NumberInput
          key={name}
          {...getInvalidProps(!!getInnerIssue(specsIssue, name))}
          prefix={numberLabels[name]}
          aria-label={numberLabels[name]}
          value={specs[name]}
          onChange={(newNumber) => changeSpecs({ [name]: newNumber ?? undefined })}
          style={{ width: 150 }}
        />
      ))}
      <Select
        allowClear
        {...getInvalidProps(!!getInnerIssue(specsIssue, 'unit'))}
        showSearch={{ optionFilterProp: 'label' }}
        aria-label="单位"
        placeholder="单位"
        {...buildSelectProps(units, { [specs.unit ?? '']: specs.unit ?? '' })}
        value={specs.unit}
        onChange={(unit?: string) => changeSpecs({ unit })}
        style={{ width: 200 }}
      />
    </Flex>
  )
}
