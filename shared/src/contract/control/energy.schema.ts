import * as z from '../zod'
import { Id, Time, SearchFilter, pageQuery, pageResult, RowResults } from '../fields.schema'
import { oneLinePattern } from '../fields'
import { exportOptions } from '../sheet/sheet.schema'
import { Task } from '../sheet/task.schema'

/** A day is a date in the time zone of the project. */
export const Day = z
  .string()
  .regex(/^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, '日期格式不正确')
  .max(10)

/** 实测 comes from meters; 估算 is rated power × on-time × brightness; 部分实测 means that some areas have a meter. */
export const EnergySource = z.enum(['measured', 'reckoned', 'mixed', 'none'])
export type EnergySource = z.infer<typeof EnergySource>

const energyFigureFields = {
  /** Energy from meters if there are any, else estimated; null if neither is available. */
  wattHours: z.number().nullable(),
  source: EnergySource,
}
export const EnergyDay = z.object({ day: Day, ...energyFigureFields })
export type EnergyDay = z.infer<typeof EnergyDay>

export const EnergyArea = z.object({
  /** The id is that of the space; it is empty for the project. */
  id: z.string(),
  parentId: z.string(),
  name: z.string(),
  ...energyFigureFields,
  /** Energy of the lamps alone, estimated or measured by the lamps themselves. */
  lampWattHours: z.number().nullable(),
  lamps: z.number().int(),
  onHours: z.number(),
  /** Lamp hours with unknown state, because the lamp or the platform was offline. */
  unknownHours: z.number(),
})
export type EnergyArea = z.infer<typeof EnergyArea>

export const EnergyLamp = z.object({
  id: Id,
  name: z.string().meta({ title: '设备名称' }),
  place: z.string().meta({ title: '位置' }),
  productName: z.string().meta({ title: '产品' }),
  /** The unit is W. */
  ratedPower: z.number().nullable().meta({ title: '额定功率（W）' }),
  wattHours: z.number().nullable().meta({ title: '用电（Wh）' }),
  source: EnergySource.meta({ title: '来源' }),
  onHours: z.number().meta({ title: '亮灯（小时）' }),
  unknownHours: z.number().meta({ title: '未知（小时）' }),
  /** Operating hours since installation, as observed by the platform or entered by a user. */
  lifeHours: z.number().meta({ title: '累计亮灯（小时）' }),
  ratedLifeHours: z.number().int().nullable().meta({ title: '额定寿命（小时）' }),
  /** The lamp has used this share of its rated life, in percent. */
  used: z.number().nullable().meta({ title: '已用寿命（%）' }),
  replacedTime: Time.nullable().meta({ title: '更换时间' }),
  replacedBy: z.string().meta({ title: '更换登记人' }),
})
export type EnergyLamp = z.infer<typeof EnergyLamp>

export const LampReplacement = z.object({
  /** Operating hours of the lamp before it was installed here. */
  hours: z
    .number('请输入小时数')
    .min(0, '小时数不能为负')
    .max(1_000_000, '小时数最多 1000000')
    .default(0)
    .meta({ title: '已用小时' }),
  note: z
    .string()
    .trim()
    .max(100, '备注最多 100 个字')
    .regex(oneLinePattern, '备注不能含换行和不可见的控制字符')
    .default('')
    .meta({ title: '备注' }),
})
export type LampReplacement = z.infer<typeof LampReplacement>

const energyQueryFields = {
  projectId: z.coerce.number().int(),
  from: Day.meta({ title: '开始日期' }),
  to: Day.meta({ title: '结束日期' }),
}
const lampQueryFields = {
  ...energyQueryFields,
  spaceId: Id.optional(),
  name: SearchFilter.optional(),
  /** `due` means beyond the rated life, `soon` close to it. */
  life: z.enum(['due', 'soon']).optional(),
}

const maxLampsPerReplacement = 1000
export const energySchemas = {
  areas: {
    input: z.object(energyQueryFields),
    output: z.object({
      days: z.array(EnergyDay),
      areas: z.array(EnergyArea),
      /** Energy of today until now, and of the whole of yesterday. */
      today: EnergyDay,
      yesterday: EnergyDay,
      /** Energy of yesterday until this time of day, in Wh. */
      sameHour: z.number().nullable(),
      due: z.number().int(),
      soon: z.number().int(),
      /** Names of the meters whose count does not continue the former one; what they measured since is not counted. */
      doubtfulMeters: z.array(z.string()),
    }),
  },
  lamps: { input: pageQuery(lampQueryFields), output: pageResult(EnergyLamp) },
  exportRows: { input: z.object({ ...lampQueryFields, ...exportOptions }), output: Task },
  /**
   * `seen` holds by id the `replacedTime` that the user saw; a lamp that was replaced since is refused. A missing one means
   * that the lamp had never been replaced.
   */
  replace: {
    input: LampReplacement.extend({
      projectId: z.number().int(),
      ids: z.array(Id).min(1, '请先选择').max(maxLampsPerReplacement, '一次最多 1000 条'),
      seen: z
        .record(Id, Time)
        .refine((times) => Object.keys(times).length <= maxLampsPerReplacement, '一次最多 1000 条'),
    }),
    output: RowResults,
  },
}
