import { Button, Modal, Space, Table } from 'antd'
import { useState, type ReactNode } from 'react'
import type { z } from 'zod'
import { titleOf } from '../contract/titleOf'
import { shown } from './field'

export type Stored = Record<string, unknown> & {
  version: number
  updateBy?: string
  updateTime?: string
}
export type Show = (name: string, value: unknown) => ReactNode

type ConflictProps = {
  schema: z.ZodObject
  /** What the form holds, and the row as it stands on the server now. */
  mine: Record<string, unknown>
  current: Stored
  show?: Show
  onOverwrite: () => void
  onReload: () => void
  onClose: () => void
}

/** Someone changed the row in between. Closing it goes back to the form as it was. */
export function Conflict({
  schema,
  mine,
  current,
  show,
  onOverwrite,
  onReload,
  onClose,
}: ConflictProps) {
  const [open, setOpen] = useState(false)
  const differing = Object.keys(mine).filter(
    (name) => name in schema.shape && JSON.stringify(mine[name]) !== JSON.stringify(current[name]),
  )
  const cell = (from: Record<string, unknown>) => (name: string) =>
    show?.(name, from[name]) || shown(from[name])
  return (
    <Modal
      open
      title="这条记录刚被别人修改过"
      width={open ? 720 : 480}
      onCancel={onClose}
      footer={
        <Space>
          {!open && <Button onClick={() => setOpen(true)}>查看差异</Button>}
          <Button onClick={onReload}>重新加载</Button>
          <Button type="primary" danger onClick={onOverwrite}>
            覆盖
          </Button>
        </Space>
      }
    >
      <p>
        {current.updateBy ?? '其他人'} 于 {shown(current.updateTime)}{' '}
        保存了新的内容。“覆盖”以您填写的为准，“重新加载”放弃您的修改；关闭此窗口可继续编辑。
      </p>
      {open && (
        <Table
          size="small"
          rowKey={(name) => name}
          dataSource={differing}
          pagination={false}
          scroll={{ y: 320 }}
          locale={{ emptyText: '内容相同，没有差异' }}
          columns={[
            {
              title: '字段',
              key: 'field',
              width: 140,
              render: (_, name: string) => titleOf(schema, name),
            },
            { title: '您填写的', key: 'mine', render: (_, name: string) => cell(mine)(name) },
            {
              title: '现在保存的',
              key: 'current',
              render: (_, name: string) => cell(current)(name),
            },
          ]}
        />
      )}
    </Modal>
  )
}
