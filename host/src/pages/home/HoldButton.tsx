import PauseCircleOutlined from '@ant-design/icons/PauseCircleOutlined'
import Button from 'antd/es/button'
import type { ButtonProps } from 'antd'
import { useState } from 'react'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import type { HoldChoice } from '@iot/shared/control/overrideForm'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Can } from '@iot/shared/ui/right'

const OverrideForm = lazyDialog(() => import('@iot/shared/control/overrideForm'))

type HoldButtonProps = Pick<ButtonProps, 'size' | 'block'> & {
  projectId: number
  choices: [HoldChoice, ...HoldChoice[]]
}

/** Opens the form that holds lamps, a room or a floor for a time. */
export function HoldButton({ projectId, choices, ...buttonProps }: HoldButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const [{ scope }] = choices
  const isSingle = scope.kind === 'devices' && scope.deviceIds.length === 1
  return (
    <>
      <Can to={isSingle ? devicePermissions.control : devicePermissions.bulkControl}>
        <Button
          {...buttonProps}
          icon={<PauseCircleOutlined />}
          title="保持一段时间：场景和批量操作跳过，到时自动解除"
          onClick={() => setOpen(true)}
        >
          手动保持
        </Button>
      </Can>
      {isOpen && (
        <OverrideForm projectId={projectId} choices={choices} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
