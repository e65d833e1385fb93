import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Modal from 'antd/es/modal'
import Radio from 'antd/es/radio'
import Table from 'antd/es/table'
import { useState } from 'react'
import { formatPageTime } from '@iot/shared/client/zone'
import type { PlanPosition, MoveTarget } from './arrangement'

type DevicePosition = { x: number | null; y: number | null }
export type PlacingConflict = {
  id: string
  name: string
  mine: PlanPosition | null
  now: DevicePosition & { place?: string; updateBy: string; updateTime: string }
}
type PlacingConflictsProps = {
  clashes: PlacingConflict[]
  /**
   * `mine` are the positions to save from here, `theirs` the colleague's positions to keep; both start from the current
   * state.
   */
  onResolve: (mine: MoveTarget[], theirs: MoveTarget[]) => void
  onClose: () => void
}

const describePosition = (position: DevicePosition | null) =>
  position?.x == null || position.y == null
    ? '未摆放'
    : `左 ${(position.x * 100).toFixed(1)}%，上 ${(position.y * 100).toFixed(1)}%`
const toCurrentTarget = ({ id, now: { x, y } }: PlacingConflict): MoveTarget => ({
  id,
  to: x === null || y === null ? null : { x, y },
})

/**
 * Asks about each device that a colleague moved meanwhile. Nothing was overwritten, and closing leaves all of them
 * unsaved.
 */
export function PlacingConflicts({ clashes, onResolve, onClose }: PlacingConflictsProps) {
  const [choices, setChoices] = useState<Record<string, 'mine' | 'theirs'>>({})
  const chooseAll = (side: 'mine' | 'theirs') =>
    setChoices(Object.fromEntries(clashes.map(({ id }) => [id, side])))
  const listTargets = (side: 'mine' | 'theirs') =>
    clashes.filter(({ id }) => choices[id] === side).map(toCurrentTarget)
  const undecidedCount = clashes.filter(({ id }) => !choices[id]).length
  return (
    <Modal
      open
      width={760}
      title={`${clashes.length} 台刚被别人移动过，还没有保存`}
      okText="按选择保存"
      okButtonProps={{
        disabled: undecidedCount > 0,
        title: undecidedCount > 0 ? `还有 ${undecidedCount} 台没有选` : undefined,
      }}
      onOk={() => onResolve(listTargets('mine'), listTargets('theirs'))}
      onCancel={onClose}
    >
      <Flex vertical gap={12}>
        <Flex gap={8}>
          <Button size="small" onClick={() => chooseAll('mine')}>
            全部用我的
          </Button>
          <Button size="small" onClick={() => chooseAll('theirs')}>
            全部用现在的
          </Button>
        </Flex>
        <Table<PlacingConflict>
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
                  value={choices[id]}
                  onChange={({ target }) =>
                    setChoices({ ...choices, [id]: target.value as 'mine' | 'theirs' })
                  }
                >
                  <Radio value="mine">我的：{describePosition(mine)}</Radio>
                  <Radio value="theirs">
                    现在的：{describePosition(now)}
                    {now.place && `，${now.place}`}（{now.updateBy}{' '}
                    {formatPageTime(now.updateTime, 'MM-DD HH:mm')}）
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
