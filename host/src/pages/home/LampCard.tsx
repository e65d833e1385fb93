import CloseOutlined from '@ant-design/icons/CloseOutlined'
import useRequest from 'ahooks/es/useRequest'
import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Skeleton from 'antd/es/skeleton'
import Switch from 'antd/es/switch'
import Tag from 'antd/es/tag'
import { useEffect, useRef } from 'react'
import { call } from '@iot/shared/client/call'
import type { MapDevice } from '@iot/shared/contract/device/device.schema'
import { deviceApi } from '@iot/shared/contract/device/device.api'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import { deviceStateText } from '@iot/shared/contract/device/managedDevice'
import { getLastLightState, getLightState } from '@iot/shared/contract/control/light'
import { Dot } from '@iot/shared/plan/dot'
import {
  isCommandPending,
  formatStaleState,
  lookText,
  formatPendingState,
  type LiveDevice,
} from '@iot/shared/plan/lights'
import { TypeIcon } from '@iot/shared/plan/typeIcon'
import { useTypeLooks, getIconVariant } from '@iot/shared/plan/typeLooks'
import { useLiveDevice } from '@iot/shared/plan/useBuilding'
import type { ControlConfirmation } from '@iot/shared/control/confirmControl'
import { HeldNotice } from '@iot/shared/control/heldNotice'
import { useProtectedConfirm } from '@iot/shared/control/useSwitch'
import type { ControlTasks } from '@iot/shared/control/useTasks'
import { Can } from '@iot/shared/ui/right'
import { RetryAlert } from '@iot/shared/ui/retryAlert'
import { DelayButton } from './DelayButton'
import { HoldButton } from './HoldButton'
import { LampDetails } from './LampDetails'
import { PropertySlider } from './PropertySlider'
import { useFlash } from './useFlash'
import * as styles from './lampCard.module.css'

type LampCardProps = {
  light: MapDevice
  place: string
  projectId: number
  tasks: ControlTasks
  fault?: string
  busy: boolean
  onSwitch: (light: MapDevice) => void
  /** Asks about a command before it is sent. */
  onAsk: (action: ControlConfirmation) => void
  onClose: () => void
}

/** Shows one lamp: its state, its controls and the last request made to it. */
export default function LampCard({
  light: initialLight,
  place,
  projectId,
  tasks,
  fault,
  busy,
  onSwitch,
  onAsk,
  onClose,
}: LampCardProps) {
  const light = useLiveDevice(initialLight)
  const lightState = getLightState(light)
  const isAwaitingReport = isCommandPending(light)
  const cardRef = useRef<HTMLElement>(null)
  // The card reads again after every task, because any task may have changed this lamp.
  const [newestTask] = tasks.tasks
  const { data, error, refresh } = useRequest(
    () => call(deviceApi.card, { id: light.id }, { quiet: true }),
    { refreshDeps: [light.id, newestTask?.id, newestTask?.doneTime], throttleWait: 300 },
  )
  useEffect(() => cardRef.current?.focus(), [light.id])

  const askProtected = useProtectedConfirm()
  const setProperty = (identifier: string, value: number, onRefused: () => void) =>
    askProtected(
      light,
      '调节',
      () =>
        tasks
          .start(
            {
              kind: 'set',
              projectId,
              scope: { kind: 'devices', deviceIds: [light.id] },
              values: { [identifier]: value },
            },
            { kind: 'single', name: light.name },
          )
          .catch((error: unknown) => {
            onRefused()
            throw error
          }),
      onRefused,
    )

  const { flash, isFlashing } = useFlash()
  const refusal =
    light.state !== 'online'
      ? `${light.name}${deviceStateText[light.state]}，不能控制`
      : busy && '编辑模式下不下发命令'

  return (
    <section
      ref={cardRef}
      className={styles.card}
      aria-label={`${light.name}的详情`}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // The event stops here, so that the selection on the floor plan stays.
        event.stopPropagation()
        onClose()
      }}
    >
      <LampTitle light={light} place={place} hasFault={!!fault} onClose={onClose} />
      <LampSwitch light={light} refusal={refusal} onSwitch={onSwitch} />
      {light.override && <HeldNotice override={light.override} />}
      {fault && <Alert type="error" showIcon title={fault} />}
      {refusal && light.state !== 'online' && (
        <Alert type={light.state === 'inactive' ? 'info' : 'warning'} title={refusal} />
      )}
      {data?.adjustable.map((setting) => (
        <PropertySlider
          key={setting.identifier}
          {...setting}
          value={light.reported[setting.identifier]}
          desiredValue={light.desired[setting.identifier]}
          refusal={refusal}
          lastEndTime={tasks.tasks.find(({ doneTime }) => doneTime !== null)?.doneTime}
          onSet={(value, onRefused) => setProperty(setting.identifier, value, onRefused)}
        />
      ))}
      {error ? (
        <RetryAlert showIcon={false} type="warning" title={error.message} onRetry={refresh} />
      ) : !data ? (
        <Skeleton active title={false} paragraph={{ rows: 3 }} />
      ) : (
        <LampDetails light={light} card={data} />
      )}
      <Can
        to={devicePermissions.control}
        unless={refusal || (isAwaitingReport && '正在等待设备确认')}
      >
        <Button
          block
          loading={isFlashing}
          title={data?.canIdentify ? '请灯自己闪几下' : '开关一次再恢复，两次都等设备确认'}
          onClick={() => {
            const flashMethod = data?.canIdentify ? 'service' : 'switch'
            flash({ ...light, projectId }, flashMethod, () => lightState === 'on')
          }}
        >
          闪灯定位
        </Button>
      </Can>
      <DelayButton light={light} projectId={projectId} refusal={refusal} onAsk={onAsk} />
      {!light.override && (
        <HoldButton
          block
          projectId={projectId}
          choices={[{ name: light.name, scope: { kind: 'devices', deviceIds: [light.id] } }]}
        />
      )}
    </section>
  )
}

type LampTitleProps = Pick<LampCardProps, 'light' | 'place' | 'onClose'> & { hasFault: boolean }

function LampTitle({ light, place, hasFault, onClose }: LampTitleProps) {
  const lightState = getLightState(light)
  const typeLook = useTypeLooks().get(light.productType)
  return (
    <Flex justify="space-between" align="start" gap={8}>
      <div>
        <strong className={styles.name}>
          <TypeIcon look={typeLook} variant={getIconVariant(lightState, hasFault)} />
          {light.name}
        </strong>
        <div className={styles.place}>{place}</div>
      </div>
      <Button
        size="small"
        type="text"
        icon={<CloseOutlined />}
        aria-label="关闭"
        onClick={onClose}
      />
    </Flex>
  )
}

type LampSwitchProps = Pick<LampCardProps, 'onSwitch'> & {
  light: LiveDevice
  refusal: string | false
}

/** Shows the state of the lamp beside the switch that changes it. */
function LampSwitch({ light, refusal, onSwitch }: LampSwitchProps) {
  const lightState = getLightState(light)
  const isAwaitingReport = isCommandPending(light)
  return (
    <Flex justify="space-between" align="center" className={styles.row}>
      <span>
        <Dot look={lightState === 'unknown' ? 'stale' : lightState} />{' '}
        {[lookText[lightState], lightState === 'unknown' && formatStaleState(light)]
          .filter(Boolean)
          .join('，')}
        {isAwaitingReport && <Tag className={styles.tag}>{formatPendingState(light)}</Tag>}
        {light.protected && <Tag className={styles.tag}>受保护</Tag>}
      </span>
      <Can to={devicePermissions.control} unless={refusal}>
        <Switch
          aria-label="开关"
          checked={getLastLightState(light) === 'on'}
          loading={isAwaitingReport}
          onChange={() => onSwitch(light)}
        />
      </Can>
    </Flex>
  )
}
