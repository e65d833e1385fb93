import { statusText } from '@iot/shared/contract/fields'
import type { Status } from '@iot/shared/contract/fields.schema'
import { formatActions } from '@iot/shared/contract/product/productType'
import {
  ProductType,
  ProductTypeDraft,
  type TypeAction,
  productTypeSchemas,
} from '@iot/shared/contract/product/productType.schema'
import { productTypeApi } from '@iot/shared/contract/product/productType.api'
import type { FastifyInstance } from 'fastify'
import { findRow } from '../../core/db/versionedQueries'
import { createChangeDescriber } from '../../core/http/actionLog'
import { createBulkHandlers } from '../../core/http/bulkHandlers'
import { buildChangeFromLine, createUpdateHandlers } from '../../core/http/updateHandlers'
import { serve } from '../../core/http/serve'
import { createExportHandler } from '../../core/tasks/export'
import { createImportHandler } from '../../core/tasks/import'
import { productType as table } from '../../tables/productType'
import { resolveIcon } from '../icon/policy'
import { assertActionsSupported, assertKeepsOriginalActions } from './policy'
import { productTypeQueries } from './queries'
import { exportColumns, sheet } from './sheet'

const title = '产品类型'
const toAuditEntry = createChangeDescriber(title, ProductTypeDraft, {
  status: (status) => statusText[status as Status],
  actions: (actions) => formatActions(actions as TypeAction[]),
})

export function productTypeRoutes(app: FastifyInstance) {
  const queries = productTypeQueries(app.db)
  app.uniques.add('productType', table, ProductType, productTypeApi.page)
  app.references.add('icon', (db, ids) => productTypeQueries(db).findUsingIcons(ids))
  app.references.add('productType', (db, ids) => productTypeQueries(db).findProductsUsing(ids))
  app.references.add('productType', (db, ids) => productTypeQueries(db).findScenesUsing(ids))

  const { insert, change, ...rowHandlers } = createUpdateHandlers(productTypeSchemas, {
    title,
    table,
    createQueries: productTypeQueries,
    about: toAuditEntry,
    check(draft, _, previousType) {
      assertActionsSupported(draft)
      if (previousType?.builtin) assertKeepsOriginalActions(previousType, draft)
    },
    answer: (row) => row,
  })

  serve(app, productTypeApi, productTypeSchemas, {
    ...createBulkHandlers(app, {
      name: 'productType',
      title,
      createQueries: productTypeQueries,
      about: toAuditEntry,
      unless: ({ builtin }) => builtin && '内置产品类型不能删除',
    }),
    ...rowHandlers,
    page: (query) => queries.page(query),
    list: () => queries.listOptions(),
    exportRows: createExportHandler(app, productTypeApi.exportRows, {
      entity: title,
      sheet: exportColumns,
      page: (query: Parameters<typeof queries.page>[0]) => queries.exportPage(query),
    }),
    importRows: createImportHandler(app, productTypeApi.importRows, {
      entity: title,
      removal: productTypeApi.removeMany,
      schema: ProductTypeDraft,
      sheet,
      createQueries: productTypeQueries,
      create:
        ({ icon, ...line }, actor) =>
        async (rows, recordAudit, tx) =>
          insert({ ...line, icon: await resolveIcon(tx, icon) }, actor)(rows, recordAudit, tx),
      existing: {
        endpoint: productTypeApi.update,
        key: ({ code }) => code,
        find: ({ code }, { tx }) => findRow(tx, table, { code }),
        change:
          (previousType, { icon, ...line }, { context }) =>
          async (rows, recordAudit, tx) => {
            const importedFields = {
              ...line,
              ...(icon !== undefined && { icon: await resolveIcon(tx, icon) }),
            }
            const updateInput = buildChangeFromLine(
              productTypeSchemas.update,
              previousType,
              importedFields,
            )
            return change(updateInput, context.user.username)(rows, recordAudit, tx)
          },
      },
    }),
  })
}
