import type { Db } from '../../core/db/db'
import { exampleSite } from '../../tables/exampleData'

/** Finds the example site of this platform, also if it was cleared. */
export const findExampleSite = async (db: Db) => (await db.select().from(exampleSite))[0]
