import * as z from '../zod'
import {
  Id,
  Time,
  SearchFilter,
  periodFilter,
  pageQuery,
  PageAnchor,
  pageResult,
} from '../fields.schema'
import { resourceSchemas } from '../resource.schema'
import { actionLogTitles } from './actionLog'

/** Describes the change of one field; the server masks secrets. */
export const FieldChange = z.object({
  field: z.string(),
  title: z.string(),
  before: z.string(),
  after: z.string(),
  /** Entries that a list gained and lost; a reordered list has neither, and lines of older versions lack both. */
  added: z.array(z.string()).optional(),
  removed: z.array(z.string()).optional(),
})
export type FieldChange = z.infer<typeof FieldChange>
export const ActionLog = z.object({
  id: Id,
  time: Time.meta({ title: actionLogTitles.time }),
  username: z.string().meta({ title: actionLogTitles.username }),
  entity: z.string().meta({ title: actionLogTitles.entity }),
  entityId: z.string(),
  entityName: z.string().meta({ title: actionLogTitles.entityName }),
  verb: z.string().meta({ title: actionLogTitles.verb }),
  ok: z.boolean().meta({ title: actionLogTitles.ok }),
  reason: z.string().meta({ title: '原因' }),
  duration: z.number().int().meta({ title: actionLogTitles.duration }),
  address: z.string().meta({ title: actionLogTitles.address }),
  traceId: z.string().meta({ title: '追踪号' }),
  changes: z.array(FieldChange).meta({ title: actionLogTitles.changes }),
  /** Number of rows that the same call changed; each has its own log entry below this one. */
  parts: z.number().int(),
})
export type ActionLog = z.infer<typeof ActionLog>

const filters = {
  username: SearchFilter.optional(),
  /** Exact name of the account, unlike `username`, which finds parts of names. */
  actor: SearchFilter.optional(),
  entity: SearchFilter.optional(),
  entityId: SearchFilter.optional(),
  /** Entries on this space, on spaces inside it, and on the devices that stand there now. */
  spaceId: Id.optional(),
  field: SearchFilter.optional(),
  ok: z.enum(['true', 'false']).optional(),
  ...periodFilter,
  /** Trace id of a bulk call, to list the entries of its rows. */
  partsOf: SearchFilter.optional(),
}

export const actionLogSchemas = {
  page: {
    input: pageQuery({ ...filters, anchor: PageAnchor.optional() }),
    output: pageResult(ActionLog),
  },
  own: {
    input: pageQuery({ partsOf: filters.partsOf, anchor: PageAnchor.optional() }),
    output: pageResult(ActionLog),
  },
  exportRows: resourceSchemas.exportRows({ input: filters }),
  facets: {
    input: z.object({}),
    output: z.object({ entities: z.array(z.string()), fields: z.array(z.string()) }),
  },
}
