import type { ProductType } from '@iot/shared/contract/product/productType.schema'
import { formatFunctionName, validateSetting } from '@iot/shared/contract/thingModel/thingValue'
import { createFieldRefusal, createFieldsRefusal } from '../../core/refusal'
import { assertStandardCodes, createPropertyNamer, standardModelByCode } from '../category/policy'

/** Asserts that each action is supported by at least one of the categories that the type lists. */
export function assertActionsSupported({
  categories,
  actions,
}: Pick<ProductType, 'categories' | 'actions'>) {
  assertStandardCodes(categories)
  if (categories.length === 0) return
  const errorEntries = actions.flatMap(({ identifier, value }, index) => {
    const reasons = categories.map((code) =>
      validateSetting(standardModelByCode.get(code)!, { [identifier]: value }),
    )
    if (reasons.some((reason) => !reason)) return []
    // If a category has the function, the error concerns the value.
    const valueReason = reasons.find((reason) => reason && !reason.startsWith('产品没有功能'))
    return [
      valueReason
        ? [`actions.${index}.value`, valueReason]
        : [
            `actions.${index}.identifier`,
            `所选品类没有功能${formatFunctionName(identifier, createPropertyNamer([]))}`,
          ],
    ]
  })
  if (errorEntries.length > 0) throw createFieldsRefusal(Object.fromEntries(errorEntries))
}

/** Asserts that a built-in type keeps its original actions, because the home screen relies on them. */
export function assertKeepsOriginalActions(
  previousType: Pick<ProductType, 'code' | 'actions'>,
  { actions }: Pick<ProductType, 'actions'>,
) {
  const actionTypes = new Set(actions.map(({ actionType }) => actionType))
  const removedActions = previousType.actions.filter(
    ({ actionType }) => ['all_on', 'all_off'].includes(actionType) && !actionTypes.has(actionType),
  )
  if (removedActions.length > 0)
    throw createFieldRefusal('actions', `内置类型 ${previousType.code} 须保留 all_on 和 all_off`)
}
