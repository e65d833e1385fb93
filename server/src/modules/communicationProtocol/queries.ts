import type {
  ProtocolDraft,
  communicationProtocolSchemas,
} from '@iot/shared/contract/product/communicationProtocol.schema'
import { and, arrayContains, asc, eq, inArray, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { contains, whereEquals } from '../../core/db/rows'
import { versionedQueries } from '../../core/db/versionedQueries'
import { communicationProtocol as table } from '../../tables/communicationProtocol'
import { product } from '../../tables/device'

type PageInput = z.output<typeof communicationProtocolSchemas.page.input>

export const protocolQueries = (db: Db) => {
  const rows = versionedQueries(db, table)
  return {
    ...rows,
    insert: (draft: ProtocolDraft, actor: string) =>
      rows.insert({ ...draft, builtin: false }, actor),
    page: ({ name, transport, node, status, ...page }: PageInput) =>
      rows.list(
        and(
          name ? or(contains(table.name, name), contains(table.code, name)) : undefined,
          whereEquals(table.transport, transport),
          node ? arrayContains(table.nodes, [node]) : undefined,
          whereEquals(table.status, status),
        ),
        page,
      ),
    listOptions: () => db.select().from(table).orderBy(asc(table.name)),
    listProductsUsing: (ids: string[]) =>
      db
        .select({ to: table.id, entity: sql<string>`'产品'`, id: product.id, name: product.name })
        .from(table)
        .innerJoin(product, eq(product.protocol, table.code))
        .where(inArray(table.id, ids))
        .orderBy(product.id),
  }
}
