import * as z from '../zod'
import { projectStatusText, projectTypeText } from './projectStatus'
import {
  row,
  nameField,
  codeField,
  AreaCode,
  Address,
  Phone,
  Sort,
  revision,
  SearchFilter,
} from '../fields.schema'
import { TimeZone } from '../timeZone.schema'
import { platformTimeZone } from '../timeZone'
import { rowKeys } from '../fields'
import { resourceSchemas } from '../resource.schema'
import { projectTitles } from './managedProject'

const toEnumKeys = <K extends string>(texts: Record<K, string>) => Object.keys(texts) as [K, ...K[]]
export const ProjectStatus = z
  .enum(toEnumKeys(projectStatusText), '请选择状态')
  .meta({ title: projectTitles.status })
export const ProjectType = z
  .enum(toEnumKeys(projectTypeText), '请选择项目类型')
  .meta({ title: projectTitles.type })

/**
 * A building or a site. `projectId` is the number that everything in it refers to and never changes; `id` is its row
 * id.
 */
export const Project = z.object({
  ...row,
  projectId: z.number().int().meta({ title: projectTitles.projectId }),
  name: nameField(projectTitles.name),
  code: codeField(projectTitles.code),
  groupName: nameField(projectTitles.groupName).regex(/^[^/]*$/, '分组不能含“/”'),
  type: ProjectType,
  areaCode: AreaCode,
  areaName: z.string().meta({ title: projectTitles.areaName }),
  address: Address,
  longitude: z
    .number('经度须为数字')
    .min(-180, '经度在 -180 到 180 之间')
    .max(180, '经度在 -180 到 180 之间')
    .nullable()
    .meta({ title: '经度' }),
  latitude: z
    .number('纬度须为数字')
    .min(-90, '纬度在 -90 到 90 之间')
    .max(90, '纬度在 -90 到 90 之间')
    .nullable()
    .meta({ title: '纬度' }),
  area: z
    .number('面积须为数字')
    .min(0, '面积不能小于 0')
    .max(100_000_000, '面积最多 1 亿平方米')
    .nullable()
    .meta({ title: '面积（m²）' }),
  manager: z.string().trim().max(32, '负责人最多 32 个字').meta({ title: projectTitles.manager }),
  phone: Phone.meta({ title: projectTitles.phone }),
  calendarId: z.uuid('请选择日历').nullable().meta({ title: '日历' }),
  calendarName: z.string().meta({ title: '日历' }),
  /** All times of the project are shown, entered and computed in this zone. */
  timeZone: TimeZone.default(platformTimeZone).meta({ title: '时区' }),
  historyDays: z
    .number('历史保存天数须为整数')
    .int('历史保存天数须为整数')
    .min(7, '历史保存天数为 7–3650')
    .max(3650, '历史保存天数为 7–3650')
    .nullable()
    .default(null)
    .meta({ title: '历史保存天数' }),
  litHoldMinutes: z
    .number('请输入分钟数')
    .int('亮灯无人须为整数分钟')
    .min(0, '亮灯无人为 0–1440 分钟')
    .max(1440, '亮灯无人为 0–1440 分钟')
    .default(15)
    .meta({ title: '亮灯无人多久算问题' }),
  sort: Sort,
  status: ProjectStatus,
  spaceCount: z.number().int().meta({ title: projectTitles.spaceCount }),
  deviceCount: z.number().int().meta({ title: projectTitles.deviceCount }),
})
export type Project = z.infer<typeof Project>
export const ProjectDraft = Project.omit({
  ...rowKeys,
  projectId: true,
  areaName: true,
  calendarName: true,
  status: true,
  spaceCount: true,
  deviceCount: true,
})
export type ProjectDraft = z.infer<typeof ProjectDraft>
/** The code never changes after creation; an omitted time zone stays unchanged. */
export const ProjectChange = ProjectDraft.omit({ code: true }).extend({
  ...revision,
  timeZone: TimeZone.optional().meta({ title: '时区' }),
})

const filters = {
  name: SearchFilter.optional(),
  groupName: SearchFilter.optional(),
  type: ProjectType.optional(),
  areaCode: SearchFilter.optional(),
  status: ProjectStatus.optional(),
}

export const managedProjectSchemas = {
  page: resourceSchemas.page({ input: filters, output: Project }),
  get: resourceSchemas.get({ output: Project }),
  create: resourceSchemas.create({ input: ProjectDraft, output: Project }),
  update: resourceSchemas.update({ input: ProjectChange, output: Project }),
  setStatus: { input: z.object({ ...revision, status: ProjectStatus }), output: Project },
  remove: resourceSchemas.remove(),
  example: { input: z.object({}), output: z.object({ available: z.boolean() }) },
  importExample: { input: z.object({}), output: z.null() },
  exportRows: resourceSchemas.exportRows({ input: filters }),
}
