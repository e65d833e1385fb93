import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Input from 'antd/es/input'
import { useState } from 'react'
import type { DataType, Param } from '@iot/shared/contract/thingModel/thingModel.schema'
import { TypeField } from './TypeField'
import * as styles from './thingModel.module.css'
import { getInnerIssue, getInvalidProps, type FieldIssue } from './fieldIssue'

type ParamsFieldProps = {
  value?: Param[]
  onChange?: (params: Param[]) => void
  /** Buttons and labels call one entry by this word. */
  entryLabel?: string
  types?: DataType['type'][]
  /** Deployed devices use these parameters, so they cannot be changed. */
  lockedParams?: Param[]
  paramIssue?: FieldIssue
}

/** Edits the parameters of a service or event, or the members of a structure. */
export function ParamsField({
  value = [],
  onChange = () => {},
  entryLabel = '参数',
  types,
  lockedParams = [],
  paramIssue,
}: ParamsFieldProps) {
  const changeParam = (index: number, change: Partial<Param>) =>
    onChange(value.with(index, { ...value[index]!, ...change }))
  // Each row has its own key, so that removing one keeps the open or half-typed state of the others.
  const [rowKeys, setRowKeys] = useState<number[]>([])
  const currentKeys = rowKeys.length === value.length ? rowKeys : value.map((_, index) => index)
  const add = () => {
    setRowKeys([...currentKeys, Math.max(-1, ...currentKeys) + 1])
    onChange([...value, { identifier: '', name: '', dataType: { type: 'int', specs: {} } }])
  }
  const remove = (index: number) => {
    setRowKeys(currentKeys.toSpliced(index, 1))
    onChange(value.toSpliced(index, 1))
  }
  const isRepeated = (text: string) =>
    text !== '' && value.filter(({ identifier }) => identifier === text).length > 1
  // The stored parameter belongs to the first row with its identifier; later duplicates are new rows.
  const findLockedParam = (index: number) =>
    value.findIndex(({ identifier }) => identifier === value[index]!.identifier) === index
      ? lockedParams.find(({ identifier }) => identifier === value[index]!.identifier)
      : undefined
  return (
    <Flex vertical gap={8} align="start">
      {value.map((parameter, index) => (
        <Flex
          key={currentKeys[index]}
          vertical
          gap={8}
          className={styles.param}
          role="group"
          aria-label={`${entryLabel} ${index + 1}`}
        >
          <Flex gap={8}>
            <Input
              aria-label={`${entryLabel} ${index + 1} 的标识符`}
              placeholder="标识符"
              value={parameter.identifier}
              disabled={findLockedParam(index) !== undefined}
              {...getInvalidProps(
                isRepeated(parameter.identifier) ||
                  !!getInnerIssue(paramIssue, index, 'identifier'),
              )}
              onChange={({ target }) => changeParam(index, { identifier: target.value.trim() })}
            />
            <Input
              {...getInvalidProps(!!getInnerIssue(paramIssue, index, 'name'))}
              aria-label={`${entryLabel} ${index + 1} 的名称`}
              placeholder="名称"
              value={parameter.name}
              onChange={({ target }) => changeParam(index, { name: target.value })}
            />
            <Button
              type="text"
              icon={<DeleteOutlined />}
              aria-label={`删除${entryLabel} ${index + 1}`}
              disabled={findLockedParam(index) !== undefined}
              onClick={() => remove(index)}
            />
          </Flex>
          <TypeField
            title={`${entryLabel} ${index + 1} 的数据类型`}
            types={types}
            value={parameter.dataType}
            lockedType={findLockedParam(index)?.dataType}
            typeIssue={getInnerIssue(paramIssue, index, 'dataType')}
            onChange={(dataType) => changeParam(index, { dataType })}
          />
        </Flex>
      ))}
      <Button type="dashed" size="small" icon={<PlusOutlined />} onClick={add}>
        添加{entryLabel}
      </Button>
    </Flex>
  )
}
