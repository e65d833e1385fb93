import { inArray } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { controlType } from '../../tables/controlType'

/** Returns the control types of a product in its order. */
export async function getControlTypes(db: Db, codes: string[]) {
  const rows = await db.select().from(controlType).where(inArray(controlType.code, codes))
  return codes.flatMap((code) => rows.find((row) => row.code === code) ?? [])
}
