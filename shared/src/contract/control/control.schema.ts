import * as z from '../zod'
import { Id, Time, ById, pageQuery, pageResult } from '../fields.schema'
import { BulkAction, DesiredValues, Values } from '../device/device.schema'
import { TaskStatus } from '../sheet/task.schema'

/**
 * Target of an action: the project, a space with everything below it, the current members of a group, or named devices.
 */
export const Scope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('project') }),
  z.object({ kind: z.literal('space'), spaceId: Id }),
  z.object({ kind: z.literal('group'), groupId: Id }),
  z.object({
    kind: z.literal('devices'),
    deviceIds: z.array(Id).min(1, '请选择设备').max(10_000, '设备最多 10000 台'),
  }),
])
export type Scope = z.infer<typeof Scope>

const [ProjectScope, SpaceScope, GroupScope] = Scope.options
const SpacesScope = z.object({
  kind: z.literal('spaces'),
  spaceIds: z.array(Id).min(1, '请选择位置').max(100, '位置最多 100 处'),
})

/**
 * An area without some of its places and devices, which stay as they are. This is a kind of its own, so that a server
 * of an earlier version refuses it instead of ignoring the exception.
 */
const ExceptScope = z
  .object({
    kind: z.literal('except'),
    within: z.discriminatedUnion('kind', [ProjectScope, SpaceScope, GroupScope, SpacesScope]),
    spaceIds: z.array(Id).max(100, '保留的位置最多 100 处'),
    deviceIds: z.array(Id).max(100, '保留的设备最多 100 台'),
  })
  .refine(({ spaceIds, deviceIds }) => spaceIds.length + deviceIds.length > 0, '请选择要保留的位置')
export type ExceptScope = z.infer<typeof ExceptScope>

/** Target of a manual action, which may also be several spaces at once, or an area with exceptions. */
export const ControlScope = z.discriminatedUnion('kind', [
  ...Scope.options,
  SpacesScope,
  ExceptScope,
])
export type ControlScope = z.infer<typeof ControlScope>

/** Includes protected circuits in a bulk command; a second user must approve it. */
const includeProtected = z.boolean().optional()
const ActionRequest = BulkAction.extend({
  kind: z.literal('action'),
  projectId: z.number().int(),
  scope: ControlScope,
  includeProtected,
})
const SetRequest = z.object({
  kind: z.literal('set'),
  projectId: z.number().int(),
  scope: ControlScope,
  values: DesiredValues,
  includeProtected,
  /**
   * A command to a single device that is held by a manual override ends the override or acts in spite of it. Without
   * this answer such a command is refused with the override.
   */
  onOverride: z.enum(['end', 'bypass']).optional(),
})
/** A command to a single held device ends the override or bypasses it. */
export type SetRequestOverride = NonNullable<z.infer<typeof SetRequest>['onOverride']>
export const BulkRequest = z.discriminatedUnion('kind', [ActionRequest, SetRequest])
export type BulkRequest = z.infer<typeof BulkRequest>

/** A requested command: a bulk action of a product type, a scene, or values for single devices. */
export const ControlRequest = z.discriminatedUnion('kind', [
  ActionRequest,
  z.object({
    kind: z.literal('scene'),
    projectId: z.number().int(),
    sceneId: Id,
    /** A trial run (试运行) may start a disabled scene too. */
    trial: z.boolean().optional(),
  }),
  SetRequest,
])
export type ControlRequest = z.infer<typeof ControlRequest>

export const Preflight = z.object({
  /** This many devices receive the command. */
  affected: z.number().int(),
  /** This many of the affected devices already report the requested values. */
  already: z.number().int(),
  skipped: z.object({
    protected: z.number().int(),
    offline: z.number().int(),
    disabled: z.number().int(),
    /** Number of devices that have never connected; absent if there are none. */
    inactive: z.number().int().optional(),
    /** Number of devices that a manual override holds. */
    held: z.number().int().default(0),
  }),
  /** Lamps that are off and stay off, because the command only adjusts them; they are among the affected ones. */
  dark: z.number().int().default(0),
  /** This many of the affected devices obey by a function that is marked as deprecated; absent if none does. */
  deprecated: z.number().int().optional(),
  /** The excepted places and devices with the devices that stay as they are; each is counted once. */
  keptPlaces: z.array(z.object({ name: z.string(), devices: z.number().int() })).default([]),
  /** Lamps are counted as 盏, and devices of several or other types as 台. */
  unit: z.enum(['盏', '台']),
})
export type Preflight = z.infer<typeof Preflight>

export const UndoPreflight = Preflight.extend({
  /** Later commands to the same devices and functions, which an undo would revert too. */
  later: z.object({
    commands: z.number().int(),
    devices: z.number().int(),
    /** The latest of these commands; a server of an earlier version does not tell it. */
    last: z
      .object({
        title: z.string(),
        createBy: z.string(),
        createByName: z.string(),
        createTime: Time,
      })
      .nullable()
      .default(null),
  }),
})
export type UndoPreflight = z.infer<typeof UndoPreflight>

/**
 * An entry goes 排队 → 已下发 → 已送达 and then to one final state. 已确认（未上报） means that the device acknowledged the command and
 * has not reported since. 结果未知 means that the command was sent and the platform stopped, or the device was removed,
 * before a reply.
 */
export const LedgerState = z.enum([
  'queued',
  'sent',
  'delivered',
  'success',
  'confirmed',
  'timeout',
  'failed',
  'unknown',
  'overridden',
  'skipped',
  'cancelled',
])
export type LedgerState = z.infer<typeof LedgerState>

export const LedgerRow = z.object({
  deviceId: Id,
  name: z.string(),
  place: z.string(),
  /** Floor on whose plan the device is placed. */
  floorId: Id.nullable(),
  state: LedgerState,
  reason: z.string(),
  before: Values,
  target: Values,
  sentTime: Time.nullable(),
  doneTime: Time.nullable(),
})
export type LedgerRow = z.infer<typeof LedgerRow>

export const ControlTask = z.object({
  id: Id,
  projectId: z.number().int(),
  title: z.string(),
  origin: z.enum(['action', 'scene', 'set', 'retry', 'undo']),
  status: TaskStatus,
  counts: z.record(LedgerState, z.number().int()),
  total: z.number().int(),
  createBy: z.string(),
  /** Name that the user had at the start; empty if a schedule or a condition started the task. */
  createByName: z.string().default(''),
  createTime: Time,
  doneTime: Time.nullable(),
  /** The space, group, device or scene that is controlled; empty in tasks of earlier versions. */
  place: z.string().default(''),
  /** Names of the spaces around `place`, from the outermost. */
  parentPlace: z.string().default(''),
  /** Short text of the action: `关`, `亮度调到 30%`. */
  action: z.string().default(''),
  unit: z.enum(['盏', '台']).default('台'),
  /** This task retries or undoes the task with this id. */
  sourceId: Id.nullable(),
  /** Id of the task that undid this one; a task can be undone once. */
  undoneBy: Id.nullable().default(null),
  /** User who approved the control of protected circuits; empty if none are included. */
  approvedBy: z.string().default(''),
  approvedByName: z.string().default(''),
  /** Permission that started the task; retry, undo and cancel require the same. */
  permission: z.string(),
  /** This many of the skipped devices are held by a manual override. */
  held: z.number().int().default(0),
  /** Reasons of failed entries, the most frequent first; empty if all succeeded. */
  reason: z.string().default(''),
})
export interface ControlTask extends z.infer<typeof ControlTask> {}

export const controlSchemas = {
  preflight: { input: ControlRequest, output: Preflight },
  start: { input: ControlRequest, output: ControlTask },
  get: { input: ById, output: ControlTask },
  ledger: {
    /** Comma-separated ledger states; all if omitted. Failed entries come first. */
    input: pageQuery({ ...ById.shape, state: z.string().max(200).optional() }).omit({ sort: true }),
    output: pageResult(LedgerRow),
  },
  recent: {
    /** A space limits the list to tasks that reached devices which are now in it or below it. */
    input: z.object({ projectId: z.coerce.number().int(), spaceId: Id.optional() }),
    output: z.array(ControlTask),
  },
  cancel: { input: ById, output: ControlTask },
  retry: { input: ById, output: ControlTask },
  undoPreflight: { input: ById, output: UndoPreflight },
  undo: { input: ById, output: ControlTask },
}
