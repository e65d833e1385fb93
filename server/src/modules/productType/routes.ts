import { statusText, type Status } from '@iot/shared/contract/fields'
import {
  ProductType,
  productTypeApi,
  ProductTypeDraft,
  type TypeAction,
  wordsOfActions,
} from '@iot/shared/contract/productType'
import type { FastifyInstance } from 'fastify'
import { findRow } from '../../core/db/versioned'
import { changeOf } from '../../core/serve/actionLog'
import { manyRows } from '../../core/serve/manyRows'
import { changeFrom, savedRow } from '../../core/serve/savedRow'
import { serve } from '../../core/serve/serve'
import { exporter } from '../../core/tasks/export'
import { importer } from '../../core/tasks/import'
import { productType as table } from '../../tables/productType'
import { iconFrom } from '../icon/policy'
import { mustBeObeyed, mustKeep } from './policy'
import { productTypeQueries } from './queries'
import { exported, sheet } from './sheet'

const title = '产品类型'
const about = changeOf(title, ProductTypeDraft, {
  status: (status) => statusText[status as Status],
  actions: (actions) => wordsOfActions(actions as TypeAction[]),
})

export function productTypeRoutes(app: FastifyInstance) {
  const queries = productTypeQueries(app.db)
  app.uniques.add('productType', table, ProductType, productTypeApi.page)
  app.references.add('icon', (db, ids) => productTypeQueries(db).withIcons(ids))
  app.references.add('productType', (db, ids) => productTypeQueries(db).products(ids))
  app.references.add('productType', (db, ids) => productTypeQueries(db).scenes(ids))

  const { insert, change, ...saved } = savedRow(productTypeApi, {
    title,
    table,
    queriesOf: productTypeQueries,
    about,
    check(draft, _, before) {
      mustBeObeyed(draft)
      if (before?.builtin) mustKeep(before, draft)
    },
    answer: (row) => row,
  })

  serve(app, productTypeApi, {
    ...manyRows(app, {
      name: 'productType',
      title,
      queriesOf: productTypeQueries,
      about,
      unless: ({ builtin }) => builtin && '内置产品类型不能删除',
    }),
    ...saved,
    page: (query) => queries.page(query),
    list: () => queries.options(),
    exportRows: exporter(app, productTypeApi.exportRows, {
      entity: title,
      sheet: exported,
      page: (query: Parameters<typeof queries.page>[0]) => queries.lines(query),
    }),
    importRows: importer(app, productTypeApi.importRows, {
      entity: title,
      schema: ProductTypeDraft,
      sheet,
      queriesOf: productTypeQueries,
      create:
        ({ icon, ...line }, by) =>
        async (rows, note, tx) =>
          insert({ ...line, icon: await iconFrom(tx, icon) }, by)(rows, note, tx),
      existing: {
        endpoint: productTypeApi.update,
        key: ({ code }) => code,
        find: ({ code }, { tx }) => findRow(tx, table, { code }),
        change:
          (before, { icon, ...line }, { context }) =>
          async (rows, note, tx) => {
            const given = { ...line, ...(icon !== undefined && { icon: await iconFrom(tx, icon) }) }
            const wanted = changeFrom(productTypeApi.update, before, given)
            return change(wanted, context.user.username)(rows, note, tx)
          },
      },
    }),
  })
}
