import { listFunctions, type ThingFunction } from '../thingModel/modelDifference'
import type { DataType, Param, ThingModel } from '../thingModel/thingModel.schema'
import { typeText } from '../thingModel/thingText'

/**
 * Returns why a published model cannot change this way: functions, identifiers and types must stay, because devices use
 * them. New ones may be added.
 */
export function validateModelChange(
  publishedModel: ThingModel,
  changedModel: ThingModel,
): string | undefined {
  const changedFunctions = new Map(
    listFunctions(changedModel).map((thingFunction) => [thingFunction.identifier, thingFunction]),
  )
  for (const publishedFunction of listFunctions(publishedModel)) {
    const { kind, identifier, name } = publishedFunction
    const changedFunction = changedFunctions.get(identifier)
    if (changedFunction?.kind !== kind) return `产品已发布，不能去掉“${name}”（${identifier}）`
    const typeError = validateFunctionTypes(publishedFunction, changedFunction)
    if (typeError) return `产品已发布，“${name}”的${typeError}`
  }
  return undefined
}

/** The text follows the function name: 类型不能由整数改为文本. */
function validateFunctionTypes(
  publishedFunction: ThingFunction,
  changedFunction: ThingFunction,
): string | undefined {
  if (publishedFunction.kind === 'properties' && changedFunction.kind === 'properties')
    return validateTypeChange(publishedFunction.dataType, changedFunction.dataType)
  if (publishedFunction.kind === 'services' && changedFunction.kind === 'services')
    return (
      validateParamsChange(publishedFunction.inputData, changedFunction.inputData, '输入参数') ??
      validateParamsChange(publishedFunction.outputData, changedFunction.outputData, '输出参数')
    )
  if (publishedFunction.kind === 'events' && changedFunction.kind === 'events')
    return validateParamsChange(
      publishedFunction.outputData,
      changedFunction.outputData,
      '输出参数',
    )
  return undefined
}

function validateTypeChange(publishedType: DataType, changedType: DataType): string | undefined {
  if (publishedType.type !== changedType.type)
    return `类型不能由${typeText[publishedType.type]}改为${typeText[changedType.type]}`
  if (publishedType.type === 'array' && changedType.type === 'array') {
    const itemError = validateTypeChange(publishedType.specs.item, changedType.specs.item)
    return itemError && `元素${itemError}`
  }
  if (publishedType.type === 'struct' && changedType.type === 'struct')
    return validateParamsChange(publishedType.specs, changedType.specs, '成员')
  return undefined
}

/** @param word term for one of the parameters in messages: 输入参数, 输出参数 or 成员 */
function validateParamsChange(
  publishedParams: Param[],
  changedParams: Param[],
  word: string,
): string | undefined {
  for (const { identifier, name, dataType } of publishedParams) {
    const changedParam = changedParams.find((candidate) => candidate.identifier === identifier)
    if (!changedParam) return `${word}“${name}”（${identifier}）不能去掉`
    const typeError = validateTypeChange(dataType, changedParam.dataType)
    if (typeError) return `${word}“${name}”的${typeError}`
  }
  return undefined
}
