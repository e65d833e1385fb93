import type {
  communicationProtocolApi,
  ProtocolDraft,
} from '@iot/shared/contract/communicationProtocol'
import { and, arrayContains, asc, eq, inArray, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { contains, equals } from '../../core/db/rows'
import { versioned } from '../../core/db/versioned'
import { communicationProtocol as table } from '../../tables/communicationProtocol'
import { product } from '../../tables/device'

type Page = z.output<typeof communicationProtocolApi.page.input>

export const protocolQueries = (db: Db) => {
  const rows = versioned(db, table)
  return {
    ...rows,
    insert: (draft: ProtocolDraft, by: string) => rows.insert({ ...draft, builtin: false }, by),
    page: ({ name, transport, node, status, ...page }: Page) =>
      rows.list(
        and(
          name ? or(contains(table.name, name), contains(table.code, name)) : undefined,
          equals(table.transport, transport),
          node ? arrayContains(table.nodes, [node]) : undefined,
          equals(table.status, status),
        ),
        page,
      ),
    options: () => db.select().from(table).orderBy(asc(table.name)),
    products: (ids: string[]) =>
      db
        .select({ to: table.id, entity: sql<string>`'产品'`, id: product.id, name: product.name })
        .from(table)
        .innerJoin(product, eq(product.protocol, table.code))
        .where(inArray(table.id, ids))
        .orderBy(product.id),
  }
}
