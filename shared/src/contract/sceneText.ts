import { dayTypeText, wordsOfWeekdays, type DayType } from './calendarDay'
import { wordsOfCron } from './cronText'
import { lostDevice } from './device'
import { compareText, type Condition, type Trigger } from './scene'
import type { Property } from './thingModel'
import { valueWords } from './thingText'

export function wordsOfOffset(event: 'sunrise' | 'sunset', offset: number) {
  const name = event === 'sunrise' ? '日出' : '日落'
  return offset === 0 ? name : `${name}${offset < 0 ? '前' : '后'} ${Math.abs(offset)} 分钟`
}

/** Names and properties of the devices in conditions, by id. */
export type AskedDevices = ReadonlyMap<
  string,
  { name: string; properties: readonly Pick<Property, 'identifier' | 'name' | 'dataType'>[] }
>

/** Describes a condition in the words of the model, such as `大厅照度计 照度小于 100 lx`. */
function wordsOfCondition(
  { deviceId, identifier, compare, value }: Condition,
  devices: AskedDevices,
) {
  const device = devices.get(deviceId)
  const property = device?.properties.find((one) => one.identifier === identifier)
  const asked = `${property?.name ?? identifier}${compareText[compare]}`
  return `${device?.name ?? lostDevice} ${asked} ${valueWords(property?.dataType, value)}`
}

/** @param devices devices that the conditions refer to */
export function wordsOfTrigger(trigger: Trigger, devices: AskedDevices): string {
  switch (trigger.kind) {
    case 'weekly':
      return `${wordsOfWeekdays(trigger.weekdays)} ${trigger.time}`
    case 'cron':
      return wordsOfCron(trigger.cron) ?? `cron ${trigger.cron}`
    case 'sun':
      return `${wordsOfWeekdays(trigger.weekdays)} ${wordsOfOffset(trigger.event, trigger.offset)}`
    case 'condition': {
      const { conditions, match, seconds } = trigger
      const words = conditions.map((one) => wordsOfCondition(one, devices))
      return words.join(match === 'all' ? ' 且 ' : ' 或 ') + (seconds ? `，持续 ${seconds} 秒` : '')
    }
  }
}

/**
 * Returns why a trigger can never start the scene: a device of its conditions is disabled or deleted. Undefined if it
 * can.
 * @param devices devices of the project by id
 */
export function refuseTrigger(
  trigger: Trigger,
  devices: ReadonlyMap<string, { name: string; isDisabled: boolean }>,
): string | undefined {
  if (trigger.kind !== 'condition') return undefined
  const reasons = trigger.conditions.map(({ deviceId }) => {
    const device = devices.get(deviceId)
    if (!device) return '条件里的设备已删除或移走'
    return device.isDisabled ? `条件里的“${device.name}”已禁用` : undefined
  })
  const dead = reasons.filter((one) => one !== undefined)
  const isDead = trigger.match === 'all' ? dead.length > 0 : dead.length === reasons.length
  return isDead ? `${[...new Set(dead)].join('，')}，不会按条件触发` : undefined
}

export const wordsOfTriggers = (triggers: readonly Trigger[], devices: AskedDevices) =>
  triggers.map((one) => wordsOfTrigger(one, devices)).join('；')

/** Returns the ids of the devices in conditions. */
export const askedOf = (triggers: readonly Trigger[]) => [
  ...new Set(
    triggers.flatMap((trigger) =>
      trigger.kind === 'condition' ? trigger.conditions.map(({ deviceId }) => deviceId) : [],
    ),
  ),
]

export const wordsOfDayTypes = (types: readonly DayType[]) =>
  types.map((type) => dayTypeText[type]).join('、')
