import { asc, desc, eq, ne } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { mapEngineering as table } from '../../tables/mapEngineering'

/** Id of the map engineering (地图工程) that new projects belong to. */
export const engineeringId = 1

/** Lists the versions for the dictionary, the published one first. */
export const listOfferedVersions = (db: Db) =>
  db
    .select({ engineeringId: table.engineeringId, name: table.name })
    .from(table)
    .where(ne(table.status, 'draft'))
    .orderBy(asc(table.engineeringId), desc(eq(table.status, 'published')), desc(table.publishTime))
