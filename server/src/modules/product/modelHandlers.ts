import type { productSchemas } from '@iot/shared/contract/product/product.schema'
import { adoptCategoryVersion } from '@iot/shared/contract/thingModel/modelMerge'
import { createRefusal } from '../../core/refusal'
import { describeModelChange } from '../thingModel/policy/modelChange'
import type { Handlers } from '../../core/http/serve'
import { entity, prepareChange } from './actions'
import { findFunction, findFunctionUsage, getDropRefusal, removeFunction } from './functionUsage'
import { assertModelCompatible, assertNotDisabled } from './policy'
import { productQueries } from './queries'

/** Handlers that change the thing model of a product. */
export const modelHandlers: Pick<
  Handlers<typeof productSchemas>,
  'saveModel' | 'dropFunction' | 'follow'
> = {
  saveModel: (change, context) =>
    context.write(
      productQueries,
      prepareChange(change, context.user.username, async (previousProduct) => {
        assertNotDisabled(previousProduct)
        assertModelCompatible(previousProduct, change.model)
        return {
          values: { model: change.model },
          change: (changedProduct) =>
            describeModelChange(entity, changedProduct, previousProduct.model, change.model),
        }
      }),
    ),

  dropFunction: ({ identifier, ...change }, context) =>
    context.write(productQueries, (rows, recordAudit, tx) =>
      prepareChange(change, context.user.username, async (previousProduct) => {
        assertNotDisabled(previousProduct)
        const controls = await rows.findControls(previousProduct.controlTypes)
        const usage = await findFunctionUsage(tx, previousProduct, identifier, controls)
        const refusal = getDropRefusal(usage, previousProduct.model)
        if (refusal) throw createRefusal(refusal)
        const thingFunction = findFunction(previousProduct.model, identifier)
        const model = removeFunction(previousProduct.model, thingFunction)
        return {
          values: { model },
          change: (changedProduct) =>
            describeModelChange(entity, changedProduct, previousProduct.model, model),
        }
      })(rows, recordAudit, tx),
    ),

  follow: (change, context) =>
    context.write(
      productQueries,
      prepareChange(change, context.user.username, async (previousProduct, rows) => {
        assertNotDisabled(previousProduct)
        const targetVersion = await rows.findVersion(previousProduct.categoryId, change.number)
        if (!targetVersion) throw createRefusal('所属品类没有这个版本')
        const currentVersion = await rows.findVersion(
          previousProduct.categoryId,
          previousProduct.categoryVersion,
        )
        const isLocked = previousProduct.status !== 'developing'
        const { model } = adoptCategoryVersion(
          previousProduct.model,
          currentVersion?.model ?? null,
          targetVersion.model,
          isLocked,
        )
        assertModelCompatible(previousProduct, model)
        return {
          values: { model, categoryVersion: targetVersion.number },
          change: (changedProduct) =>
            describeModelChange(entity, changedProduct, previousProduct.model, model),
        }
      }),
    ),
}
