import type { ExampleOutcome } from '@iot/shared/contract/project/exampleData.schema'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { transaction, type Db } from '../../core/db/db'
import type { Context } from '../../core/http/context'
import type { ReferenceRegistry } from '../../core/http/references'
import { exampleRow } from '../../tables/exampleData'
import {
  exampleAuthor,
  exampleKinds,
  listChildren,
  whereKeyIn,
  type ExampleKind,
  type ExampleKindName,
} from './kinds'

/** The answer names at most this many rows that stay. */
const maxListedRows = 200

type Viewer = Pick<Context, 'seesProject'>
type Row = { id: string; name: string; updateBy: string }
type KindOutcome = { removedCount: number; kept: { name: string; reason: string }[] }

/** Reads the example rows of a kind that still exist. */
async function listRows(tx: Db, kindName: ExampleKindName, kind: ExampleKind): Promise<Row[]> {
  const marks = await tx
    .select({ id: exampleRow.rowId })
    .from(exampleRow)
    .where(eq(exampleRow.kind, kindName))
  const ids = marks.map(({ id }) => id)
  if (ids.length === 0) return []
  return tx
    .select({
      id: sql<string>`${kind.key}::text`,
      name: sql<string>`${kind.name ?? sql`''`}`,
      updateBy: sql<string>`${kind.updateBy ?? sql`${exampleAuthor}::text`}`,
    })
    .from(kind.table)
    .where(whereKeyIn(kind, ids))
    .orderBy(kind.key)
}

/** Returns why rows must stay, by id. */
async function findReasons(
  tx: Db,
  references: ReferenceRegistry,
  kind: ExampleKind,
  ids: string[],
  viewer: Viewer,
) {
  const reasons = kind.reference
    ? await references.findUsageReasons(tx, kind.reference, ids, viewer)
    : new Map<string, string>()
  const others = [
    ...(await listChildren(tx, kind, ids)),
    ...((await kind.findOthers?.(tx, ids)) ?? []),
  ]
  for (const { to, text } of others) if (!reasons.has(to)) reasons.set(to, text)
  return reasons
}

async function removeRows(tx: Db, kindName: ExampleKindName, kind: ExampleKind, ids: string[]) {
  await kind.removeDependents?.(tx, ids)
  await tx.delete(kind.table).where(whereKeyIn(kind, ids))
  await tx
    .delete(exampleRow)
    .where(and(eq(exampleRow.kind, kindName), inArray(exampleRow.rowId, ids)))
}

/**
 * Removes the rows of a kind that are unchanged and unreferenced. A row that is free after others were removed
 * goes in the next round: rooms before floors, lamps before gateways.
 */
async function clearKind(
  tx: Db,
  references: ReferenceRegistry,
  kindName: ExampleKindName,
  viewer: Viewer,
): Promise<KindOutcome> {
  const kind: ExampleKind = exampleKinds[kindName]
  const rows = await listRows(tx, kindName, kind)
  const changedRows = rows.filter(({ updateBy }) => updateBy !== exampleAuthor)
  let candidates = rows.filter(({ updateBy }) => updateBy === exampleAuthor)
  let reasons = new Map<string, string>()
  while (candidates.length > 0) {
    const ids = candidates.map(({ id }) => id)
    reasons = await findReasons(tx, references, kind, ids, viewer)
    const removableIds = ids.filter((id) => !reasons.has(id))
    if (removableIds.length === 0) break
    await removeRows(tx, kindName, kind, removableIds)
    candidates = candidates.filter(({ id }) => reasons.has(id))
  }
  return {
    removedCount: rows.length - changedRows.length - candidates.length,
    kept: [
      ...changedRows.map(({ name, updateBy }) => ({ name, reason: `${updateBy} 改过` })),
      ...candidates.map(({ id, name }) => ({ name, reason: reasons.get(id)! })),
    ],
  }
}

/** Removes the example site except for the rows that people changed or refer to. */
export async function clearExample(
  tx: Db,
  references: ReferenceRegistry,
  viewer: Viewer,
): Promise<ExampleOutcome> {
  const removedKinds: ExampleOutcome['removed'] = []
  const keptRows: ExampleOutcome['kept'] = []
  for (const kindName of Object.keys(exampleKinds) as ExampleKindName[]) {
    const { title } = exampleKinds[kindName]
    const outcome = await clearKind(tx, references, kindName, viewer)
    if (outcome.removedCount > 0) removedKinds.push({ title, count: outcome.removedCount })
    keptRows.push(...outcome.kept.map((row) => ({ title, ...row })))
  }
  return {
    removed: removedKinds,
    kept: keptRows.slice(0, maxListedRows),
    keptCount: keptRows.length,
  }
}

class PreviewFinished extends Error {}

/** Tells what `clearExample` would do: it is carried out and rolled back, so that the two never differ. */
export async function previewClearing(
  db: Db,
  references: ReferenceRegistry,
  viewer: Viewer,
): Promise<ExampleOutcome> {
  let outcome: ExampleOutcome | undefined
  await transaction(db, async (tx) => {
    outcome = await clearExample(tx, references, viewer)
    throw new PreviewFinished()
  }).catch((error: unknown) => {
    if (!(error instanceof PreviewFinished)) throw error
  })
  return outcome!
}
