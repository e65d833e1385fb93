import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Flex, Input } from 'antd'
import { useState } from 'react'
import { itemsOf, repeatedValue } from '@iot/shared/contract/thingModel'
import { inside, marked, type Wrong } from './wrong'

type Items = Record<string, string>
type ItemsFieldProps = {
  value: Items
  /** This word labels the column left of the text. */
  word: string
  most: number
  onChange: (items: Items) => void
  wrong?: Wrong
}

const same = (a: Items, b: Items) => JSON.stringify(a) === JSON.stringify(b)
const rowsOf = (items: Items) =>
  Object.entries(items).map(([name, word]): [string, string] => [repeatedValue(name) ?? name, word])
const nextOf = (rows: [string, string][]) => {
  const used = rows.map(([value]) => Number(value)).filter(Number.isInteger)
  return String(used.length === 0 ? 0 : Math.max(...used) + 1)
}

/** Edits values with their texts: the items of an enum or the bits of a bitmap. */
export function ItemsField({ value, word, most, onChange, wrong }: ItemsFieldProps) {
  // JavaScript objects sort numeric keys, so the typed rows are kept to hold their order. They belong to this value
  // only: if another member or a colleague's change replaces it, the rows are built again.
  const [typed, setTyped] = useState<[string, string][]>([])
  const rows = same(itemsOf(typed), value) ? typed : rowsOf(value)
  const change = (next: [string, string][]) => {
    setTyped(next)
    onChange(itemsOf(next))
  }
  const isTwice = (text: string) => rows.filter(([one]) => one === text).length > 1
  const isWrongValue = wrong?.code === 'invalid_key'
  return (
    <Flex vertical gap={8} align="start">
      {rows.map(([item, text], at) => (
        <Flex key={at} gap={8}>
          <Input
            aria-label={`第 ${at + 1} 项的${word}`}
            value={item}
            maxLength={11}
            {...marked(isTwice(item) || (isWrongValue && !!inside(wrong, item)))}
            onChange={({ target }) => change(rows.with(at, [target.value.trim(), text]))}
            style={{ width: 90 }}
          />
          <Input
            {...marked(!isWrongValue && !!inside(wrong, item))}
            aria-label={`第 ${at + 1} 项的含义`}
            placeholder="含义"
            value={text}
            maxLength={64}
            onChange={({ target }) => change(rows.with(at, [item, target.value]))}
            style={{ width: 200 }}
          />
          <Button
            type="text"
            icon={<DeleteOutlined />}
            aria-label={`删除第 ${at + 1} 项`}
            onClick={() => change(rows.toSpliced(at, 1))}
          />
        </Flex>
      ))}
      <Button
        type="dashed"
        size="small"
        icon={<PlusOutlined />}
        disabled={rows.length >= most}
        onClick={() => change([...rows, [nextOf(rows), '']])}
      >
        {rows.length >= most ? `最多 ${most} 项` : `添加${word}`}
      </Button>
    </Flex>
  )
}
