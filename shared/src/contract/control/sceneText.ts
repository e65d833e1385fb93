import { dayTypeText, formatWeekdays, type DayType } from '../project/calendarDay'
import { describeCron } from './cronText'
import { missingDeviceLabel } from '../device/device'
import { comparisonText, dayRulePresets } from './scene'
import type { Condition, SceneEffect, Timing, Trigger } from './scene.schema'
import type { Property } from '../thingModel/thingModel.schema'
import { formatValue } from '../thingModel/thingText'

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

type DayRules = Pick<Timing, 'dayMode' | 'dayTypes'>
const hasSameTypes = (a: readonly DayType[], b: readonly DayType[]) =>
  a.length === b.length && a.every((type) => b.includes(type))

/** Names the day types of a rule, by the word of the preset that consists of the same ones. */
const nameDayTypes = (dayTypes: readonly DayType[]) =>
  dayRulePresets.find(
    (preset) => preset.dayMode === 'only' && hasSameTypes(preset.dayTypes, dayTypes),
  )?.label ?? formatDayTypes(dayTypes)

/** Returns the words before and after the weekdays of a schedule that a calendar rule adds. */
function describeDayRules({ dayMode, dayTypes }: DayRules) {
  if (dayMode === 'ignore' || dayTypes.length === 0) return ''
  if (dayMode === 'only') return `仅${nameDayTypes(dayTypes)}`
  const types = formatDayTypes(dayTypes)
  return dayMode === 'avoid' ? `避开${types}` : `${types}按周日`
}

/** Says when a trigger starts the scene, with the rules of the calendar: `工作日（含调休上班）18:30`. */
function describeStart(trigger: Trigger, rules: DayRules, devices: ConditionDevices) {
  if (trigger.kind === 'condition') return `${describeTrigger(trigger, devices)} 时`
  const text = describeTrigger(trigger, devices)
  const ruleText = describeDayRules(rules)
  if (!ruleText) return text
  if (rules.dayMode === 'only' && 'weekdays' in trigger && trigger.weekdays.length === 7)
    return text.replace(/^每天 /, `${nameDayTypes(rules.dayTypes)} `).replace('） ', '）')
  return `${text}（${ruleText}）`
}

/**
 * Says in one sentence when a scene starts and what it does: `工作日（含调休上班）18:30 关闭 3 盏，打开 2 盏`.
 * @param effects undefined while the actions are incomplete
 */
export function describeScene(
  { triggers, ...rules }: DayRules & Pick<Timing, 'triggers'>,
  effects: readonly Pick<SceneEffect, 'action' | 'devices' | 'unit'>[] | undefined,
  devices: ConditionDevices,
) {
  const starts = triggers.map((trigger) => describeStart(trigger, rules, devices))
  const effectText = effects
    ? effects.map(({ action, devices: count, unit }) => `${action} ${count} ${unit}`).join('，')
    : '……'
  return `${starts.join(' 或 ') || '手动执行：'} ${effectText}`.replace('： ', '：')
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
