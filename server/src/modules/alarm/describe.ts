import { describeThreshold, formatLimit } from '@iot/shared/contract/alarm/alarmText'
import type { ObservedDevice } from './conditions'
import type { CompiledRule } from './ruleIndex'

/** Describes what a device said: “温度 31.2 ℃（> 28 ℃）”. */
export function describeObservation(
  { source, model }: Pick<CompiledRule, 'source' | 'model'>,
  { reported }: Pick<ObservedDevice, 'reported'>,
): string {
  if (source.kind !== 'threshold') return '离线'
  const { name, condition } = describeThreshold(source, model)
  const value = reported[source.identifier]
  return value === undefined
    ? `${name} ${condition}`
    : `${name} ${formatLimit(model, source.identifier, value)}（${condition}）`
}
