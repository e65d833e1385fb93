import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Input from 'antd/es/input'
import { useState } from 'react'
import { toItems, getRepeatedValue } from '@iot/shared/contract/thingModel/thingModel'
import { getInnerIssue, getInvalidProps, type FieldIssue } from './fieldIssue'

type Items = Record<string, string>
type ItemsFieldProps = {
  value: Items
  /** This word labels the column left of the text. */
  columnLabel: string
  maxItems: number
  onChange: (items: Items) => void
  itemIssue?: FieldIssue
}

const hasSameItems = (a: Items, b: Items) => JSON.stringify(a) === JSON.stringify(b)
const toRows = (items: Items) =>
  Object.entries(items).map(([name, meaning]): [string, string] => [
    getRepeatedValue(name) ?? name,
    meaning,
  ])
const getNextValue = (rows: [string, string][]) => {
  const usedNumbers = rows.map(([value]) => Number(value)).filter(Number.isInteger)
  return String(usedNumbers.length === 0 ? 0 : Math.max(...usedNumbers) + 1)
}

/** Edits values with their texts: the items of an enum or the bits of a bitmap. */
export function ItemsField({ value, columnLabel, maxItems, onChange, itemIssue }: ItemsFieldProps) {
  // JavaScript objects sort numeric keys, so the typed rows are kept to hold their order. They belong to this value
  // only: if another member or a colleague's change replaces it, the rows are built again.
  const [typedRows, setTypedRows] = useState<[string, string][]>([])
  const rows = hasSameItems(toItems(typedRows), value) ? typedRows : toRows(value)
  const changeRows = (nextRows: [string, string][]) => {
    setTypedRows(nextRows)
    onChange(toItems(nextRows))
  }
  const isRepeated = (text: string) => rows.filter(([rowValue]) => rowValue === text).length > 1
  const isKeyError = itemIssue?.code === 'invalid_key'
  return (
    <Flex vertical gap={8} align="start">
      {rows.map(([itemValue, text], index) => (
        <Flex key={index} gap={8}>
          <Input
            aria-label={`第 ${index + 1} 项的${columnLabel}`}
            value={itemValue}
            {...getInvalidProps(
              isRepeated(itemValue) || (isKeyError && !!getInnerIssue(itemIssue, itemValue)),
            )}
            onChange={({ target }) => changeRows(rows.with(index, [target.value.trim(), text]))}
            style={{ width: 90 }}
          />
          <Input
            {...getInvalidProps(!isKeyError && !!getInnerIssue(itemIssue, itemValue))}
            aria-label={`第 ${index + 1} 项的含义`}
            placeholder="含义"
            value={text}
            onChange={({ target }) => changeRows(rows.with(index, [itemValue, target.value]))}
            style={{ width: 200 }}
          />
          <Button
            type="text"
            icon={<DeleteOutlined />}
            aria-label={`删除第 ${index + 1} 项`}
            onClick={() => changeRows(rows.toSpliced(index, 1))}
          />
        </Flex>
      ))}
      <Button
        type="dashed"
        size="small"
        icon={<PlusOutlined />}
        disabled={rows.length >= maxItems}
        onClick={() => changeRows([...rows, [getNextValue(rows), '']])}
      >
        {rows.length >= maxItems ? `最多 ${maxItems} 项` : `添加${columnLabel}`}
      </Button>
    </Flex>
  )
}
