import { isBuiltinIcon, isLibraryIcon } from '@iot/shared/contract/product/iconName'
import { eq, inArray } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { createFieldRefusal } from '../../core/refusal'
import { icon as table } from '../../tables/icon'

/** Replaces the ids of library icons with their codes for an export. */
export async function withIconCodes<R extends { icon: string }>(db: Db, rows: R[]) {
  const ids = rows.map(({ icon }) => icon).filter(isLibraryIcon)
  if (ids.length === 0) return rows
  const icons = await db
    .select({ id: table.id, code: table.code })
    .from(table)
    .where(inArray(table.id, ids))
  const codes = new Map(icons.map(({ id, code }) => [id, code]))
  return rows.map((row) => ({ ...row, icon: codes.get(row.icon) ?? row.icon }))
}

/** Resolves an icon of a file: a built-in icon by name, a library icon by code. */
export async function resolveIcon(db: Db, text: string) {
  if (text === '' || isBuiltinIcon(text)) return text
  const [iconRow] = await db.select({ id: table.id }).from(table).where(eq(table.code, text))
  if (!iconRow) throw createFieldRefusal('icon', `图标库没有“${text}”`)
  return iconRow.id
}
