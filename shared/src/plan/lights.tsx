import type { MapDevice } from '../contract/device/device.schema'
import { serverNow } from '../client/serverClock'
import { isToday } from '../client/zone'
import { describeOverride } from '../contract/control/manualOverride'
import type { ManualOverride } from '../contract/control/manualOverride.schema'
import { inFlightText, type InFlightCommand } from '../session/outgoing'
import { pageTimeZone } from '../session/timeZone'
import {
  isLight,
  getLastLightState,
  lightSwitchIdentifier,
  getLightState,
  noLights,
  type LightCounts,
  type LightState,
} from '../contract/control/light'

export const lookText: Record<LightState, string> = {
  on: '开',
  off: '关',
  offline: '离线',
  inactive: '未激活',
  unknown: '未知',
}

/** A device with its live state, the state of an unanswered command and its override, if any. */
export type LiveDevice = MapDevice & {
  outgoing?: InFlightCommand['state']
  /** The manual override that holds the device. */
  override?: ManualOverride
}

/** Returns true if the device has a command in flight or an unanswered one. */
export const isCommandPending = ({ desired, outgoing }: Pick<LiveDevice, 'desired' | 'outgoing'>) =>
  outgoing !== undefined || Object.keys(desired).length > 0

export const formatPendingState = ({ outgoing }: Pick<LiveDevice, 'outgoing'>) =>
  outgoing ? inFlightText[outgoing] : '等待确认'

/** Formats a time as `11-23 14:03` or in the given parts. */
export const formatTimeParts = (time: string | number, format: Intl.DateTimeFormatOptions) =>
  new Date(time).toLocaleString('zh-CN', { ...format, timeZone: pageTimeZone() }).replace('/', '-')

/** Formats a time as `14:03`, with the date unless it is today: `11-20 14:03`. */
export function formatDayTime(time: string | number) {
  const day = { month: '2-digit', day: '2-digit' } as const
  return formatTimeParts(time, { ...(!isToday(time) && day), hour: '2-digit', minute: '2-digit' })
}

/**
 * Formats the time of a stale value as `截至 14:03`, with the date unless it is today; undefined if the value is not
 * stale.
 */
export function formatStaleTime({ stale }: Pick<MapDevice, 'stale'>, identifier: string) {
  const staleSinceTime = stale[identifier]
  return staleSinceTime === undefined ? undefined : `截至 ${formatDayTime(staleSinceTime)}`
}

/** Describes a stale state with its time: `此前开，截至 14:03`. */
export function formatStaleState(device: Pick<MapDevice, 'state' | 'reported' | 'stale'>) {
  const time = formatStaleTime(device, lightSwitchIdentifier)
  return time && `此前${lookText[getLastLightState(device)]}，${time}`
}

/** Says until when and by whom a device is held, in the zone of the page. */
export const formatOverride = (override: Pick<ManualOverride, 'until' | 'createByName'>) =>
  describeOverride(override, serverNow(), pageTimeZone())

/** Accessible label of a light: name, state and special conditions. */
export const formatLightLabel = (device: LiveDevice) =>
  [
    `${device.name} ${lookText[getLightState(device)]}`,
    device.protected && '受保护',
    device.state === 'online' && formatStaleState(device),
    device.override && formatOverride(device.override),
    isCommandPending(device) && formatPendingState(device),
  ]
    .filter(Boolean)
    .join('，')

/** Place and size of the sign of an override at the lamp. */
export const heldMark = { x: -10, y: -9, radius: 6 }

/** SVG paths of signs in and around a lamp, relative to its centre. */
export const signPaths = {
  cross: 'm-3-3 6 6m0-6-6 6',
  fault: 'M0-4.5V1m0 3v.5',
  /** Two bars: the automatic control of the lamp pauses. */
  held: 'M-2-2.5v5m4-5v5',
  shield: 'M0-19l6 2.500v4c0 4-2.500 6.500-6 8-3.500-1.500-6-4-6-8v-4z',
}

export type LightStateCounts = LightCounts & { total: number }
/** Formats counts as `亮 2 盏，未知 3 盏，共 8 盏`. */
export const formatLitCounts = ({
  on,
  total,
  unknown,
}: Pick<LightStateCounts, 'on' | 'total' | 'unknown'>) =>
  [`亮 ${on} 盏`, unknown > 0 && `未知 ${unknown} 盏`, `共 ${total} 盏`].filter(Boolean).join('，')

/** Returns the last state of a device. */
export type GetDeviceState = (
  device: MapDevice,
) => Pick<MapDevice, 'state' | 'reported' | 'stale'> & Partial<Pick<MapDevice, 'desired'>>

export const countLooks = (devices: MapDevice[], getState: GetDeviceState) => {
  const counts: LightStateCounts = { ...noLights, total: devices.length }
  for (const device of devices) {
    counts[getLightState(getState(device))]++
    if (device.protected) counts.protected++
    else if (getState(device).state === 'online') counts.reachable++
  }
  return counts
}

/** Filter for the lamps of a plan. */
export type LightFilter = LightState | 'protected'
export const lightFilterText: Record<LightFilter, string> = { ...lookText, protected: '受保护' }
export const matchesLightFilter = (device: MapDevice, lightFilter: LightFilter) =>
  isLight(device) &&
  (lightFilter === 'protected' ? device.protected : getLightState(device) === lightFilter)

/** @deprecated Use {@link LiveDevice}; kept for remotes that were built before. */
export type DeviceNow = LiveDevice

/** @deprecated Use {@link formatTimeParts}; kept for remotes that were built before. */
export const timeText = formatTimeParts

/** @deprecated Use {@link formatDayTime}; kept for remotes that were built before. */
export const whenText = formatDayTime

/** @deprecated Use {@link formatStaleTime}; kept for remotes that were built before. */
export const asOf = formatStaleTime

/** @deprecated Use {@link formatStaleState}; kept for remotes that were built before. */
export const lastWords = formatStaleState

/** @deprecated Use {@link formatLightLabel}; kept for remotes that were built before. */
export const labelOf = formatLightLabel

/** @deprecated Use {@link signPaths}; kept for remotes that were built before. */
export const signs = signPaths

/** @deprecated Use {@link LightStateCounts}; kept for remotes that were built before. */
export type Counts = LightStateCounts

/** @deprecated Use {@link formatLitCounts}; kept for remotes that were built before. */
export const litText = formatLitCounts

/** @deprecated Use {@link GetDeviceState}; kept for remotes that were built before. */
export type Now = GetDeviceState

/** @deprecated Use {@link LightFilter}; kept for remotes that were built before. */
export type Only = LightFilter

/** @deprecated Use {@link lightFilterText}; kept for remotes that were built before. */
export const onlyText = lightFilterText

/** @deprecated Use {@link matchesLightFilter}; kept for remotes that were built before. */
export const isAmong = matchesLightFilter

/** @deprecated Use {@link isCommandPending}; kept for remotes that were built before. */
export const isWaiting = isCommandPending

/** @deprecated Use {@link formatPendingState}; kept for remotes that were built before. */
export const waitingText = formatPendingState
