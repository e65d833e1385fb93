import { eq } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { communicationProtocol as table } from '../../tables/communicationProtocol'

/** Lists enabled protocols in the order of their creation, as the dictionary offers them. */
export const listEnabledProtocols = (db: Db) =>
  db
    .select({ code: table.code, description: table.name })
    .from(table)
    .where(eq(table.status, 'enabled'))
    .orderBy(table.createTime, table.id)
