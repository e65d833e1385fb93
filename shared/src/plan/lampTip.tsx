import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import { useLayoutEffect, useRef, useState } from 'react'
import { call } from '../client/call'
import { ledgerStateText } from '../contract/control/control'
import type { LedgerState } from '../contract/control/control.schema'
import type { DeviceCard, MapDevice } from '../contract/device/device.schema'
import { deviceApi } from '../contract/device/device.api'
import { getLightState } from '../contract/control/light'
import { formatDayTime, isCommandPending, lookText, type LiveDevice } from './lights'
import { formatLabel } from './many/liveLamp'
import { useLiveDevice } from './useBuilding'
import * as styles from './lampTip.module.css'

/** Distance in pixels between the lamp and its card, and between the card and the edge of the plan. */
const gapPx = 8

type LampTipProps = {
  light: MapDevice
  fault?: string
  /** Place of the lamp on the screen. */
  at: DOMRect
  /** Says what a press on the lamp does. */
  pressText: string
  roomName?: string
  /** Reason why the user may not select lamps. */
  refusal?: string
  onOpen: () => void
  onPickRoom: (spaceId: string) => void
  onEnter: () => void
  onLeave: () => void
}

/** Card of a lamp beside it: its state, since when, and the last command; its buttons show what else can be done. */
export default function LampTip({
  light: initialLight,
  fault,
  at: lampRect,
  pressText,
  roomName,
  refusal,
  onOpen,
  onPickRoom,
  onEnter,
  onLeave,
}: LampTipProps) {
  const light = useLiveDevice(initialLight)
  const tip = useRef<HTMLDivElement>(null)
  const [position, setPosition] = useState({ left: 0, top: 0 })
  // The card is read again after a command, because any command may have changed this lamp.
  const { data, error } = useRequest(
    () => call(deviceApi.card, { id: light.id }, { quiet: true }),
    { refreshDeps: [light.id, getLightState(light), isCommandPending(light)] },
  )
  useLayoutEffect(() => {
    const { offsetWidth, offsetHeight, offsetParent } = tip.current!
    const frame = offsetParent!.getBoundingClientRect()
    const above = lampRect.top - frame.top - offsetHeight - gapPx
    const middle = lampRect.left + lampRect.width / 2 - frame.left
    setPosition({
      left: Math.max(gapPx, Math.min(frame.width - offsetWidth - gapPx, middle - offsetWidth / 2)),
      top: above > 0 ? above : lampRect.bottom - frame.top + gapPx,
    })
  }, [lampRect, data])
  return (
    <div
      ref={tip}
      className={styles.tip}
      style={position}
      role="group"
      aria-label={`${light.name}的状态`}
      onPointerEnter={onEnter}
      onPointerLeave={onLeave}
      onFocus={onEnter}
      onBlur={onLeave}
    >
      <strong>{formatLabel(light, fault)}</strong>
      <span>{data ? describeValues(light, data) : error ? error.message : '正在读取…'}</span>
      <span>{data ? describeLastCommand(data) : ' '}</span>
      <small>{pressText}</small>
      <div className={styles.actions}>
        <Button size="small" onClick={onOpen}>
          详情（I）
        </Button>
        {roomName && !refusal && (
          <Button
            size="small"
            title={`选择${roomName}的灯`}
            onClick={() => onPickRoom(light.spaceId)}
          >
            选本房间（R）
          </Button>
        )}
      </div>
    </div>
  )
}

/** Describes the adjusted values and since when the lamp has its state: `亮度 80% · 开，自 14:03 起`. */
function describeValues(light: LiveDevice, { adjustable, since }: DeviceCard) {
  const values = adjustable.flatMap(({ identifier, name, unit }) =>
    light.reported[identifier] === undefined || identifier in light.stale
      ? []
      : `${name} ${light.reported[identifier]}${unit}`,
  )
  const state = getLightState(light)
  const isKnown = state === 'on' || state === 'off'
  const time =
    isKnown && since
      ? `${lookText[state]}，自 ${formatDayTime(since)} 起`
      : light.reportedTime
        ? `最近上报 ${formatDayTime(light.reportedTime)}`
        : '从未上报'
  return [...values, time].join(' · ')
}

function describeLastCommand({ last }: DeviceCard) {
  if (!last) return '还没有命令'
  const outcome = ledgerStateText[last.state as LedgerState]
  return `${formatDayTime(last.time)} ${last.createByName || last.createBy}：${last.title}，${outcome}`
}
