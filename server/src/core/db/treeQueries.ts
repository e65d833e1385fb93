import type { TreePosition, Tree, TreeRow } from '@iot/shared/contract/tree'
import { and, asc, eq, inArray, not, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './db'
import { buildUpdateColumns } from './rows'

type TreeTable = PgTable & Record<'id' | 'version' | 'parentId' | 'sort', PgColumn>

/**
 * Returns the queries that tables with a tree of rows share, in addition to `versionedQueries`.
 * @param treeCondition condition for the rows of one tree if the table holds several
 */
export function treeQueries<T extends TreeTable>(db: Db, table: T, treeCondition?: SQL) {
  type Row = T['$inferSelect'] & TreeRow
  // Drizzle's types cannot follow a table that is a type parameter, so a wider type is used here; `T` checks the
  // shape.
  const untypedTable: TreeTable = table
  const selectSorted = () =>
    db.select().from(untypedTable).where(treeCondition).orderBy(asc(table.sort), asc(table.id))

  return {
    all: async () => (await selectSorted()) as Row[],
    /** Reads and locks the tree, because two concurrent moves could each be valid and together form a cycle. */
    lockAll: async () => (await selectSorted().for('update')) as Row[],
    /**
     * Moves a row to its place and renumbers its siblings. The caller has checked that the row may stand there.
     * @returns the new position, counted from 1
     */
    async moveRow(
      tree: Tree<Row>,
      id: string,
      { parentId, index }: TreePosition,
      username: string,
    ) {
      const ids = tree.children(parentId).flatMap((row) => (row.id === id ? [] : [row.id]))
      ids.splice(index, 0, id)
      const sort = sql`array_position(${sql.param(ids)}::uuid[], ${table.id})`
      const isInPlace = and(
        sql`${table.parentId} is not distinct from ${parentId}::uuid`,
        eq(table.sort, sort),
      )
      await db
        .update(untypedTable)
        .set({ parentId, sort, ...buildUpdateColumns(table, username) })
        .where(and(treeCondition, inArray(table.id, ids), not(isInPlace!)))
      return ids.indexOf(id) + 1
    },
  }
}
