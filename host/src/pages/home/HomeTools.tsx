import AudioOutlined from '@ant-design/icons/AudioOutlined'
import DashboardOutlined from '@ant-design/icons/DashboardOutlined'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Popover from 'antd/es/popover'
import { useAtomValue } from 'jotai'
import { useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import { useCommandRefusalReason } from '@iot/shared/control/sendCommand'
import { buttonSettingAtom } from '@iot/shared/session/application'
import { useCan } from '@iot/shared/session/can'
import { lazyDialog, lazyPart } from '@iot/shared/ui/lazyPart'
import { DisabledWithReason } from '@iot/shared/ui/right'
import { PartBoundary } from '../../layout/PartBoundary'
import type { Groups } from './useGroups'
import type { Home } from './useHome'
import { useRequestedCommand } from './useRequestedCommand'
import type { HomeScope } from './useScope'

const EnergyDrawer = lazyDialog(() => import('./energy/EnergyDrawer'))
const VoiceCommand = lazyPart(() => import('./voice/VoiceCommand'))

type HomeToolsProps = {
  home: Home
  groups: Groups
  /** This space or group is currently shown. */
  scope?: Pick<HomeScope, 'space' | 'group'>
  children?: ReactNode
}

const voiceButton = <Button icon={<AudioOutlined />} aria-label="口令" title="说或输入口令" />

/** Renders tools that home always offers: beside the views, or inside the shown content if there are no views. */
export function HomeTools({ home, groups, scope, children }: HomeToolsProps) {
  const { projectId, tree, counts, modes, bar, ask } = home
  useRequestedCommand(home, groups, scope)
  const can = useCan()
  const commandRefusal = useCommandRefusalReason()
  // A voice command may start a scene or switch many lamps, so either permission is enough to try.
  const refusal =
    can(devicePermissions.scene) || can(devicePermissions.bulkControl)
      ? commandRefusal
      : `缺少权限：${devicePermissions.bulkControl.title}`
  const { openVoice } = useAtomValue(buttonSettingAtom)
  const [isEnergyOpen, setEnergyOpen] = useState(false)
  const [isListening, setListening] = useState(false)
  const tools = (
    <Flex gap={8}>
      {openVoice && refusal && <DisabledWithReason why={refusal}>{voiceButton}</DisabledWithReason>}
      {openVoice && !refusal && (
        <Popover
          trigger="click"
          placement="bottomRight"
          title="口令"
          destroyOnHidden
          open={isListening}
          onOpenChange={setListening}
          content={
            <PartBoundary>
              <VoiceCommand
                projectId={projectId}
                tree={tree}
                counts={counts}
                here={scope?.space}
                hereGroup={scope?.group}
                groups={groups.data}
                groupsFailed={groups.data ? undefined : groups.error?.message}
                modes={modes}
                onAsk={(action) => {
                  // Listening stops when a confirmation opens, so that the voice panel does not cover it.
                  if (action.confirm !== 'none') setListening(false)
                  ask(action)
                }}
              />
            </PartBoundary>
          }
        >
          {voiceButton}
        </Popover>
      )}
      <Button
        icon={<DashboardOutlined />}
        aria-label="能耗"
        title="能耗与灯具寿命"
        onClick={() => setEnergyOpen(true)}
      />
      {children}
    </Flex>
  )
  return (
    <>
      {bar === undefined ? tools : bar && createPortal(tools, bar)}
      {isEnergyOpen && <EnergyDrawer projectId={projectId} onClose={() => setEnergyOpen(false)} />}
    </>
  )
}
