import type { ProductType } from '@iot/shared/contract/productType'
import { functionWords, refuseSetting } from '@iot/shared/contract/thingValue'
import { wrongField, wrongFields } from '../../core/refusal'
import { mustBeStandard, propertyNames, standardModels } from '../category/policy'

/** Asserts that each action is supported by at least one of the categories that the type lists. */
export function mustBeObeyed({ categories, actions }: Pick<ProductType, 'categories' | 'actions'>) {
  mustBeStandard(categories)
  if (categories.length === 0) return
  const wrong = actions.flatMap(({ identifier, value }, at) => {
    const reasons = categories.map((code) =>
      refuseSetting(standardModels.get(code)!, { [identifier]: value }),
    )
    if (reasons.some((why) => !why)) return []
    // If a category has the function, the error concerns the value.
    const ofValue = reasons.find((why) => why && !why.startsWith('产品没有功能'))
    return [
      ofValue
        ? [`actions.${at}.value`, ofValue]
        : [
            `actions.${at}.identifier`,
            `所选品类没有功能${functionWords(identifier, propertyNames([]))}`,
          ],
    ]
  })
  if (wrong.length > 0) throw wrongFields(Object.fromEntries(wrong))
}

/** Asserts that a built-in type keeps its original actions, because the home screen relies on them. */
export function mustKeep(
  before: Pick<ProductType, 'code' | 'actions'>,
  { actions }: Pick<ProductType, 'actions'>,
) {
  const kept = new Set(actions.map(({ actionType }) => actionType))
  const lost = before.actions.filter(
    ({ actionType }) => ['all_on', 'all_off'].includes(actionType) && !kept.has(actionType),
  )
  if (lost.length > 0)
    throw wrongField('actions', `内置类型 ${before.code} 须保留 all_on 和 all_off`)
}
