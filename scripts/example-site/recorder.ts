import { exampleDataQueries } from 'server/src/modules/exampleData/queries'
import { exampleAuthor, type ExampleKindName } from 'server/src/modules/exampleData/kinds'
import type { Db } from 'server/src/core/db/db'

export const author = { createBy: exampleAuthor, updateBy: exampleAuthor }

/** Collects the rows of the example site, so that they can be removed again. */
export function createRecorder() {
  const rowIds = new Map<ExampleKindName, string[]>()
  return {
    add(kind: ExampleKindName, rows: { id?: string }[]) {
      const ids = rows.map(({ id }) => id!)
      rowIds.set(kind, [...(rowIds.get(kind) ?? []), ...ids])
    },
    async save(tx: Db) {
      for (const [kind, ids] of rowIds) await exampleDataQueries(tx).addRows(kind, ids)
    },
  }
}
export type Recorder = ReturnType<typeof createRecorder>
