import { Alert, Form, Modal, TreeSelect } from 'antd'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { type ManagedSpace, spaceApi } from '@iot/shared/contract/space'
import { refuseSpacePlace } from '@iot/shared/contract/spacePlace'
import { treeOf } from '@iot/shared/contract/tree'
import { useBatch } from '@iot/shared/ui/batch'

type Choice = { value: string; title: string; disabled: boolean; children: Choice[] }
type MoveManyProps = {
  projectId: number
  rows: ManagedSpace[]
  onMoved: () => void
  onClose: () => void
}
const top = 'top'

/** Several spaces at once, to where all of them may stand. */
export default function MoveMany({ projectId, rows, onMoved, onClose }: MoveManyProps) {
  const { run } = useBatch(onMoved)
  const [ids, setIds] = useState<string[]>([])
  const [to, setTo] = useState<string>()
  const [isSending, setSending] = useState(false)
  const tree = treeOf(rows)
  const chosen = ids.flatMap((id) => tree.get(id) ?? [])
  const choices = (isDisabled: (id: string) => boolean) =>
    tree.nested<Choice>(({ id, name }, children) => ({
      ...{ value: id, title: name, children },
      disabled: isDisabled(id),
    }))
  const refuses = (parentId: string | null) =>
    chosen.length === 0 || chosen.some((row) => refuseSpacePlace(tree, row, parentId))

  async function move() {
    setSending(true)
    const parentId = to === top ? null : to!
    await run('移动', (some) => call(spaceApi.moveMany, { projectId, ids: some, parentId }), ids)
    setSending(false)
    onClose()
  }

  return (
    <Modal
      open
      title="批量移动"
      width={560}
      okText="移动"
      okButtonProps={{ disabled: chosen.length === 0 || !to }}
      confirmLoading={isSending}
      onOk={() => void move()}
      onCancel={onClose}
    >
      <Form layout="vertical">
        <Form.Item label="要移动的空间">
          <TreeSelect<string[]>
            multiple
            aria-label="要移动的空间"
            showSearch={{ treeNodeFilterProp: 'title' }}
            treeDefaultExpandAll={rows.length < 100}
            treeData={choices(() => false)}
            value={ids}
            onChange={(next) => {
              setIds(next)
              setTo(undefined)
            }}
            placeholder="请选择"
          />
        </Form.Item>
        <Form.Item label="移到" extra="只能选这些空间都可以放的上级">
          <TreeSelect<string>
            aria-label="移到"
            showSearch={{ treeNodeFilterProp: 'title' }}
            treeDefaultExpandAll={rows.length < 100}
            treeData={[
              { value: top, title: '最上一级', disabled: refuses(null), children: [] },
              ...choices(refuses),
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
    </Modal>
  )
}
