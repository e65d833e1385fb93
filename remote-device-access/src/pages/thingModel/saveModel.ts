import { call, CallError, page } from '@iot/shared/client/call'
import type { productCategoryApi } from '@iot/shared/contract/category'
import { codes, type FieldErrors, type Output } from '@iot/shared/contract/endpoint'
import type { productApi } from '@iot/shared/contract/product'
import type { FunctionKind, ThingModel } from '@iot/shared/contract/thingModel'
import { kindText } from '@iot/shared/contract/thingText'
import type { Carrier } from './editing'

type Save = typeof productCategoryApi.saveModel | typeof productApi.saveModel

/**
 * Saves the whole model after an edit of one function. A function stored before a rule was added may violate it, so the
 * error names the function, which may be another than the edited one.
 */
export async function saveModel<E extends Save>(
  api: E,
  { id, version }: Pick<Carrier, 'id' | 'version'>,
  model: ThingModel,
  { handles }: { handles: number[] },
) {
  try {
    const options = { handles: [...handles, codes.fields] }
    return (await call<Save>(api, { id, version, model }, options)) as Awaited<Output<E>>
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== codes.fields) throw error
    const said = wrongFunction(model, error.data as FieldErrors) ?? error.message
    page.showError(said)
    throw new CallError(said)
  }
}

/** `属性“亮度”：步长不能大于最大值与最小值之差` */
function wrongFunction(model: ThingModel, { fields }: FieldErrors) {
  for (const [path, why] of Object.entries(fields)) {
    const [, kind, at] = /^model\.(\w+)\.(\d+)\b/.exec(path) ?? []
    const one = kind && kind in kindText && model[kind as FunctionKind][Number(at)]
    if (one) return `${kindText[kind as FunctionKind]}“${one.name}”：${why}`
  }
  return undefined
}
