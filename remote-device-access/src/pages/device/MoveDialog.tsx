import { Form, Modal, Select } from 'antd'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { projectsAtom } from '@iot/shared/session/project'
import { PlaceSelect } from './PlaceSelect'
import { usePlaces } from './usePlaces'

type MoveDialogProps = {
  what: string
  projectId: number
  onMove: (to: { projectId: number; spaceId: string | null }) => void
  onClose: () => void
}

/** Asks where devices go: to a place of this project or of another. */
export default function MoveDialog({ what, projectId: from, onMove, onClose }: MoveDialogProps) {
  const projects = useAtomValue(projectsAtom)
  const [projectId, setProject] = useState(from)
  const places = usePlaces(projectId)
  const [spaceId, setSpace] = useState<string | null>(null)
  return (
    <Modal
      open
      title={`移动${what}`}
      okText="移动"
      onCancel={onClose}
      onOk={() => {
        onClose()
        onMove({ projectId, spaceId })
      }}
    >
      <Form layout="vertical">
        <Form.Item label="项目" htmlFor="move-project">
          <Select
            id="move-project"
            value={projectId}
            onChange={(id) => {
              setProject(id)
              setSpace(null)
            }}
            options={projects.map(({ id, name, fullname }) => ({
              value: id,
              label: fullname ?? name,
            }))}
          />
        </Form.Item>
        <Form.Item
          label="位置"
          htmlFor="move-place"
          extra={projectId !== from && '设备会断开一次再连上；以前的历史数据留在原项目'}
        >
          <PlaceSelect id="move-place" places={places} value={spaceId} onChange={setSpace} />
        </Form.Item>
      </Form>
    </Modal>
  )
}
