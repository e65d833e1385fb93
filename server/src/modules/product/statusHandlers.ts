import { productStatusText } from '@iot/shared/contract/product/product'
import type { productSchemas } from '@iot/shared/contract/product/product.schema'
import { createRefusal } from '../../core/refusal'
import { getIds, applyPerRow } from '../../core/http/applyPerRow'
import type { Handlers } from '../../core/http/serve'
import { createAuditMapper, prepareChange } from './actions'
import { getStatusRefusal } from './policy'
import { productQueries, type ProductRow } from './queries'

/** Handlers that publish, disable and enable products. */
export const statusHandlers: Pick<
  Handlers<typeof productSchemas>,
  'setStatus' | 'setStatusOfMany'
> = {
  setStatus: (change, context) =>
    context.write(
      productQueries,
      prepareChange(change, context.user.username, async (previousProduct, rows) => {
        if (previousProduct.status === change.status)
          throw createRefusal(`产品已是${productStatusText[change.status]}状态`)
        const controls = await rows.findControls(previousProduct.controlTypes)
        const statusRefusal = getStatusRefusal(previousProduct, change.status, controls)
        if (statusRefusal) throw createRefusal(statusRefusal)
        const toAuditEntry = await createAuditMapper(rows, previousProduct)
        return {
          values: { status: change.status },
          change: (changedProduct) =>
            toAuditEntry(changedProduct, { before: previousProduct, after: changedProduct }),
        }
      }),
    ),

  setStatusOfMany: ({ ids, status }, context) =>
    context.write(productQueries, async (rows, recordAudit) => {
      const list = await rows.many(ids)
      const reasons = new Map<string, string | undefined>()
      for (const row of list)
        if (row.status !== status)
          reasons.set(
            row.id,
            getStatusRefusal(row, status, await rows.findControls(row.controlTypes)),
          )
      const getRefusal = ({ id }: ProductRow) => reasons.get(id)
      return applyPerRow(ids, list, getRefusal, async (changeableRows) => {
        const rowsToChange = changeableRows.filter((row) => row.status !== status)
        await rows.setAll(getIds(rowsToChange), { status }, context.user.username)
        for (const previousProduct of rowsToChange)
          recordAudit(
            (await createAuditMapper(rows, previousProduct))(previousProduct, {
              before: previousProduct,
              after: { ...previousProduct, status },
            }),
          )
      })
    }),
}
