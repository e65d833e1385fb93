import { Alert, Form, TreeSelect } from 'antd'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { type ManagedSpace, spaceApi } from '@iot/shared/contract/space'
import { refuseSpacePlace } from '@iot/shared/contract/spacePlace'
import { treeOf } from '@iot/shared/contract/tree'
import type { Batch } from '@iot/shared/ui/batch'
import { RightModal } from '@iot/shared/ui/rightModal'

type Choice = { value: string; title: string; disabled: boolean; children: Choice[] }
type MoveManyProps = {
  projectId: number
  rows: ManagedSpace[]
  batch: Batch
  onClose: () => void
}
const top = 'top'

/** Moves the selected spaces together; only parents that accept all of them are offered. */
export default function MoveMany({ projectId, rows, batch, onClose }: MoveManyProps) {
  const [to, setTo] = useState<string>()
  const [isSending, setSending] = useState(false)
  const tree = treeOf(rows)
  const chosen = batch.selected.flatMap((id) => tree.get(id) ?? [])
  const ticked = new Set(batch.selected)
  // A space below another selected one moves with its parent.
  const tops = chosen.filter(
    ({ parentId }) => !tree.path(parentId).some(({ id }) => ticked.has(id)),
  )
  const refuses = (parentId: string | null) =>
    tops.some((row) => refuseSpacePlace(tree, row, parentId) !== undefined)
  const places = tree.nested<Choice>(({ id, name }, children) => ({
    value: id,
    title: name,
    children,
    disabled: refuses(id),
  }))

  async function move() {
    setSending(true)
    const parentId = to === top ? null : to!
    await batch.run('移动', (ids) => call(spaceApi.moveMany, { projectId, ids, parentId }))
    setSending(false)
    onClose()
  }

  return (
    <RightModal
      open
      to={spaceApi.moveMany}
      title={`移动选中的 ${chosen.length} 处空间`}
      width={560}
      okText="移动"
      okButtonProps={{ disabled: !to }}
      confirmLoading={isSending}
      onOk={() => void move()}
      onCancel={onClose}
    >
      <Form layout="vertical">
        <Form.Item label="移到" extra="只能选这些空间都可以放的上级">
          <TreeSelect<string>
            aria-label="移到"
            showSearch={{ treeNodeFilterProp: 'title' }}
            treeDefaultExpandAll={rows.length < 100}
            treeData={[
              { value: top, title: '最上一级', disabled: refuses(null), children: [] },
              ...places,
            ]}
            value={to}
            onChange={setTo}
            placeholder="请选择"
          />
        </Form.Item>
      </Form>
      <Alert
        type="info"
        showIcon
        title="空间里的设备一起移动；换了楼层的设备要在新平面图上重新摆放。"
      />
    </RightModal>
  )
}
