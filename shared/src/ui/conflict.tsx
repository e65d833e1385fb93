import Button from 'antd/es/button'
import Modal from 'antd/es/modal'
import Radio from 'antd/es/radio'
import Space from 'antd/es/space'
import Table from 'antd/es/table'
import type { RadioRef } from 'antd'
import { Fragment, useRef, useState, type ReactNode } from 'react'
import type { z } from 'zod'
import { rowKeys, statusText } from '../contract/fields'
import type { Status } from '../contract/fields.schema'
import { getFieldTitle } from '../contract/fieldTitle'
import { uploadPath } from '../contract/platform/upload'
import { toFileUrl } from '../contract/platform/siteAddress'
import { formatValue } from './field'
import { LazyIcon } from './laterIcon'

export type Values = Record<string, unknown>
export type StoredRow = Values & { version: number; updateBy?: string; updateTime?: string }
export type FormatValue = (name: string, value: unknown) => ReactNode

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Returns the items that the other list lacks. */
function itemsWithout<T>(list: T[], otherList: unknown[]) {
  const otherKeys = new Set(otherList.map((item) => JSON.stringify(item)))
  return list.filter((item) => !otherKeys.has(JSON.stringify(item)))
}

/**
 * Returns true for a list of distinct names or numbers, whose order has no meaning. An empty list is excluded, because
 * it often means all.
 */
const isChoice = (value: unknown): value is (string | number)[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => typeof item === 'string' || typeof item === 'number') &&
  new Set(value).size === value.length

/** Merges the additions and removals of both users to a list of choices; undefined if it cannot be merged. */
function mergeChoice(baseValue: unknown, myValue: unknown, theirValue: unknown) {
  if (!isChoice(baseValue) || !isChoice(myValue) || !isChoice(theirValue)) return undefined
  const removedItems = itemsWithout(baseValue, myValue)
  const mergedItems = [
    ...itemsWithout(theirValue, removedItems),
    ...itemsWithout(itemsWithout(myValue, baseValue), theirValue),
  ]
  return mergedItems.length > 0 ? mergedItems : undefined
}

/**
 * Three-way merge of a row: `base` as read, `mine` of the form, `theirChangedNames` as stored. Changes of the other user alone are
 * taken over, lists of choices are merged, and fields changed differently by both are returned as conflicts.
 */
export function mergeRows(schema: z.ZodObject, base: Values, mine: Values, current: Values) {
  const names = Object.keys(mine).filter(
    (name) => name in schema.shape && name in current && !(name in rowKeys),
  )
  const theirChangedNames = names.filter((name) => !isSame(base[name], current[name]))
  const conflictNames: string[] = []
  const takenOver: Values = {}
  for (const name of theirChangedNames) {
    const [baseValue, myValue, theirValue] = [base[name], mine[name], current[name]]
    const choice = mergeChoice(baseValue, myValue, theirValue)
    if (choice || isSame(myValue, baseValue) || isSame(myValue, theirValue))
      takenOver[name] = choice ?? theirValue
    else conflictNames.push(name)
  }
  return { taken: takenOver, asked: conflictNames }
}

/** Formats common fields, unless the form supplies its own text. */
function formatCommonValue(name: string, value: unknown): ReactNode {
  if (typeof value === 'boolean') return value ? '是' : '否'
  if (name === 'status') return statusText[value as Status] ?? formatValue(value)
  if (name === 'icon') return <LazyIcon name={String(value)} />
  if (typeof value === 'string' && value.startsWith(`${uploadPath}/`))
    return <img src={toFileUrl(value)} alt="" height={20} />
  return formatValue(value)
}

/** Describes additions and removals of a list; other values are shown as they are. */
function describeChange(
  previousValue: unknown,
  nextValue: unknown,
  format: (value: unknown) => ReactNode,
) {
  if (!Array.isArray(previousValue) || !Array.isArray(nextValue)) return format(nextValue)
  const parts = [
    { said: '加了 ', list: itemsWithout(nextValue, previousValue) },
    { said: '去掉了 ', list: itemsWithout(previousValue, nextValue) },
  ].filter(({ list }) => list.length > 0)
  if (nextValue.length === 0 || parts.length === 0) return format(nextValue)
  return parts.map(({ said: verb, list }, i) => (
    <Fragment key={verb}>
      {i > 0 && '；'}
      {verb}
      {format(list)}
    </Fragment>
  ))
}

type ConflictProps = {
  schema: z.ZodObject
  /** Names of the fields that both users changed. */
  asked: string[]
  /** Row as read; older remotes do not pass it. */
  base?: Values
  mine: Values
  current: StoredRow
  show?: FormatValue
  /** Called with the values of the fields for which the other user's value was chosen. */
  onMerge: (chosenValues: Values) => void
  onReload: () => void
  onClose: () => void
}

/** Dialog for fields that both users changed. Closing it returns to the unchanged form. */
export function ConflictDialog({
  schema,
  asked: conflictNames,
  base,
  mine,
  current,
  show,
  onMerge,
  onReload,
  onClose,
}: ConflictProps) {
  const [theirNames, setTheirNames] = useState<string[]>([])
  const firstRadio = useRef<RadioRef>(null)
  const otherUser = current.updateBy ?? '其他人'
  const renderValue = (row: Values, name: string) =>
    describeChange(
      base?.[name],
      row[name],
      (fieldValue) => show?.(name, fieldValue) || formatCommonValue(name, fieldValue),
    )
  const choose = (name: string, isTheirs: boolean) =>
    setTheirNames((previousNames) => [
      ...previousNames.filter((otherName) => otherName !== name),
      ...(isTheirs ? [name] : []),
    ])
  return (
    <Modal
      open
      title="这条记录刚被别人修改过"
      width={720}
      onCancel={onClose}
      // The first choice is focused, so that another Enter meant for the form does not confirm the dialog.
      afterOpenChange={(isOpen) => isOpen && firstRadio.current?.focus()}
      footer={
        <Space>
          <Button onClick={onReload}>放弃我的修改</Button>
          <Button
            type="primary"
            onClick={() =>
              onMerge(Object.fromEntries(theirNames.map((name) => [name, current[name]])))
            }
          >
            合并保存
          </Button>
        </Space>
      }
    >
      <p>
        {otherUser} 于 {formatValue(current.updateTime)}{' '}
        保存了新的内容。下面的字段你们都改了，请选择保留哪一个；其余修改都会保留。
      </p>
      <Table
        size="small"
        rowKey={(name) => name}
        dataSource={conflictNames}
        pagination={false}
        scroll={{ y: 320 }}
        columns={[
          {
            title: '字段',
            key: 'field',
            width: 120,
            render: (_, name) => getFieldTitle(schema, name),
          },
          {
            title: '保留',
            key: 'choice',
            render: (_, name) => (
              <Radio.Group
                aria-label={getFieldTitle(schema, name)}
                value={theirNames.includes(name)}
                onChange={({ target }) => choose(name, target.value as boolean)}
              >
                <Radio value={false} ref={name === conflictNames[0] ? firstRadio : undefined}>
                  我填写的：{renderValue(mine, name)}
                </Radio>
                <Radio value={true}>
                  {otherUser}的：{renderValue(current, name)}
                </Radio>
              </Radio.Group>
            ),
          },
        ]}
      />
    </Modal>
  )
}

/** @deprecated Use {@link FormatValue}; kept for remotes that were built before. */
export type Show = FormatValue

/** @deprecated Use {@link ConflictDialog}; kept for remotes that were built before. */
export const Conflict = ConflictDialog

/** @deprecated Use {@link StoredRow}; kept for remotes that were built before. */
export type Stored = StoredRow
