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

/** A device as it is now, and whether a command left this page for it that was not answered. */
export type DeviceNow = MapDevice & { outgoing?: Outgoing['state'] }

/** Whether something was asked of the device that it has not confirmed. */
export const isWaiting = ({ desired, outgoing }: Pick<DeviceNow, 'desired' | 'outgoing'>) =>
  outgoing !== undefined || Object.keys(desired).length > 0

export const waitingText = ({ outgoing }: Pick<DeviceNow, 'outgoing'>) =>
  outgoing ? outgoingText[outgoing] : '等待确认'

/** `11-23 14:03`, or what is asked for of it. */
export const timeText = (time: string | number, shown: Intl.DateTimeFormatOptions) =>
  new Date(time).toLocaleString('zh-CN', { ...shown, timeZone: pageTimeZone() }).replace('/', '-')

/** `14:03`, with the day where it is not today's: `11-20 14:03`. */
export function whenText(time: string | number) {
  const day = { month: '2-digit', day: '2-digit' } as const
  return timeText(time, { ...(!isToday(time) && day), hour: '2-digit', minute: '2-digit' })
}

/** `截至 14:03`, with the day where it is not today's: the value was said before the device or the platform was away. */
export function asOf({ stale }: Pick<MapDevice, 'stale'>, identifier: string) {
  const at = stale[identifier]
  return at === undefined ? undefined : `截至 ${whenText(at)}`
}

/** `此前开，截至 14:03`: what is not known any more, with its time. */
export function lastWords(device: Pick<MapDevice, 'state' | 'reported' | 'stale'>) {
  const time = asOf(device, lightSwitch)
  return time && `此前${lookText[lastLookOf(device)]}，${time}`
}

/** The name of a light as it is read out: name, state, and what is special about it. */
export const labelOf = (device: DeviceNow) =>
  [
    `${device.name} ${lookText[lookOf(device)]}`,
    device.protected && '受保护',
    device.state === 'online' && lastWords(device),
    isWaiting(device) && waitingText(device),
  ]
    .filter(Boolean)
    .join('，')

/** What is drawn in a lamp and beside it, about its middle. */
export const signs = {
  cross: 'm-3-3 6 6m0-6-6 6',
  fault: 'M0-4.5V1m0 3v.5',
  shield: 'M0-19l6 2.500v4c0 4-2.500 6.500-6 8-3.500-1.500-6-4-6-8v-4z',
}

export type Counts = Record<Look, number> & {
  total: number
  protected: number
  /** By an action for many. */
  reachable: number
}
/** `亮 2 盏，未知 3 盏，共 8 盏` */
export const litText = ({ on, total, unknown }: Pick<Counts, 'on' | 'total' | 'unknown'>) =>
  [`亮 ${on} 盏`, unknown > 0 && `未知 ${unknown} 盏`, `共 ${total} 盏`].filter(Boolean).join('，')

/** What the device said last. */
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

/** Which lamps are looked for among all that are drawn. */
export type Only = 'on' | 'off' | 'offline' | 'protected' | 'unknown'
export const onlyText: Record<Only, string> = { ...lookText, protected: '受保护' }
export const isAmong = (device: MapDevice, only: Only) =>
  isLight(device) && (only === 'protected' ? device.protected : lookOf(device) === only)
