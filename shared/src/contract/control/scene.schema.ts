import * as z from '../zod'
import { Scope, ControlTask, Preflight } from './control.schema'
import { DesiredValues } from '../device/device.schema'
import { maxDelaySeconds } from './scene'
import { daySeconds } from '../duration'
import { DayType, CalendarDate } from '../project/calendar.schema'
import {
  Id,
  Time,
  row,
  nameField,
  Sort,
  Status,
  pageQuery,
  pageResult,
  ById,
  revision,
  RowIds,
  RowResults,
  SearchFilter,
} from '../fields.schema'
import { rowKeys } from '../fields'
import { Property } from '../thingModel/thingModel.schema'

const maxPlaces = 100
/**
 * Several places and devices of one action. This is a kind of its own, so that a scene with one place stays as earlier
 * versions store it.
 */
const PlacesScope = z
  .object({
    kind: z.literal('places'),
    spaceIds: z.array(Id).max(maxPlaces, `位置最多 ${maxPlaces} 处`),
    groupIds: z.array(Id).max(maxPlaces, `设备组最多 ${maxPlaces} 个`),
    deviceIds: z.array(Id).max(10_000, '设备最多 10000 台'),
  })
  .refine(
    ({ spaceIds, groupIds, deviceIds }) => spaceIds.length + groupIds.length + deviceIds.length > 0,
    '请选择范围',
  )
export const SceneScope = z.discriminatedUnion(
  'kind',
  [...Scope.options, PlacesScope],
  '请选择范围',
)
export type SceneScope = z.infer<typeof SceneScope>

/**
 * Values for devices of one type in the scope. The delay in seconds counts from the start of the scene or from the
 * previous action.
 */
export const SceneAction = z.object({
  productType: z.string().min(1, '请选择设备类型').max(64),
  scope: SceneScope,
  values: DesiredValues.refine((values) => Object.keys(values).length > 0, '请选择要设置的功能'),
  delay: z
    .number('请输入延时')
    .int('延时须为整数秒')
    .min(0, '延时从 0 秒开始')
    .max(maxDelaySeconds, `延时最多 ${maxDelaySeconds} 秒`),
})
export type SceneAction = z.infer<typeof SceneAction>
const SceneActions = z
  .array(SceneAction)
  .min(1, '请添加动作')
  .max(200, '动作最多 200 个')
  .meta({ isSequence: true })

/** Hours and minutes in the time zone of the project. */
export const ClockTime = z
  .string('请选择时间')
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, '时间形如 18:30')
  .max(5)
/** Weekdays are numbered from 1 (Monday) to 7 (Sunday). */
const Weekdays = z.array(z.number().int().min(1).max(7)).min(1, '请选择星期').max(7)
export const Position = z.object({
  longitude: z.number('请输入经度').min(-180, '经度为 -180 到 180').max(180, '经度为 -180 到 180'),
  latitude: z.number('请输入纬度').min(-90, '纬度为 -90 到 90').max(90, '纬度为 -90 到 90'),
})
export type Position = z.infer<typeof Position>
export const Condition = z.object({
  deviceId: z.uuid('请选择设备'),
  identifier: z.string('请选择功能').min(1, '请选择功能').max(64),
  compare: z.enum(['eq', 'ne', 'gt', 'gte', 'lt', 'lte']),
  value: z.union([z.number(), z.string().min(1, '请填写比较的值').max(200)], '请填写比较的值'),
})
export type Condition = z.infer<typeof Condition>

/** Triggers of a scene. A scene without any is started by hand. */
export const Trigger = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('weekly'), weekdays: Weekdays, time: ClockTime }),
  z.object({
    kind: z.literal('cron'),
    cron: z.string('请输入 cron 表达式').trim().min(1, '请输入 cron 表达式').max(100),
  }),
  z.object({
    kind: z.literal('sun'),
    event: z.enum(['sunrise', 'sunset']),
    /** Minutes after the event; negative values lie before it. */
    offset: z
      .number('请输入偏移')
      .int('偏移须为整数分钟')
      .min(-360, '偏移最多 360 分钟')
      .max(360, '偏移最多 360 分钟'),
    weekdays: Weekdays,
    /** Null means the position of the project. */
    position: Position.nullable(),
  }),
  z.object({
    kind: z.literal('condition'),
    match: z.enum(['all', 'any']),
    conditions: z.array(Condition).min(1, '请添加条件').max(10, '条件最多 10 个'),
    /** Seconds for which the condition must hold. */
    seconds: z
      .number('请输入持续时间')
      .int('持续时间须为整数秒')
      .min(0, '持续时间从 0 秒开始')
      .max(daySeconds, '持续时间最多一天'),
  }),
])
export type Trigger = z.infer<typeof Trigger>

/** Rules for automatic starts of a scene. */
const timingFields = {
  triggers: z.array(Trigger).max(8, '触发最多 8 个').meta({ title: '触发' }),
  /** Null means the built-in calendar. */
  calendarId: z.uuid('请选择日历').nullable().meta({ title: '日历' }),
  dayMode: z.enum(['ignore', 'avoid', 'only', 'asSunday']).meta({ title: '节假日' }),
  dayTypes: z.array(DayType).max(6).meta({ title: '日期类型' }),
  /** Minutes after a run during which the scene does not start automatically. */
  silenceMinutes: z
    .number('请输入静默期')
    .int('静默期须为整数分钟')
    .min(0, '静默期从 0 分钟开始')
    .max(1440, '静默期最多一天')
    .meta({ title: '静默期' }),
  quietFrom: ClockTime.nullable().meta({ title: '静默时段从' }),
  quietTo: ClockTime.nullable().meta({ title: '静默时段到' }),
}
export const Timing = z.object(timingFields)
export type Timing = z.infer<typeof Timing>
export const RunStatus = z.enum(['running', 'done', 'failed', 'missed', 'skipped'])
export const SceneRun = z.object({
  id: Id,
  cause: z.enum(['manual', 'trial', 'timer', 'condition']).meta({ title: '方式' }),
  /** Due time of the run; null for a manual start. */
  dueTime: Time.nullable(),
  status: RunStatus.meta({ title: '结果' }),
  reason: z.string(),
  createBy: z.string().meta({ title: '执行人' }),
  createByName: z.string(),
  createTime: Time.meta({ title: '时间' }),
  doneTime: Time.nullable(),
  /** Name of the person who acknowledged the missed or failed run, with time and note; empty if it is open. */
  acknowledgedBy: z.string(),
  acknowledgedTime: Time.nullable(),
  note: z.string(),
  /** Each group of actions that start together has one control task. */
  tasks: z.array(ControlTask),
})
export type SceneRun = z.infer<typeof SceneRun>
const LastRun = SceneRun.pick({ cause: true, status: true, reason: true }).extend({
  time: Time,
  /** Number of devices that did not carry out the command. */
  failed: z.number().int(),
})

export const Scene = z.object({
  ...row,
  projectId: z.number().int(),
  name: nameField('场景名称'),
  icon: z.string().min(1, '请选择图标').max(64).meta({ title: '图标' }),
  sort: Sort,
  status: Status,
  order: z.enum(['parallel', 'serial']).meta({ title: '执行方式' }),
  actions: SceneActions.meta({ title: '动作' }),
  ...timingFields,
})
export type Scene = z.infer<typeof Scene>
export const SceneDraft = Scene.omit({ ...rowKeys, projectId: true })
export type SceneDraft = z.infer<typeof SceneDraft>

/** A scene as shown on its button. */
export const SceneButton = Scene.pick({
  id: true,
  projectId: true,
  name: true,
  icon: true,
  sort: true,
  status: true,
  version: true,
}).extend({
  /** The scene controls this many devices. */
  deviceCount: z.number().int(),
  /** Descriptions such as `周一至周五 18:30`, one for each trigger. */
  triggerTexts: z.array(z.string()),
  /** The scene has at least one time trigger. */
  isTimed: z.boolean(),
  /** Why the scene or one of its triggers cannot start automatically in the current project status; empty if it can. */
  held: z.string(),
  /** Why a condition can never be met; empty if all can. */
  deadCondition: z.string(),
  lastRun: LastRun.nullable(),
  nextRun: z.object({ time: Time, reason: z.string() }).nullable(),
})
export type SceneButton = z.infer<typeof SceneButton>

/** A due time of a scene; if it does not run then, the reason is given. */
export const SceneDueTime = z.object({
  date: CalendarDate,
  time: z.string(),
  runs: z.boolean(),
  /** Special feature of the day, or why the scene does not run. */
  reason: z.string(),
  /** Description of the trigger, such as `周一至周五 18:30`. */
  trigger: z.string(),
})
export type SceneDueTime = z.infer<typeof SceneDueTime>
/**
 * An action of a scene, such as `打开（亮度调到 50%）`, and the number of devices that get it. Protected circuits are not
 * counted.
 */
export const SceneEffect = z.object({
  action: z.string(),
  unit: z.enum(['盏', '台']),
  devices: z.number().int(),
  /** This many of the devices can be reached and do not report the values yet. */
  changes: z.number().int(),
  /** Names of the first devices that would change. */
  names: z.array(z.string()),
})
export type SceneEffect = z.infer<typeof SceneEffect>
/** Effect of a calendar on a scene: it runs on a date although the week alone would not start it, or the reverse. */
export const CalendarEffect = z.object({
  sceneId: Id,
  name: z.string(),
  projectName: z.string(),
  date: CalendarDate,
  times: z.array(z.string()),
  runs: z.boolean(),
  reason: z.string(),
})
export type CalendarEffect = z.infer<typeof CalendarEffect>
const projectId = z.number().int()

export const sceneSchemas = {
  page: {
    /** A space limits the list to scenes that control devices in it or below it; it needs the project. */
    input: pageQuery({ projectId: projectId.optional(), spaceId: Id.optional() }),
    output: pageResult(SceneButton),
  },
  get: { input: ById, output: Scene },
  create: { input: SceneDraft.extend({ projectId }), output: Scene },
  update: { input: SceneDraft.extend(revision), output: Scene },
  setStatus: { input: RowIds.extend({ status: Status }), output: RowResults },
  remove: { input: ById, output: z.null() },
  types: {
    input: z.object({ projectId: z.coerce.number().int() }),
    output: z.array(
      z.object({ code: z.string(), name: z.string(), properties: z.array(Property) }),
    ),
  },
  devices: {
    input: z.object({
      projectId,
      ids: z.array(Id).max(10_000).optional(),
      text: SearchFilter.optional(),
      productType: z.string().max(64).optional(),
    }),
    output: z.array(
      z.object({ id: Id, name: z.string(), productType: z.string(), isDisabled: z.boolean() }),
    ),
  },
  capture: {
    input: z.object({ projectId, scope: SceneScope, productType: z.string().max(64) }),
    output: z.object({
      actions: z.array(SceneAction),
      left: z.array(z.object({ name: z.string(), reason: z.string() })),
    }),
  },
  preflight: {
    input: z.object({ projectId, actions: SceneActions }),
    output: z.object({ effects: z.array(SceneEffect), preflight: Preflight }),
  },
  preview: {
    /** The id of an existing scene applies its silence period after the last run. */
    input: Timing.extend({ projectId, id: Id.optional() }),
    output: z.object({
      list: z.array(SceneDueTime),
      /** Why the current project status prevents all of these runs; empty if it does not. */
      held: z.string(),
      /** The list was cut off, because there are more due times. */
      more: z.boolean(),
      /** Years in the period whose holidays are not known yet. */
      unpublished: z.array(z.number().int()),
    }),
  },
  runs: { input: pageQuery(ById.shape).omit({ sort: true }), output: pageResult(SceneRun) },
  effects: { input: ById, output: z.array(CalendarEffect) },
}
