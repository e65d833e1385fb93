import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Flex, Input } from 'antd'
import { useState } from 'react'
import type { DataType, Param } from '@iot/shared/contract/thingModel'
import { TypeField } from './TypeField'
import * as styles from './thingModel.module.css'
import { inside, marked, type Wrong } from './wrong'

type ParamsFieldProps = {
  value?: Param[]
  onChange?: (params: Param[]) => void
  /** Buttons and labels call one entry by this word. */
  word?: string
  types?: DataType['type'][]
  /** Deployed devices use these parameters, so they cannot be changed. */
  kept?: Param[]
  wrong?: Wrong
}

/** Edits the parameters of a service or event, or the members of a structure. */
export function ParamsField({
  value = [],
  onChange = () => {},
  word = '参数',
  types,
  kept = [],
  wrong,
}: ParamsFieldProps) {
  const set = (at: number, change: Partial<Param>) =>
    onChange(value.with(at, { ...value[at]!, ...change }))
  // Each row has its own key, so that removing one keeps the open or half-typed state of the others.
  const [made, setMade] = useState<number[]>([])
  const keys = made.length === value.length ? made : value.map((_, at) => at)
  const add = () => {
    setMade([...keys, Math.max(-1, ...keys) + 1])
    onChange([...value, { identifier: '', name: '', dataType: { type: 'int', specs: {} } }])
  }
  const remove = (at: number) => {
    setMade(keys.toSpliced(at, 1))
    onChange(value.toSpliced(at, 1))
  }
  const isTwice = (text: string) =>
    text !== '' && value.filter(({ identifier }) => identifier === text).length > 1
  // The stored parameter belongs to the first row with its identifier; later duplicates are new rows.
  const keptAt = (at: number) =>
    value.findIndex(({ identifier }) => identifier === value[at]!.identifier) === at
      ? kept.find(({ identifier }) => identifier === value[at]!.identifier)
      : undefined
  return (
    <Flex vertical gap={8} align="start">
      {value.map((one, at) => (
        <Flex
          key={keys[at]}
          vertical
          gap={8}
          className={styles.param}
          role="group"
          aria-label={`${word} ${at + 1}`}
        >
          <Flex gap={8}>
            <Input
              aria-label={`${word} ${at + 1} 的标识符`}
              placeholder="标识符"
              value={one.identifier}
              maxLength={64}
              disabled={keptAt(at) !== undefined}
              {...marked(isTwice(one.identifier) || !!inside(wrong, at, 'identifier'))}
              onChange={({ target }) => set(at, { identifier: target.value.trim() })}
            />
            <Input
              {...marked(!!inside(wrong, at, 'name'))}
              aria-label={`${word} ${at + 1} 的名称`}
              placeholder="名称"
              value={one.name}
              maxLength={64}
              onChange={({ target }) => set(at, { name: target.value })}
            />
            <Button
              type="text"
              icon={<DeleteOutlined />}
              aria-label={`删除${word} ${at + 1}`}
              disabled={keptAt(at) !== undefined}
              onClick={() => remove(at)}
            />
          </Flex>
          <TypeField
            title={`${word} ${at + 1} 的数据类型`}
            types={types}
            value={one.dataType}
            kept={keptAt(at)?.dataType}
            wrong={inside(wrong, at, 'dataType')}
            onChange={(dataType) => set(at, { dataType })}
          />
        </Flex>
      ))}
      <Button type="dashed" size="small" icon={<PlusOutlined />} onClick={add}>
        添加{word}
      </Button>
    </Flex>
  )
}
