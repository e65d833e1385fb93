import { and, desc, eq, ne } from 'drizzle-orm'
import { getFieldTitle } from '@iot/shared/contract/fieldTitle'
import { z } from 'zod'
import { actionLog } from '../../tables/actionLog'
import { now } from '../../tables/columns'
import type { Db } from '../db/db'
import { createPreparedRows } from '../shortcuts/preparedRows'

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
  /** These functions turn codes and ids of a field into readable text, or a list of ids into one text each. */
  show?: Record<string, (value: unknown) => string | string[]>
}

/** Describes the change of a row for the audit log; it may read related rows first. */
export type ChangeDescriber<R> = (
  row: R,
  sides: { before?: R; after?: R },
  tx: Db,
) => Change | Promise<Change>

/**
 * Creates a function that describes changes of one kind of row.
 * @example const describeChange = createChangeDescriber('品牌', BrandDraft); recordChange(describeChange(row, { after: row }))
 */
export const createChangeDescriber =
  (entity: string, schema: z.ZodObject, formatters: Change['show'] = {}) =>
  (
    { id, name }: { id: string; name: string },
    sides: Pick<Change, 'before' | 'after'>,
  ): Change => ({
    entity,
    id,
    name,
    schema,
    show: formatters,
    ...sides,
  })
export type Actor = {
  username: string
  address: string
  traceId: string
  verb: string
  duration: number
}

const auditColumns = new Set(['id', 'createBy', 'createTime', 'updateBy', 'updateTime', 'version'])
const secretPattern = /password|secret|token|密码|密钥/i

export async function writeActionLog(
  db: Db,
  actor: Actor,
  changes: Change[],
  { reason = '', part: isPart = false } = {},
) {
  if (changes.length === 0) return
  await createPreparedRows(actionLog).insert(
    db,
    changes.map((change) => {
      const fields = diffFields(change)
      return {
        ...actor,
        time: now(),
        entity: change.entity,
        entityId: change.id,
        entityName: change.name,
        ok: reason === '',
        reason,
        fields: [...new Set(fields.flatMap(({ field, title }) => [field, title]))],
        changes: fields,
        part: isPart,
        projectId: getProjectId(change),
      }
    }),
  )
}

/** Returns the kind, name and project that the newest audit entry of a row recorded. */
export async function findLoggedSubject(db: Db, entityId: string) {
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
export function summarizeChanges(changes: Change[]): Change | undefined {
  const [first, second] = changes
  if (!second || changes.some(({ entity }) => entity !== first!.entity)) return undefined
  const name = `${first!.name}、${second.name}${changes.length > 2 ? ` 等 ${changes.length} 个` : ''}`
  const projects = new Set(changes.map(getProjectId))
  const [projectId] = projects.size === 1 ? projects : []
  return { entity: first!.entity, id: '', name, projectId }
}

/** Returns the project of the changed row; a row that moved counts for the project it moved to. */
function getProjectId({ projectId, before, after }: Change) {
  const readProjectId = (row?: object) => (row as { projectId?: unknown } | undefined)?.projectId
  const id = projectId ?? readProjectId(after) ?? readProjectId(before)
  return typeof id === 'number' ? id : undefined
}

/** Returns the field diff in readable form; secrets are masked on both sides. */
export function diffFields({ schema, before = {}, after = {}, show: formatters = {} }: Change) {
  const oldValues = before as Record<string, unknown>
  const newValues = after as Record<string, unknown>
  // A field without a title in the schema is derived or of no interest to a reader.
  const fields = Object.keys({ ...oldValues, ...newValues }).filter(
    (field) => !auditColumns.has(field) && (!schema || getFieldTitle(schema, field) !== field),
  )
  return fields.flatMap((field) => {
    const title = schema ? getFieldTitle(schema, field) : field
    const formatField = (value: unknown) =>
      value === undefined || value === null ? '' : (formatters[field] ?? formatEntries)(value)
    const [oldValue, newValue] = [formatField(oldValues[field]), formatField(newValues[field])]
    const [before, after] = [joinEntries(oldValue), joinEntries(newValue)]
    if (before === after) return []
    if (secretPattern.test(field) || secretPattern.test(title))
      return [{ field, title, before: before && '******', after: after && '******' }]
    return [{ field, title, before, after, ...diffEntries(oldValue, newValue) }]
  })
}

const joinEntries = (value: string | string[]) => (Array.isArray(value) ? value.join('、') : value)

/** Returns what a list gained and lost, unless it is a value of another kind or was added or removed as a whole. */
function diffEntries(before: string | string[], after: string | string[]) {
  if (!Array.isArray(before) || !Array.isArray(after)) return {}
  const [oldEntries, newEntries] = [new Set(before), new Set(after)]
  return {
    added: [...newEntries].filter((entry) => !oldEntries.has(entry)),
    removed: [...oldEntries].filter((entry) => !newEntries.has(entry)),
  }
}

const formatEntries = (value: unknown) =>
  Array.isArray(value) ? value.map(formatPlain) : formatPlain(value)

function formatPlain(value: unknown): string {
  if (typeof value === 'boolean') return value ? '是' : '否'
  if (Array.isArray(value)) return value.map(formatPlain).join('、')
  return typeof value === 'object' ? JSON.stringify(value, maskNestedSecret) : String(value)
}

/** Masks secrets inside nested objects. */
const maskNestedSecret = (key: string, value: unknown) =>
  secretPattern.test(key) && typeof value === 'string' && value ? '******' : value
