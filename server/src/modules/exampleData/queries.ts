import { count, eq, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { now } from '../../tables/columns'
import { deviceCredential } from '../../tables/device'
import { exampleRow, exampleSite } from '../../tables/exampleData'
import type { ExampleKindName } from './kinds'
import { findExampleSite } from './policy'

export const exampleDataQueries = (db: Db) => ({
  findSite: () => findExampleSite(db),
  countRows: async () => (await db.select({ count: count() }).from(exampleRow))[0]!.count,
  /** Lists the identities under which the example devices connect. */
  listDeviceIdentities: () =>
    db
      .select({ productKey: deviceCredential.productKey, deviceName: deviceCredential.deviceName })
      .from(exampleRow)
      .innerJoin(deviceCredential, sql`${deviceCredential.deviceId}::text = ${exampleRow.rowId}`)
      .where(eq(exampleRow.kind, 'device' satisfies ExampleKindName)),
  /** @returns false if this platform has or had an example site */
  addSite: async () =>
    (await db.insert(exampleSite).values({ id: 1 }).onConflictDoNothing().returning()).length > 0,
  markCleared: (clearedBy: string) => db.update(exampleSite).set({ clearedBy, clearedTime: now() }),
  addRows: (kind: ExampleKindName, rowIds: string[]) =>
    db.insert(exampleRow).values(rowIds.map((rowId) => ({ kind, rowId }))),
})
