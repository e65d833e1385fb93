import { and, desc, eq, ne } from 'drizzle-orm'
import { titleOf } from '@iot/shared/contract/titleOf'
import { z } from 'zod'
import { actionLog } from '../../tables/actionLog'
import { now } from '../../tables/columns'
import type { Db } from '../db/db'
import { wholeRows } from '../db/whole'

/** A change of one row for the audit log. A new row has no `before`, a removed one no `after`. */
export type Change = {
  /** The Chinese name of the kind of row appears in messages and in the audit log. */
  entity: string
  id: string
  name: string
  /** The schema supplies the Chinese titles of the fields. */
  schema?: z.ZodObject
  before?: object
  after?: object
  /** The changed row belongs to this project; the default is its own `projectId`. */
  projectId?: number
  /** These functions turn codes and ids of a field into readable text. */
  show?: Record<string, (value: unknown) => string>
}

/** Describes the change of a row for the audit log; it may read related rows first. */
export type About<R> = (
  row: R,
  sides: { before?: R; after?: R },
  tx: Db,
) => Change | Promise<Change>

/**
 * Creates a function that describes changes of one kind of row.
 * @example const about = changeOf('品牌', BrandDraft); note(about(row, { after: row }))
 */
export const changeOf =
  (entity: string, schema: z.ZodObject, show: Change['show'] = {}) =>
  (
    { id, name }: { id: string; name: string },
    sides: Pick<Change, 'before' | 'after'>,
  ): Change => ({
    entity,
    id,
    name,
    schema,
    show,
    ...sides,
  })
export type Doer = {
  username: string
  address: string
  traceId: string
  verb: string
  duration: number
}

const audit = new Set(['id', 'createBy', 'createTime', 'updateBy', 'updateTime', 'version'])
const secret = /password|secret|token|密码|密钥/i

export async function writeActionLog(
  db: Db,
  doer: Doer,
  changes: Change[],
  { reason = '', part = false } = {},
) {
  if (changes.length === 0) return
  await wholeRows(actionLog).insert(
    db,
    changes.map((change) => {
      const fields = differences(change)
      return {
        ...doer,
        time: now(),
        entity: change.entity,
        entityId: change.id,
        entityName: change.name,
        ok: reason === '',
        reason,
        fields: [...new Set(fields.flatMap(({ field, title }) => [field, title]))],
        changes: fields,
        part,
        projectId: projectOf(change),
      }
    }),
  )
}

/** Returns the kind, name and project that the newest audit entry of a row recorded. */
export async function findLogged(db: Db, entityId: string) {
  const [line] = await db
    .select({
      entity: actionLog.entity,
      name: actionLog.entityName,
      projectId: actionLog.projectId,
    })
    .from(actionLog)
    .where(and(eq(actionLog.entityId, entityId), ne(actionLog.entityName, '')))
    .orderBy(desc(actionLog.time))
    .limit(1)
  return line
}

/** Returns the summary entry for a change of many rows of one kind. */
export function lineOf(changes: Change[]): Change | undefined {
  const [first, second] = changes
  if (!second || changes.some(({ entity }) => entity !== first!.entity)) return undefined
  const name = `${first!.name}、${second.name}${changes.length > 2 ? ` 等 ${changes.length} 个` : ''}`
  const projects = new Set(changes.map(projectOf))
  const [projectId] = projects.size === 1 ? projects : []
  return { entity: first!.entity, id: '', name, projectId }
}

/** Returns the project of the changed row; a row that moved counts for the project it moved to. */
function projectOf({ projectId, before, after }: Change) {
  const own = (row?: object) => (row as { projectId?: unknown } | undefined)?.projectId
  const id = projectId ?? own(after) ?? own(before)
  return typeof id === 'number' ? id : undefined
}

/** Returns the field diff in readable form; secrets are masked on both sides. */
export function differences({ schema, before = {}, after = {}, show = {} }: Change) {
  const old = before as Record<string, unknown>
  const young = after as Record<string, unknown>
  // A field without a title in the schema is derived or of no interest to a reader.
  const fields = Object.keys({ ...old, ...young }).filter(
    (field) => !audit.has(field) && (!schema || titleOf(schema, field) !== field),
  )
  return fields.flatMap((field) => {
    const title = schema ? titleOf(schema, field) : field
    const text = (value: unknown) =>
      value === undefined || value === null ? '' : show[field] ? show[field](value) : plain(value)
    const [from, to] = [text(old[field]), text(young[field])]
    if (from === to) return []
    if (secret.test(field) || secret.test(title))
      return [{ field, title, before: from && '******', after: to && '******' }]
    return [{ field, title, before: from, after: to }]
  })
}

function plain(value: unknown): string {
  if (typeof value === 'boolean') return value ? '是' : '否'
  if (Array.isArray(value)) return value.map(plain).join('、')
  return typeof value === 'object' ? JSON.stringify(value, masked) : String(value)
}

/** Masks secrets inside nested objects. */
const masked = (key: string, value: unknown) =>
  secret.test(key) && typeof value === 'string' && value ? '******' : value
