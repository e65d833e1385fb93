import {
  alarmOperatorText,
  offlineTargetText,
  platformCheckText,
  type AlarmRule,
  type ThresholdSource,
} from './alarmRule.schema'
import { severityText } from './alarmSeverity'
import type { ThingModel } from '../thingModel/thingModel.schema'
import { eventText, formatValue } from '../thingModel/thingText'

type Rule = Pick<AlarmRule, 'source' | 'severity' | 'forMinutes'>
/** Names of what the rule refers to by id; without project, space and group it applies everywhere. */
export type RuleNames = {
  project?: string
  /** From the building down, as `formatTreePath` writes it. */
  spacePath?: string
  group?: string
  product?: string
  model?: ThingModel
}
const describePlace = ({ project, spacePath, group }: RuleNames) =>
  [project, spacePath, group && `设备组“${group}”`].filter(Boolean).join(' ')

const formatMinutes = (minutes: number) =>
  minutes % 60 === 0 ? `${minutes / 60} 小时` : `${minutes} 分钟`

/** Formats a limit or a value with the unit or the word of its property. */
export function formatLimit(
  model: ThingModel | undefined,
  identifier: string,
  value: number | string,
): string {
  const property = model?.properties.find((candidate) => candidate.identifier === identifier)
  return property ? formatValue(property.dataType, value) : String(value)
}

const findPropertyName = (model: ThingModel | undefined, identifier: string) =>
  model?.properties.find((candidate) => candidate.identifier === identifier)?.name ?? identifier

/** Returns the name of the property and its condition, such as “温度” and “> 28 ℃”. */
export const describeThreshold = (
  { identifier, operator, value }: ThresholdSource,
  model?: ThingModel,
) => ({
  name: findPropertyName(model, identifier),
  condition: `${alarmOperatorText[operator]} ${formatLimit(model, identifier, value)}`,
})

function describeCondition({ source }: Rule, names: RuleNames) {
  const { product, model } = names
  const place = describePlace(names)
  const subject = [place, product].filter(Boolean).join(' ')
  switch (source.kind) {
    case 'threshold': {
      const { name, condition } = describeThreshold(source, model)
      return `${subject}${subject && ' 的'}${name} ${condition}`
    }
    case 'event': {
      const event = model?.events.find(({ identifier }) => identifier === source.identifier)
      const name = source.identifier
        ? `“${event?.name ?? source.identifier}”`
        : source.types.map((type) => eventText[type]).join('或')
      return `${subject}${subject ? ' ' : '设备'}上报${name}事件`
    }
    case 'offline':
      return `${place}${place && ' 的'}${product || offlineTargetText[source.target]}离线`
    case 'check':
      return `${place}${place && ' 的'}${platformCheckText[source.check]}`
  }
}

/** Describes a rule in one sentence: “科创园 A栋 / 会议室 温度传感器 的温度 > 28 ℃ 持续 10 分钟 → 重要”. */
export function describeRule(rule: Rule, names: RuleNames) {
  const duration = rule.forMinutes > 0 ? ` 持续 ${formatMinutes(rule.forMinutes)}` : ''
  return `${describeCondition(rule, names)}${duration} → ${severityText[rule.severity]}`
}
