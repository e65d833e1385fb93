import type { MapDevice } from '../contract/device'
import { isToday } from '../client/zone'
import { outgoingText, type Outgoing } from '../session/outgoing'
import { pageTimeZone } from '../session/timeZone'
import { isLight, lastLookOf, lightSwitch, lookOf, type Look } from '../contract/light'

export const lookText: Record<Look, string> = {
  on: '开',
  off: '关',
  offline: '离线',
  unknown: '未知',
}

/** A device with its live state and the state of an unanswered command, if any. */
export type DeviceNow = MapDevice & { outgoing?: Outgoing['state'] }

/** Returns true if the device has a command in flight or an unanswered one. */
export const isWaiting = ({ desired, outgoing }: Pick<DeviceNow, 'desired' | 'outgoing'>) =>
  outgoing !== undefined || Object.keys(desired).length > 0

export const waitingText = ({ outgoing }: Pick<DeviceNow, 'outgoing'>) =>
  outgoing ? outgoingText[outgoing] : '等待确认'

/** Formats a time as `11-23 14:03` or in the given parts. */
export const timeText = (time: string | number, shown: Intl.DateTimeFormatOptions) =>
  new Date(time).toLocaleString('zh-CN', { ...shown, timeZone: pageTimeZone() }).replace('/', '-')

/** Formats a time as `14:03`, with the date unless it is today: `11-20 14:03`. */
export function whenText(time: string | number) {
  const day = { month: '2-digit', day: '2-digit' } as const
  return timeText(time, { ...(!isToday(time) && day), hour: '2-digit', minute: '2-digit' })
}

/**
 * Formats the time of a stale value as `截至 14:03`, with the date unless it is today; undefined if the value is not
 * stale.
 */
export function asOf({ stale }: Pick<MapDevice, 'stale'>, identifier: string) {
  const at = stale[identifier]
  return at === undefined ? undefined : `截至 ${whenText(at)}`
}

/** Describes a stale state with its time: `此前开，截至 14:03`. */
export function lastWords(device: Pick<MapDevice, 'state' | 'reported' | 'stale'>) {
  const time = asOf(device, lightSwitch)
  return time && `此前${lookText[lastLookOf(device)]}，${time}`
}

/** Accessible label of a light: name, state and special conditions. */
export const labelOf = (device: DeviceNow) =>
  [
    `${device.name} ${lookText[lookOf(device)]}`,
    device.protected && '受保护',
    device.state === 'online' && lastWords(device),
    isWaiting(device) && waitingText(device),
  ]
    .filter(Boolean)
    .join('，')

/** SVG paths of signs in and around a lamp, relative to its centre. */
export const signs = {
  cross: 'm-3-3 6 6m0-6-6 6',
  fault: 'M0-4.5V1m0 3v.5',
  shield: 'M0-19l6 2.500v4c0 4-2.500 6.500-6 8-3.500-1.500-6-4-6-8v-4z',
}

export type Counts = Record<Look, number> & {
  total: number
  protected: number
  /** A bulk action reaches this many lights. */
  reachable: number
}
/** Formats counts as `亮 2 盏，未知 3 盏，共 8 盏`. */
export const litText = ({ on, total, unknown }: Pick<Counts, 'on' | 'total' | 'unknown'>) =>
  [`亮 ${on} 盏`, unknown > 0 && `未知 ${unknown} 盏`, `共 ${total} 盏`].filter(Boolean).join('，')

/** Returns the last reported state of a device. */
export type Now = (device: MapDevice) => Pick<MapDevice, 'state' | 'reported' | 'stale'>

export const countLooks = (devices: MapDevice[], now: Now) => {
  const counts: Counts = {
    on: 0,
    off: 0,
    offline: 0,
    unknown: 0,
    total: devices.length,
    protected: 0,
    reachable: 0,
  }
  for (const device of devices) {
    counts[lookOf(now(device))]++
    if (device.protected) counts.protected++
    else if (now(device).state === 'online') counts.reachable++
  }
  return counts
}

/** Filter for the lamps of a plan. */
export type Only = 'on' | 'off' | 'offline' | 'protected' | 'unknown'
export const onlyText: Record<Only, string> = { ...lookText, protected: '受保护' }
export const isAmong = (device: MapDevice, only: Only) =>
  isLight(device) && (only === 'protected' ? device.protected : lookOf(device) === only)
