import { dayTypeText, formatWeekdays, type DayType } from './calendarDay'
import { describeCron } from './cronText'
import { missingDeviceLabel } from './device'
import { comparisonText } from './scene'
import type { Condition, Trigger } from './scene.schema'
import type { Property } from './thingModel.schema'
import { formatValue } from './thingText'

export function formatSunOffset(event: 'sunrise' | 'sunset', offset: number) {
  const name = event === 'sunrise' ? '日出' : '日落'
  return offset === 0 ? name : `${name}${offset < 0 ? '前' : '后'} ${Math.abs(offset)} 分钟`
}

/** Names and properties of the devices in conditions, by id. */
export type ConditionDevices = ReadonlyMap<
  string,
  { name: string; properties: readonly Pick<Property, 'identifier' | 'name' | 'dataType'>[] }
>

/** Describes a condition in the words of the model, such as `大厅照度计 照度小于 100 lx`. */
function describeCondition(
  { deviceId, identifier, compare, value }: Condition,
  devices: ConditionDevices,
) {
  const device = devices.get(deviceId)
  const property = device?.properties.find((candidate) => candidate.identifier === identifier)
  const comparison = `${property?.name ?? identifier}${comparisonText[compare]}`
  return `${device?.name ?? missingDeviceLabel} ${comparison} ${formatValue(property?.dataType, value)}`
}

/** @param devices devices that the conditions refer to */
export function describeTrigger(trigger: Trigger, devices: ConditionDevices): string {
  switch (trigger.kind) {
    case 'weekly':
      return `${formatWeekdays(trigger.weekdays)} ${trigger.time}`
    case 'cron':
      return describeCron(trigger.cron) ?? `cron ${trigger.cron}`
    case 'sun':
      return `${formatWeekdays(trigger.weekdays)} ${formatSunOffset(trigger.event, trigger.offset)}`
    case 'condition': {
      const { conditions, match, seconds } = trigger
      const conditionTexts = conditions.map((condition) => describeCondition(condition, devices))
      return (
        conditionTexts.join(match === 'all' ? ' 且 ' : ' 或 ') +
        (seconds ? `，持续 ${seconds} 秒` : '')
      )
    }
  }
}

/**
 * Returns why a trigger can never start the scene: a device of its conditions is disabled or deleted. Undefined if it
 * can.
 * @param devices devices of the project by id
 */
export function explainDeadTrigger(
  trigger: Trigger,
  devices: ReadonlyMap<string, { name: string; isDisabled: boolean }>,
): string | undefined {
  if (trigger.kind !== 'condition') return undefined
  const reasons = trigger.conditions.map(({ deviceId }) => {
    const device = devices.get(deviceId)
    if (!device) return '条件里的设备已删除或移走'
    return device.isDisabled ? `条件里的“${device.name}”已禁用` : undefined
  })
  const deadReasons = reasons.filter((reason) => reason !== undefined)
  const isDead =
    trigger.match === 'all' ? deadReasons.length > 0 : deadReasons.length === reasons.length
  return isDead ? `${[...new Set(deadReasons)].join('，')}，不会按条件触发` : undefined
}

export const describeTriggers = (triggers: readonly Trigger[], devices: ConditionDevices) =>
  triggers.map((trigger) => describeTrigger(trigger, devices)).join('；')

export const listConditionDeviceIds = (triggers: readonly Trigger[]) => [
  ...new Set(
    triggers.flatMap((trigger) =>
      trigger.kind === 'condition' ? trigger.conditions.map(({ deviceId }) => deviceId) : [],
    ),
  ),
]

export const formatDayTypes = (types: readonly DayType[]) =>
  types.map((type) => dayTypeText[type]).join('、')
