import * as z from '../zod'
import { Id, Time, ById, Moment } from '../fields.schema'
import { oneLinePattern } from '../fields'
import { maxOverrideDevices } from './manualOverride'

/** The devices of a space with everything below it, as it is when a command runs; or named devices. */
export const OverrideScope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('space'), spaceId: Id }),
  z.object({
    kind: z.literal('devices'),
    deviceIds: z
      .array(Id)
      .min(1, '请选择设备')
      .max(maxOverrideDevices, `一次最多保持 ${maxOverrideDevices} 台`),
  }),
])
export type OverrideScope = z.infer<typeof OverrideScope>

/** Holds devices for a time: scenes and bulk commands skip them. */
export const ManualOverrideDraft = z.object({
  projectId: z.number().int(),
  scope: OverrideScope,
  /** An override always ends by itself, because a forgotten one would keep lights off for months. */
  until: Moment.meta({ title: '保持到' }),
  reason: z
    .string()
    .trim()
    .max(200, '原因最多 200 个字')
    .regex(oneLinePattern, '原因不能含换行和不可见的控制字符')
    .meta({ title: '原因' }),
})
export type ManualOverrideDraft = z.infer<typeof ManualOverrideDraft>

export const ManualOverride = z.object({
  id: Id,
  projectId: z.number().int(),
  /** The held space with the spaces below it; empty if devices are held. */
  spaceIds: z.array(Id),
  /** The held devices; empty if a space is held. */
  deviceIds: z.array(Id),
  /** Name of the space or of the device; several devices are counted. */
  place: z.string(),
  /** Names of the spaces around `place`, from the outermost. */
  parentPlace: z.string(),
  /** Number of held lamps, or of held devices if none of them is a lamp; `unit` tells which. */
  devices: z.number().int(),
  unit: z.enum(['盏', '台']),
  until: Time,
  reason: z.string(),
  createBy: z.string(),
  createByName: z.string(),
  createTime: Time,
})
export type ManualOverride = z.infer<typeof ManualOverride>

export const manualOverrideSchemas = {
  list: {
    /** A space limits the list to overrides that hold it, a space around or below it, or a device in it. */
    input: z.object({ projectId: z.coerce.number().int(), spaceId: Id.optional() }),
    output: z.array(ManualOverride),
  },
  create: { input: ManualOverrideDraft, output: z.null() },
  end: { input: ById, output: z.null() },
}
