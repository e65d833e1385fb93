import Alert from 'antd/es/alert'
import Form from 'antd/es/form'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import type { ManagedSpace } from '@iot/shared/contract/project/space.schema'
import { spaceApi } from '@iot/shared/contract/project/space.api'
import { validateSpaceParent } from '@iot/shared/contract/project/spaceTree'
import { createTree } from '@iot/shared/contract/tree'
import type { Batch } from '@iot/shared/ui/batch'
import { PermissionModal } from '@iot/shared/ui/rightModal'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { TreeSelect } from '@iot/shared/ui/treeSelect'

type ParentOption = { value: string; title: string; disabled: boolean; children: ParentOption[] }
type MoveSpacesDialogProps = {
  projectId: number
  rows: ManagedSpace[]
  batch: Batch
  onClose: () => void
}
const topLevelValue = 'top'

/** Moves the selected spaces together; only parents that accept all of them are offered. */
export default function MoveSpacesDialog({
  projectId,
  rows,
  batch,
  onClose,
}: MoveSpacesDialogProps) {
  const [targetId, setTargetId] = useState<string>()
  const [isSending, setSending] = useState(false)
  const tree = createTree(rows)
  const selectedSpaces = batch.selected.flatMap((id) => tree.get(id) ?? [])
  const selectedIds = new Set(batch.selected)
  // A space below another selected one moves with its parent.
  const topmostSpaces = selectedSpaces.filter(
    ({ parentId }) => !tree.path(parentId).some(({ id }) => selectedIds.has(id)),
  )
  const isRefusedParent = (parentId: string | null) =>
    topmostSpaces.some((row) => validateSpaceParent(tree, row, parentId) !== undefined)
  const parentOptions = tree.nested<ParentOption>(({ id, name }, children) => ({
    value: id,
    title: name,
    children,
    disabled: isRefusedParent(id),
  }))

  async function move() {
    setSending(true)
    const parentId = targetId === topLevelValue ? null : targetId!
    await batch.run('移动', (ids) => call(spaceApi.moveMany, { projectId, ids, parentId }))
    setSending(false)
    onClose()
  }

  return (
    <PermissionModal
      open
      to={spaceApi.moveMany}
      title={`移动选中的 ${selectedSpaces.length} 处空间`}
      width={560}
      okText="移动"
      okButtonProps={{ disabled: !targetId }}
      confirmLoading={isSending}
      onOk={() => void move().catch(ignoreHandled)}
      onCancel={onClose}
    >
      <Form layout="vertical">
        <Form.Item label="移到" extra="只能选这些空间都可以放的上级">
          <TreeSelect<string>
            aria-label="移到"
            showSearch={{ treeNodeFilterProp: 'title' }}
            treeDefaultExpandAll={rows.length < 100}
            treeData={[
              {
                value: topLevelValue,
                title: '最上一级',
                disabled: isRefusedParent(null),
                children: [],
              },
              ...parentOptions,
            ]}
            value={targetId}
            onChange={setTargetId}
            placeholder="请选择"
          />
        </Form.Item>
      </Form>
      <Alert
        type="info"
        showIcon
        title="空间里的设备一起移动；换了楼层的设备要在新平面图上重新摆放。"
      />
    </PermissionModal>
  )
}
