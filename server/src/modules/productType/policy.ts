import type { ProductType } from '@iot/shared/contract/productType'
import { functionWords, refuseSetting } from '@iot/shared/contract/thingValue'
import { wrongField, wrongFields } from '../../core/refusal'
import { mustBeStandard, propertyNames, standardModels } from '../category/policy'

/** Of a type that names its categories, each action must be one that devices of at least one of them obey. */
export function mustBeObeyed({ categories, actions }: Pick<ProductType, 'categories' | 'actions'>) {
  mustBeStandard(categories)
  if (categories.length === 0) return
  const wrong = actions.flatMap(({ identifier, value }, at) => {
    const reasons = categories.map((code) =>
      refuseSetting(standardModels.get(code)!, { [identifier]: value }),
    )
    if (reasons.some((why) => !why)) return []
    // Where a category has the function, it is the value that is wrong.
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

/** Home relies on what a built-in type could do from the start. */
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
