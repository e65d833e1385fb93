import {
  AlarmSource,
  isOrdered,
  type AlarmOperator,
} from '@iot/shared/contract/alarm/alarmRule.schema'
import {
  explainNeverMet,
  oppositeComparisons,
} from '@iot/shared/contract/thingModel/numberComparison'
import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { isNumberType } from '@iot/shared/contract/thingModel/thingText'
import { validateValue } from '@iot/shared/contract/thingModel/thingValue'

type SourceProblem = { field: string; reason: string }
type NumberType = Parameters<typeof explainNeverMet>[0]

function explainImpossibleLimit(dataType: NumberType, operator: AlarmOperator, value: unknown) {
  if (typeof value !== 'number') return '须为数字'
  const reason = explainNeverMet(dataType, operator, value)
  return reason && `${reason}，这个条件永远不会满足`
}

function findThresholdProblem(
  { identifier, operator, value, recoverValue }: Extract<AlarmSource, { kind: 'threshold' }>,
  model: ThingModel,
): SourceProblem | undefined {
  const property = model.properties.find((candidate) => candidate.identifier === identifier)
  if (!property || property.accessMode === 'w')
    return { field: 'source.identifier', reason: '产品没有这个可以上报的属性' }
  const { dataType, name } = property
  const isNumber = isNumberType(dataType)
  if (isOrdered(operator) && !isNumber)
    return { field: 'source.operator', reason: '这个属性只能比较相等和不等' }
  const valueReason = isNumber
    ? explainImpossibleLimit(dataType, operator, value)
    : validateValue(dataType, value)
  if (valueReason) return { field: 'source.value', reason: `${name}${valueReason}` }
  if (recoverValue === null) return undefined
  if (!isOrdered(operator)) return { field: 'source.recoverValue', reason: '相等和不等没有恢复值' }
  const isBelow = operator === 'gt' || operator === 'gte'
  const isWrong = isBelow ? recoverValue >= (value as number) : recoverValue <= (value as number)
  return isWrong
    ? { field: 'source.recoverValue', reason: `恢复值须${isBelow ? '小于' : '大于'}比较的值` }
    : undefined
}

/** A condition that another program or version has stored must not stop the rules beside it. */
export const isDamaged = (source: unknown) => !AlarmSource.safeParse(source).success

/** Stands for a damaged condition in answers; the form refuses it until another property is chosen. */
export const damagedSource: AlarmSource = {
  kind: 'threshold',
  identifier: '（已损坏）',
  operator: 'gt',
  value: 0,
  recoverValue: null,
}

/**
 * Finds why the source of a rule can never be met with the model of its product. A form shows it at its field; a rule
 * that was saved before its product changed shows it in the list.
 */
export function findSourceProblem(
  source: AlarmSource,
  model: ThingModel | undefined,
): SourceProblem | undefined {
  if (isDamaged(source)) return { field: 'source', reason: '保存的条件已损坏，请重新填写' }
  if (source.kind === 'threshold')
    return model
      ? findThresholdProblem(source, model)
      : { field: 'productId', reason: '请选择产品' }
  if (source.kind !== 'event' || !source.identifier) return undefined
  if (!model) return { field: 'productId', reason: '选择事件前请先选择产品' }
  const hasEvent = model.events.some(({ identifier }) => identifier === source.identifier)
  return hasEvent ? undefined : { field: 'source.identifier', reason: '产品没有这个事件' }
}

/**
 * Finds why a new or changed rule would be of no use: its condition is never or always met, or its incidents never
 * recover. A rule that was saved before and never recovers goes on to report.
 */
export function findDraftProblem(
  source: AlarmSource,
  model: ThingModel | undefined,
): SourceProblem | undefined {
  const problem = findSourceProblem(source, model)
  if (problem || source.kind !== 'threshold') return problem
  const { identifier, operator, value, recoverValue } = source
  const property = model?.properties.find((candidate) => candidate.identifier === identifier)
  if (!property || typeof value !== 'number' || !isNumberType(property.dataType)) return undefined
  const { name, dataType } = property
  const alwaysReason = explainNeverMet(dataType, oppositeComparisons[operator], value)
  if (alwaysReason)
    return { field: 'source.value', reason: `${name}${alwaysReason}，这个条件一直满足` }
  if (recoverValue === null) return undefined
  const isBelow = operator === 'gt' || operator === 'gte'
  const reason = explainNeverMet(dataType, isBelow ? 'lt' : 'gt', recoverValue)
  return reason
    ? { field: 'source.recoverValue', reason: `${name}${reason}，永远不会恢复` }
    : undefined
}
