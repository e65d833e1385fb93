import { Form, Select } from 'antd'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { managedDeviceApi } from '@iot/shared/contract/managedDevice'
import { projectsAtom } from '@iot/shared/session/project'
import { RightModal } from '@iot/shared/ui/rightModal'
import { listedOnly } from '@iot/shared/ui/useListed'
import { usePlaces } from './usePlaces'

type MoveDialogProps = {
  what: string
  projectId: number
  /** A single device passes its current location; several devices pass none. */
  at?: { spaceId: string | null; name: string }
  onMove: (to: { projectId: number; spaceId: string | null }) => void
  onClose: () => void
}

const unplaced = { value: '', label: '未放置' }

/**
 * Asks for the target of a move, in this or another project. Devices keep their space unless another choice is made.
 */
export default function MoveDialog({
  what,
  projectId: from,
  at,
  onMove,
  onClose,
}: MoveDialogProps) {
  const projects = useAtomValue(projectsAtom)
  const [projectId, setProject] = useState(from)
  const places = usePlaces(projectId)
  const [chosen, choose] = useState(at && (at.spaceId ?? unplaced.value))
  const [isAsked, setAsked] = useState(false)
  const isMissing = isAsked && chosen === undefined
  const { options, ...listed } = listedOnly(places, { [at?.spaceId ?? '']: at?.name })
  return (
    <RightModal
      open
      to={managedDeviceApi.move}
      title={`移动${what}`}
      okText="移动"
      onCancel={onClose}
      onOk={() => {
        setAsked(true)
        if (chosen === undefined) return
        onClose()
        onMove({ projectId, spaceId: chosen || null })
      }}
    >
      <Form layout="vertical">
        <Form.Item label="项目" htmlFor="move-project">
          <Select
            id="move-project"
            value={projectId}
            onChange={(id) => {
              setProject(id)
              choose(id === from ? at && (at.spaceId ?? unplaced.value) : unplaced.value)
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
          {...(isMissing && { validateStatus: 'error', help: '请选择位置' })}
          extra={projectId !== from && '设备会断开一次再连上；以前的历史数据留在原项目'}
        >
          <Select
            id="move-place"
            aria-invalid={isMissing}
            showSearch={{ optionFilterProp: 'label' }}
            placeholder="请选择位置"
            value={chosen}
            onChange={choose}
            {...listed}
            options={[unplaced, ...options]}
          />
        </Form.Item>
      </Form>
    </RightModal>
  )
}
