import { Button, Flex, Modal, Radio, Table } from 'antd'
import { useState } from 'react'
import { zoned } from '@iot/shared/client/zone'
import type { At, Target } from './arrangement'

type Hung = { x: number | null; y: number | null }
export type Clash = {
  id: string
  name: string
  mine: At | null
  now: Hung & { updateBy: string; updateTime: string }
}
type ClashesProps = {
  clashes: Clash[]
  /**
   * `mine` are the positions to save from here, `theirs` the colleague's positions to keep; both start from the current
   * state.
   */
  onResolve: (mine: Target[], theirs: Target[]) => void
  onClose: () => void
}

const whereText = (at: Hung | null) =>
  at?.x == null || at.y == null
    ? '未摆放'
    : `左 ${(at.x * 100).toFixed(1)}%，上 ${(at.y * 100).toFixed(1)}%`
const nowOf = ({ id, now: { x, y } }: Clash): Target => ({
  id,
  to: x === null || y === null ? null : { x, y },
})

/**
 * Asks about each device that a colleague moved meanwhile. Nothing was overwritten, and closing leaves all of them
 * unsaved.
 */
export function Clashes({ clashes, onResolve, onClose }: ClashesProps) {
  const [keeps, setKeeps] = useState<Record<string, 'mine' | 'theirs'>>({})
  const every = (side: 'mine' | 'theirs') =>
    setKeeps(Object.fromEntries(clashes.map(({ id }) => [id, side])))
  const of = (side: 'mine' | 'theirs') => clashes.filter(({ id }) => keeps[id] === side).map(nowOf)
  const open = clashes.filter(({ id }) => !keeps[id]).length
  return (
    <Modal
      open
      width={760}
      title={`${clashes.length} 台刚被别人移动过，还没有保存`}
      okText="按选择保存"
      okButtonProps={{ disabled: open > 0, title: open > 0 ? `还有 ${open} 台没有选` : undefined }}
      onOk={() => onResolve(of('mine'), of('theirs'))}
      onCancel={onClose}
    >
      <Flex vertical gap={12}>
        <Flex gap={8}>
          <Button size="small" onClick={() => every('mine')}>
            全部用我的
          </Button>
          <Button size="small" onClick={() => every('theirs')}>
            全部用现在的
          </Button>
        </Flex>
        <Table<Clash>
          size="small"
          rowKey="id"
          dataSource={clashes}
          pagination={false}
          scroll={{ y: 320 }}
          columns={[
            { title: '设备', dataIndex: 'name', width: 160, ellipsis: true },
            {
              title: '保留',
              key: 'keep',
              render: (_, { id, name, mine, now }) => (
                <Radio.Group
                  aria-label={name}
                  value={keeps[id]}
                  onChange={({ target }) =>
                    setKeeps({ ...keeps, [id]: target.value as 'mine' | 'theirs' })
                  }
                >
                  <Radio value="mine">我的：{whereText(mine)}</Radio>
                  <Radio value="theirs">
                    现在的：{whereText(now)}（{now.updateBy}{' '}
                    {zoned(now.updateTime).format('MM-DD HH:mm')}）
                  </Radio>
                </Radio.Group>
              ),
            },
          ]}
        />
      </Flex>
    </Modal>
  )
}
