import { functionsOf, type ThingFunction } from './modelDifference'
import type { DataType, Param, ThingModel } from './thingModel'
import { typeText } from './thingText'

/**
 * Returns why a published model cannot change this way: functions, identifiers and types must stay, because devices use
 * them. New ones may be added.
 */
export function refuseModel(was: ThingModel, is: ThingModel): string | undefined {
  const now = new Map(functionsOf(is).map((one) => [one.identifier, one]))
  for (const before of functionsOf(was)) {
    const { kind, identifier, name } = before
    const after = now.get(identifier)
    if (after?.kind !== kind) return `产品已发布，不能去掉“${name}”（${identifier}）`
    const why = refuseTypes(before, after)
    if (why) return `产品已发布，“${name}”的${why}`
  }
  return undefined
}

/** The text follows the function name: 类型不能由整数改为文本. */
function refuseTypes(was: ThingFunction, is: ThingFunction): string | undefined {
  if (was.kind === 'properties' && is.kind === 'properties')
    return refuseType(was.dataType, is.dataType)
  if (was.kind === 'services' && is.kind === 'services')
    return (
      refuseParams(was.inputData, is.inputData, '输入参数') ??
      refuseParams(was.outputData, is.outputData, '输出参数')
    )
  if (was.kind === 'events' && is.kind === 'events')
    return refuseParams(was.outputData, is.outputData, '输出参数')
  return undefined
}

function refuseType(was: DataType, is: DataType): string | undefined {
  if (was.type !== is.type) return `类型不能由${typeText[was.type]}改为${typeText[is.type]}`
  if (was.type === 'array' && is.type === 'array') {
    const why = refuseType(was.specs.item, is.specs.item)
    return why && `元素${why}`
  }
  if (was.type === 'struct' && is.type === 'struct')
    return refuseParams(was.specs, is.specs, '成员')
  return undefined
}

/** @param word Chinese term for one of the parameters */
function refuseParams(was: Param[], is: Param[], word: string): string | undefined {
  for (const { identifier, name, dataType } of was) {
    const now = is.find((one) => one.identifier === identifier)
    if (!now) return `${word}“${name}”（${identifier}）不能去掉`
    const why = refuseType(dataType, now.dataType)
    if (why) return `${word}“${name}”的${why}`
  }
  return undefined
}
