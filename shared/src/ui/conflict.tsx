import { Button, Modal, Radio, Space, Table, type RadioRef } from 'antd'
import { Fragment, useRef, useState, type ReactNode } from 'react'
import type { z } from 'zod'
import { rowKeys, statusText, type Status } from '../contract/fields'
import { titleOf } from '../contract/titleOf'
import { uploadPath } from '../contract/upload'
import { shown } from './field'
import { LaterIcon } from './laterIcon'

export type Values = Record<string, unknown>
export type Stored = Values & { version: number; updateBy?: string; updateTime?: string }
export type Show = (name: string, value: unknown) => ReactNode

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Returns the items that the other list lacks. */
function without<T>(list: T[], other: unknown[]) {
  const those = new Set(other.map((one) => JSON.stringify(one)))
  return list.filter((one) => !those.has(JSON.stringify(one)))
}

/**
 * Returns true for a list of distinct names or numbers, whose order has no meaning. An empty list is excluded, because
 * it often means all.
 */
const isChoice = (value: unknown): value is (string | number)[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => typeof one === 'string' || typeof one === 'number') &&
  new Set(value).size === value.length

/** Merges the additions and removals of both users to a list of choices; undefined if it cannot be merged. */
function mergedChoice(was: unknown, own: unknown, now: unknown) {
  if (!isChoice(was) || !isChoice(own) || !isChoice(now)) return undefined
  const gone = without(was, own)
  const merged = [...without(now, gone), ...without(without(own, was), now)]
  return merged.length > 0 ? merged : undefined
}

/**
 * Three-way merge of a row: `base` as read, `mine` of the form, `theirs` as stored. Changes of the other user alone are
 * taken over, lists of choices are merged, and fields changed differently by both are returned as conflicts.
 */
export function mergeRows(schema: z.ZodObject, base: Values, mine: Values, current: Values) {
  const names = Object.keys(mine).filter(
    (name) => name in schema.shape && name in current && !(name in rowKeys),
  )
  const theirs = names.filter((name) => !same(base[name], current[name]))
  const asked: string[] = []
  const taken: Values = {}
  for (const name of theirs) {
    const [was, own, now] = [base[name], mine[name], current[name]]
    const choice = mergedChoice(was, own, now)
    if (choice || same(own, was) || same(own, now)) taken[name] = choice ?? now
    else asked.push(name)
  }
  return { taken, asked }
}

/** Formats common fields, unless the form supplies its own text. */
function plainly(name: string, value: unknown): ReactNode {
  if (typeof value === 'boolean') return value ? '是' : '否'
  if (name === 'status') return statusText[value as Status] ?? shown(value)
  if (name === 'icon') return <LaterIcon name={String(value)} />
  if (typeof value === 'string' && value.startsWith(`${uploadPath}/`))
    return <img src={value} alt="" height={20} />
  return shown(value)
}

/** Describes additions and removals of a list; other values are shown as they are. */
function told(was: unknown, is: unknown, words: (value: unknown) => ReactNode) {
  if (!Array.isArray(was) || !Array.isArray(is)) return words(is)
  const parts = [
    { said: '加了 ', list: without(is, was) },
    { said: '去掉了 ', list: without(was, is) },
  ].filter(({ list }) => list.length > 0)
  if (is.length === 0 || parts.length === 0) return words(is)
  return parts.map(({ said, list }, i) => (
    <Fragment key={said}>
      {i > 0 && '；'}
      {said}
      {words(list)}
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
  current: Stored
  show?: Show
  /** Called with the values of the fields for which the other user's value was chosen. */
  onMerge: (chosen: Values) => void
  onReload: () => void
  onClose: () => void
}

/** Dialog for fields that both users changed. Closing it returns to the unchanged form. */
export function Conflict({
  schema,
  asked,
  base,
  mine,
  current,
  show,
  onMerge,
  onReload,
  onClose,
}: ConflictProps) {
  const [theirs, setTheirs] = useState<string[]>([])
  const first = useRef<RadioRef>(null)
  const who = current.updateBy ?? '其他人'
  const cell = (from: Values, name: string) =>
    told(base?.[name], from[name], (value) => show?.(name, value) || plainly(name, value))
  const choose = (name: string, isTheirs: boolean) =>
    setTheirs((all) => [...all.filter((one) => one !== name), ...(isTheirs ? [name] : [])])
  return (
    <Modal
      open
      title="这条记录刚被别人修改过"
      width={720}
      onCancel={onClose}
      // The first choice is focused, so that another Enter meant for the form does not confirm the dialog.
      afterOpenChange={(isOpen) => isOpen && first.current?.focus()}
      footer={
        <Space>
          <Button onClick={onReload}>放弃我的修改</Button>
          <Button
            type="primary"
            onClick={() => onMerge(Object.fromEntries(theirs.map((name) => [name, current[name]])))}
          >
            合并保存
          </Button>
        </Space>
      }
    >
      <p>
        {who} 于 {shown(current.updateTime)}{' '}
        保存了新的内容。下面的字段你们都改了，请选择保留哪一个；其余修改都会保留。
      </p>
      <Table
        size="small"
        rowKey={(name) => name}
        dataSource={asked}
        pagination={false}
        scroll={{ y: 320 }}
        columns={[
          { title: '字段', key: 'field', width: 120, render: (_, name) => titleOf(schema, name) },
          {
            title: '保留',
            key: 'choice',
            render: (_, name) => (
              <Radio.Group
                aria-label={titleOf(schema, name)}
                value={theirs.includes(name)}
                onChange={({ target }) => choose(name, target.value as boolean)}
              >
                <Radio value={false} ref={name === asked[0] ? first : undefined}>
                  我填写的：{cell(mine, name)}
                </Radio>
                <Radio value={true}>
                  {who}的：{cell(current, name)}
                </Radio>
              </Radio.Group>
            ),
          },
        ]}
      />
    </Modal>
  )
}
