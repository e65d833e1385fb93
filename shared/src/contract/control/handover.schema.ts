import * as z from '../zod'
import { Id, revision, Time } from '../fields.schema'
import { ManualOverride } from './manualOverride.schema'

const clockPattern = /^([01]\d|2[0-3]):[0-5]\d$/

/** Local times at which a shift begins; the last shift of a day ends with the first of the next. */
export const ShiftStarts = z
  .array(z.string().max(5).regex(clockPattern, '时间格式为 08:00'))
  .min(1, '请至少设一个班次')
  .max(6, '班次最多 6 个')
  .refine((starts) => new Set(starts).size === starts.length, '班次开始时间不能重复')
  .meta({ title: '班次开始时间' })

export const ShiftTimes = z.object({ starts: ShiftStarts })
export type ShiftTimes = z.infer<typeof ShiftTimes>
/** The times belong to the project, whose id and version lock them. */
export const StoredShiftTimes = z.object({ ...revision, starts: z.array(z.string()) })
export type StoredShiftTimes = z.infer<typeof StoredShiftTimes>

export const HandoverNote = z
  .string()
  .trim()
  .max(1000, '交班说明最多 1000 个字')
  .meta({ title: '交班说明' })

/** Work that was still open when the leaving shift handed over. */
export const CarriedOver = z.object({
  /** The first open alarms; `problemCount` counts all. */
  problems: z.array(z.object({ title: z.string(), place: z.string(), since: Time })),
  problemCount: z.number().int(),
  overrides: z.array(
    ManualOverride.pick({
      place: true,
      parentPlace: true,
      until: true,
      reason: true,
      createByName: true,
    }),
  ),
})
export type CarriedOver = z.infer<typeof CarriedOver>

/** A hand-over of a shift by one person, confirmed by another. */
export const Handover = CarriedOver.extend({
  id: Id,
  projectId: z.number().int(),
  shiftStart: Time,
  shiftEnd: Time,
  note: z.string(),
  givenBy: z.string(),
  givenByName: z.string(),
  givenTime: Time,
  /** Empty until the hand-over is confirmed. */
  takenBy: z.string(),
  takenByName: z.string(),
  takenTime: Time.nullable(),
})
export type Handover = z.infer<typeof Handover>

const ByProject = z.object({ projectId: z.coerce.number().int() })
const projectInput = { projectId: z.number().int() }
export const handoverSchemas = {
  state: {
    input: ByProject,
    output: z.object({
      shifts: StoredShiftTimes,
      shift: z.object({ start: Time, end: Time }),
      /** The latest hand-overs, the newest first; only the first may wait for its confirmation. */
      list: z.array(Handover),
    }),
  },
  /**
   * `seenGivenTime` is that of the caller's own hand-over that waits, as it was read, or null if none waits; another one is
   * refused, because its note was not seen.
   */
  give: {
    input: z.object({ ...projectInput, note: HandoverNote, seenGivenTime: Time.nullable() }),
    output: z.object({ givenTime: Time }),
  },
  /** `givenTime` is that of the hand-over as it was read; a later one is refused, because its note was not seen. */
  take: {
    input: z.object({ ...projectInput, handoverId: Id, givenTime: Time }),
    output: z.null(),
  },
  setShifts: {
    input: ShiftTimes.extend({ ...projectInput, version: revision.version }),
    output: z.null(),
  },
}
