import { eq } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { communicationProtocol as table } from '../../tables/communicationProtocol'

/** Those in use, as the dictionary names them: in the order they were made. */
export const offeredProtocols = (db: Db) =>
  db
    .select({ code: table.code, description: table.name })
    .from(table)
    .where(eq(table.status, 'enabled'))
    .orderBy(table.createTime, table.id)
