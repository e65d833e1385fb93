import { Button, Modal, Radio, Space, Table } from 'antd'
import { useRef, useState, type ReactNode } from 'react'
import type { z } from 'zod'
import { rowKeys } from '../contract/fields'
import { titleOf } from '../contract/titleOf'
import { shown } from './field'

type Values = Record<string, unknown>
export type Stored = Values & { version: number; updateBy?: string; updateTime?: string }
export type Show = (name: string, value: unknown) => ReactNode

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/**
 * Three ways of one row: as it was read, as the form has it, as it is stored now. What only the colleague changed is to
 * be taken over; what both changed differently must be asked.
 */
export function mergeRows(schema: z.ZodObject, base: Values, mine: Values, current: Values) {
  const names = Object.keys(mine).filter(
    (name) => name in schema.shape && name in current && !(name in rowKeys),
  )
  const theirs = names.filter((name) => !same(base[name], current[name]))
  const asked = theirs.filter(
    (name) => !same(mine[name], base[name]) && !same(mine[name], current[name]),
  )
  const taken = Object.fromEntries(
    theirs.filter((name) => !asked.includes(name)).map((name) => [name, current[name]]),
  )
  return { taken, asked }
}

type ConflictProps = {
  schema: z.ZodObject
  /** Fields that both changed. */
  asked: string[]
  mine: Values
  current: Stored
  show?: Show
  /** With the values of the fields for which the colleague's was chosen. */
  onMerge: (chosen: Values) => void
  onReload: () => void
  onClose: () => void
}

/** Both changed the same fields. Closing it goes back to the form as it was. */
export function Conflict({
  schema,
  asked,
  mine,
  current,
  show,
  onMerge,
  onReload,
  onClose,
}: ConflictProps) {
  const [theirs, setTheirs] = useState<string[]>([])
  const merge = useRef<HTMLButtonElement>(null)
  const who = current.updateBy ?? '其他人'
  const cell = (from: Values, name: string) => show?.(name, from[name]) || shown(from[name])
  const choose = (name: string, isTheirs: boolean) =>
    setTheirs((all) => [...all.filter((one) => one !== name), ...(isTheirs ? [name] : [])])
  return (
    <Modal
      open
      title="这条记录刚被别人修改过"
      width={720}
      onCancel={onClose}
      // What Enter does is to lose nothing.
      afterOpenChange={(isOpen) => isOpen && merge.current?.focus()}
      footer={
        <Space>
          <Button onClick={onReload}>放弃我的修改</Button>
          <Button
            ref={merge}
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
                <Radio value={false}>我填写的：{cell(mine, name)}</Radio>
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
