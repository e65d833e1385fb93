import { type ProductDraft, productSchemas } from '@iot/shared/contract/product/product.schema'
import { productApi } from '@iot/shared/contract/product/product.api'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { findRow } from '../../core/db/versionedQueries'
import { assertNoRepeatedEntry } from '../../core/http/repeatedEntries'
import { createFieldRefusal } from '../../core/refusal'
import { buildChangeFromLine } from '../../core/http/updateHandlers'
import { createImportHandler } from '../../core/tasks/import'
import { product as table } from '../../tables/device'
import { entity, prepareCreate, prepareUpdate, type ProductQueries } from './actions'
import { productQueries } from './queries'
import { ProductRowDraft, sheet } from './sheet'

type ProductLine = z.output<typeof ProductRowDraft>

/** Creates the handler that creates and updates products from a file. */
export const importProducts = (app: FastifyInstance) =>
  createImportHandler(app, productApi.importRows, {
    entity,
    removal: productApi.removeMany,
    schema: ProductRowDraft,
    sheet,
    createQueries: productQueries,
    create: (row, actor) => async (rows, recordChange, tx) =>
      prepareCreate(await resolveDraft(rows, row), actor)(rows, recordChange, tx),
    existing: {
      endpoint: productApi.update,
      key: ({ manufacturerName, modelNo }) => JSON.stringify([manufacturerName, modelNo]),
      async find(line, { rows, tx }) {
        const { manufacturerId, modelNo } = await resolveDraft(rows, line)
        return findRow(tx, table, { manufacturerId, modelNo })
      },
      change:
        (previousProduct, line, { context }) =>
        async (rows, recordAudit, tx) => {
          const {
            icon: _,
            picture: __,
            ...draft
          } = await resolveDraft(rows, {
            ...(line as ProductLine),
            controlTypes: line.controlTypes ?? previousProduct.controlTypes,
          })
          const updateInput = buildChangeFromLine(productSchemas.update, previousProduct, draft)
          return prepareUpdate(updateInput, context.user.username)(rows, recordAudit, tx)
        },
    },
  })

/** Resolves the names of a file row to ids. */
async function resolveDraft(
  rows: ProductQueries,
  { manufacturerName, brandName, categoryName, ...rest }: ProductLine,
): Promise<ProductDraft> {
  const {
    manufacturerId,
    brandId,
    categoryId,
    isTwice: isAmbiguous,
  } = await rows.resolveIds({
    manufacturerName,
    brandName,
    categoryName,
  })
  if (!manufacturerId) throw createFieldRefusal('manufacturerName', `没有厂商“${manufacturerName}”`)
  if (brandName && !brandId)
    throw createFieldRefusal('brandName', `厂商“${manufacturerName}”没有品牌“${brandName}”`)
  if (isAmbiguous)
    throw createFieldRefusal('categoryName', `有多个品类叫“${categoryName}”，请填写品类编码`)
  if (categoryName && !categoryId)
    throw createFieldRefusal('categoryName', `没有品类“${categoryName}”`)
  const codes = await rows.resolveCodes(rest.protocol, rest.controlTypes)
  assertNoRepeatedEntry('controlTypes', codes.controlTypes)
  return {
    ...rest,
    ...codes,
    manufacturerId,
    brandId: brandId ?? null,
    categoryId: categoryId ?? null,
    icon: '',
    picture: '',
  }
}
