import { call, CallError, failureHandlers } from '@iot/shared/client/call'
import type { productCategoryApi } from '@iot/shared/contract/product/category.api'
import { responseCodes, type FieldErrors, type Output } from '@iot/shared/contract/endpoint'
import type { productApi } from '@iot/shared/contract/product/product.api'
import type { FunctionKind } from '@iot/shared/contract/thingModel/thingModel'
import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { kindText } from '@iot/shared/contract/thingModel/thingText'
import type { ModelOwner } from './modelEditing'

type SaveModelEndpoint = typeof productCategoryApi.saveModel | typeof productApi.saveModel

/**
 * Saves the whole model after an edit of one function. A function stored before a rule was added may violate it, so the
 * error names the function, which may be another than the edited one.
 */
export async function saveModel<E extends SaveModelEndpoint>(
  api: E,
  { id, version }: Pick<ModelOwner, 'id' | 'version'>,
  model: ThingModel,
  { handles }: { handles: number[] },
) {
  try {
    const options = { handles: [...handles, responseCodes.fields] }
    return (await call<SaveModelEndpoint>(api, { id, version, model }, options)) as Awaited<
      Output<E>
    >
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== responseCodes.fields) throw error
    const errorMessage = describeInvalidFunction(model, error.data as FieldErrors) ?? error.message
    failureHandlers.showError(errorMessage)
    throw new CallError(errorMessage)
  }
}

/** `属性“亮度”：步长不能大于最大值与最小值之差` */
function describeInvalidFunction(model: ThingModel, { fields }: FieldErrors) {
  for (const [path, reason] of Object.entries(fields)) {
    const [, kind, index] = /^model\.(\w+)\.(\d+)\b/.exec(path) ?? []
    const invalidFunction = kind && kind in kindText && model[kind as FunctionKind][Number(index)]
    if (invalidFunction)
      return `${kindText[kind as FunctionKind]}“${invalidFunction.name}”：${reason}`
  }
  return undefined
}
