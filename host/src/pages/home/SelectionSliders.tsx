import useDebounceFn from 'ahooks/es/useDebounceFn'
import useRequest from 'ahooks/es/useRequest'
import Flex from 'antd/es/flex'
import Slider from 'antd/es/slider'
import { useAtomValue } from 'jotai'
import { useCallback, useMemo, useRef, useState } from 'react'
import { call } from '@iot/shared/client/call'
import type { AdjustableProperty, MapDevice } from '@iot/shared/contract/device/device.schema'
import { deviceApi } from '@iot/shared/contract/device/device.api'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import type { GetDeviceState } from '@iot/shared/plan/lights'
import { useDeviceCounts } from '@iot/shared/plan/useBuilding'
import { findInFlightState, inFlightCommandsAtom, inFlightText } from '@iot/shared/session/outgoing'
import { Can } from '@iot/shared/ui/right'
import * as styles from './home.module.css'

/** A value chosen by keys is sent after this pause, so that ten steps are one command. */
const keyPauseMs = 600

export type SetForSelection = (
  property: Pick<AdjustableProperty, 'identifier' | 'name' | 'unit'>,
  value: number,
  lights: MapDevice[],
) => void

type SelectionSlidersProps = {
  projectId: number
  lights: MapDevice[]
  refusal: string | false
  onSet: SetForSelection
}

/** Sliders for brightness and colour temperature of the selected lamps, as far as their models have them. */
export default function SelectionSliders({
  projectId,
  lights,
  refusal,
  onSet,
}: SelectionSlidersProps) {
  const deviceIds = lights.map(({ id }) => id)
  const { data, error } = useRequest(
    () => call(deviceApi.adjustable, { projectId, deviceIds }, { quiet: true }),
    { refreshDeps: [projectId, deviceIds.join()], debounceWait: 200, debounceLeading: true },
  )
  const adjustable = useMemo(
    () =>
      (data?.list ?? []).map(({ deviceIds: ids, ...property }) => ({
        ...property,
        adjustableIds: new Set(ids),
      })),
    [data],
  )
  if (error) return <small>没有读到可调节的属性：{error.message}</small>
  return (
    <Flex gap="4px 24px" wrap>
      {adjustable.map(({ adjustableIds, ...property }) => (
        <SelectionSlider
          key={property.identifier}
          property={property}
          lights={lights.filter(({ id }) => adjustableIds.has(id))}
          refusal={refusal}
          onSet={onSet}
        />
      ))}
    </Flex>
  )
}

type SelectionSliderProps = Pick<SelectionSlidersProps, 'lights' | 'refusal' | 'onSet'> & {
  property: AdjustableProperty
}

/** Shows the chosen value while it is dragged and sends it on release; otherwise it shows the reported values. */
function SelectionSlider({ property, lights, refusal, onSet }: SelectionSliderProps) {
  const { identifier, name, unit, min, max, step } = property
  const [chosenValue, setChosenValue] = useState<number>()
  const isByKey = useRef(false)
  const countValues = useCallback(
    (devices: MapDevice[], getState: GetDeviceState) =>
      findValueRange(devices, getState, identifier),
    [identifier],
  )
  const reported = useDeviceCounts(lights, countValues)
  const countDesired = useCallback(
    (devices: MapDevice[], getState: GetDeviceState) =>
      findDesiredRange(devices, getState, identifier),
    [identifier],
  )
  const desired = useDeviceCounts(lights, countDesired)
  const [sentValue, setSentValue] = useState<number>()
  const inFlightCommands = useAtomValue(inFlightCommandsAtom)
  const isSending = lights.some(({ id }) => findInFlightState(inFlightCommands, id) !== undefined)
  const send = (value: number) => {
    setChosenValue(undefined)
    setSentValue(value)
    onSet(property, value, lights)
  }
  const { run: sendLater, cancel } = useDebounceFn(send, { wait: keyPauseMs })
  if (lights.length === 0) return null
  const reportedText =
    reported.count === 0
      ? '未上报'
      : reported.least === reported.most
        ? `${reported.least}${unit}`
        : `${reported.least}–${reported.most}${unit}`
  return (
    <div
      className={styles.slider}
      onPointerDown={() => {
        isByKey.current = false
        cancel()
      }}
      onKeyDown={() => (isByKey.current = true)}
    >
      <span>
        {name} <small>{lights.length} 盏</small>
      </span>
      <Can to={devicePermissions.bulkControl} unless={refusal}>
        <Slider
          {...{ min, max, step }}
          ariaLabelForHandle={`选中的灯的${name}`}
          tooltip={{ open: false }}
          value={
            chosenValue ??
            (isSending ? sentValue : undefined) ??
            (desired.count > 0 ? desired.most : reported.count > 0 ? reported.middle : min)
          }
          onChange={setChosenValue}
          onChangeComplete={(value) => (isByKey.current ? sendLater(value) : send(value))}
        />
      </Can>
      <output>
        {chosenValue !== undefined
          ? `${chosenValue}${unit}`
          : isSending
            ? inFlightText.sending
            : desired.count > 0
              ? `→ ${desired.most}${unit}，${desired.count} 盏等待确认`
              : reportedText}
      </output>
    </div>
  )
}

/** Returns the value that commands in flight ask for, and the number of lamps that have not reported it yet. */
function findDesiredRange(devices: MapDevice[], getState: GetDeviceState, identifier: string) {
  const values = devices.flatMap((device) => {
    const value = Number(getState(device).desired?.[identifier])
    return Number.isNaN(value) ? [] : value
  })
  return { count: values.length, most: Math.max(0, ...values) }
}

/** Returns the range of a reported value over lamps; stale values do not count. */
function findValueRange(devices: MapDevice[], getState: GetDeviceState, identifier: string) {
  const values = devices.flatMap((device) => {
    const { reported, stale } = getState(device)
    const value = Number(reported[identifier])
    return identifier in stale || Number.isNaN(value) ? [] : value
  })
  const count = values.length
  if (count === 0) return { count, least: 0, most: 0, middle: 0 }
  const sum = values.reduce((total, value) => total + value, 0)
  return {
    count,
    least: Math.min(...values),
    most: Math.max(...values),
    middle: Math.round(sum / count),
  }
}
