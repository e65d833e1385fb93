import Form from 'antd/es/form'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { projectsAtom } from '@iot/shared/session/project'
import { PermissionModal } from '@iot/shared/ui/rightModal'
import { Select } from '@iot/shared/ui/select'
import { buildSelectProps } from '@iot/shared/ui/useListed'
import { useSpaceOptions } from './useSpaceOptions'

type MoveDialogProps = {
  subject: string
  projectId: number
  /** A single device passes its current location; several devices pass none. */
  currentPlace?: { spaceId: string | null; name: string }
  onMove: (target: { projectId: number; spaceId: string | null }) => void
  onClose: () => void
}

const unplacedOption = { value: '', label: '未放置' }

/**
 * Asks for the target of a move, in this or another project. Devices keep their space unless another choice is made.
 */
export default function MoveDialog({
  subject,
  projectId: currentProjectId,
  currentPlace,
  onMove,
  onClose,
}: MoveDialogProps) {
  const projects = useAtomValue(projectsAtom)
  const [projectId, setProjectId] = useState(currentProjectId)
  const spaceOptions = useSpaceOptions(projectId)
  const [selectedSpaceId, setSelectedSpaceId] = useState(
    currentPlace && (currentPlace.spaceId ?? unplacedOption.value),
  )
  const [isSubmitted, setSubmitted] = useState(false)
  const isMissing = isSubmitted && selectedSpaceId === undefined
  const { options, ...selectProps } = buildSelectProps(spaceOptions, {
    [currentPlace?.spaceId ?? '']: currentPlace?.name,
  })
  return (
    <PermissionModal
      open
      to={managedDeviceApi.move}
      title={`移动${subject}`}
      okText="移动"
      onCancel={onClose}
      onOk={() => {
        setSubmitted(true)
        if (selectedSpaceId === undefined) return
        onClose()
        onMove({ projectId, spaceId: selectedSpaceId || null })
      }}
    >
      <Form layout="vertical">
        <Form.Item label="项目" htmlFor="move-project">
          <Select
            id="move-project"
            value={projectId}
            onChange={(id) => {
              setProjectId(id)
              setSelectedSpaceId(
                id === currentProjectId
                  ? currentPlace && (currentPlace.spaceId ?? unplacedOption.value)
                  : unplacedOption.value,
              )
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
          extra={projectId !== currentProjectId && '设备会断开一次再连上；以前的历史数据留在原项目'}
        >
          <Select
            id="move-place"
            aria-invalid={isMissing}
            showSearch={{ optionFilterProp: 'label' }}
            placeholder="请选择位置"
            value={selectedSpaceId}
            onChange={setSelectedSpaceId}
            {...selectProps}
            options={[unplacedOption, ...options]}
          />
        </Form.Item>
      </Form>
    </PermissionModal>
  )
}
