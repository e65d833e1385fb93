import { z } from 'zod'
import { SpaceLights } from './device'
import { endpoint } from './endpoint'
import {
  ById,
  Description,
  Id,
  nameField,
  pageResult,
  pageQuery,
  revision,
  row,
  rowKeys,
  SearchFilter,
} from './fields'
import { ManagedDevice } from './managedDevice'
import { resource } from './resource'
import { importMax, importTableInput } from './sheet'

export const GroupKind = z.enum(['hand', 'rule'], '请选择成员方式').meta({ title: '成员' })
export type GroupKind = z.infer<typeof GroupKind>
export const groupKindText: Record<GroupKind, string> = { hand: '手动选择', rule: '按规则' }

/** A device has reported this tag about itself. */
export const GroupTag = z.object({ key: z.string().min(1).max(64), value: z.string().max(256) })
export type GroupTag = z.infer<typeof GroupTag>
export const formatTag = ({ key, value }: GroupTag) => `${key}：${value}`

export const maxGroupDevices = 1000
/** A device matches if it meets one item of every filled list; a space includes everything below it. */
const ruleFields = {
  productIds: z.array(Id).max(100, '产品最多 100 个').meta({ title: '产品' }),
  spaceIds: z.array(Id).max(100, '位置最多 100 个').meta({ title: '位置' }),
  tags: z.array(GroupTag).max(50, '标签最多 50 个').meta({ title: '标签' }),
}
export const GroupRule = z.object(ruleFields)
export type GroupRule = z.infer<typeof GroupRule>

/** A named group of devices in a project. The members of a rule are evaluated when they are needed. */
export const DeviceGroup = z.object({
  ...row,
  projectId: ManagedDevice.shape.projectId,
  name: nameField('设备组名称'),
  kind: GroupKind,
  deviceIds: z
    .array(Id)
    .max(maxGroupDevices, `手动选择最多 ${maxGroupDevices} 台，更多请按规则`)
    .meta({ title: '设备' }),
  ...ruleFields,
  description: Description,
  /** This text describes the members or the rule. */
  memberText: z.string().meta({ title: '成员' }),
  deviceCount: z.number().int().meta({ title: '设备数' }),
})
export type DeviceGroup = z.infer<typeof DeviceGroup>
export const DeviceGroupChange = DeviceGroup.omit({
  ...rowKeys,
  projectId: true,
  memberText: true,
  deviceCount: true,
})
export type DeviceGroupChange = z.infer<typeof DeviceGroupChange>
export const DeviceGroupDraft = DeviceGroupChange.extend({
  projectId: DeviceGroup.shape.projectId,
})
export type DeviceGroupDraft = z.infer<typeof DeviceGroupDraft>

const nameListField = (title: string, maxItems: number) =>
  z
    .array(z.string().min(1).max(400, `${title}最多 400 个字`))
    .max(maxItems, `${title}最多 ${maxItems} 个`)
    .meta({ title })
/** A group as a row of a file; its members are written by their names. */
export const DeviceGroupFileRow = DeviceGroupDraft.pick({
  name: true,
  kind: true,
  description: true,
}).extend({
  kind: GroupKind.meta({ title: '成员方式' }),
  products: nameListField('产品', 100),
  places: nameListField('位置', 100),
  tags: nameListField('标签', 50),
  deviceNames: nameListField('DeviceName', maxGroupDevices),
})
export type DeviceGroupFileRow = z.infer<typeof DeviceGroupFileRow>
/** Maximum characters of a file cell that lists the devices of a large group. */
const maxCellChars = 40_000

export const GroupMember = ManagedDevice.pick({
  id: true,
  name: true,
  productName: true,
  place: true,
  protected: true,
  state: true,
}).extend({
  floorId: Id.nullable(),
  isLight: z.boolean(),
  /** True if an online light has reported since it reconnected that it is on; null if unknown. */
  isLit: z.boolean().nullable(),
})
export type GroupMember = z.infer<typeof GroupMember>

export const GroupOption = DeviceGroup.pick({ id: true, name: true })
export type GroupOption = z.infer<typeof GroupOption>

const projectId = DeviceGroup.shape.projectId
const ByProject = z.object({ projectId: z.coerce.number().int() })
const groups = resource('deviceAccess', 'deviceGroup', '设备组')
const filters = { projectId, name: SearchFilter.optional(), kind: GroupKind.optional() }
export const deviceGroupApi = {
  page: groups.page({
    input: filters,
    output: DeviceGroup,
  }),
  create: groups.create({ input: DeviceGroupDraft, output: DeviceGroup }),
  update: groups.update({ input: DeviceGroupChange.extend(revision), output: DeviceGroup }),
  remove: groups.remove(),
  removeMany: groups.removeMany(),
  exportRows: groups.exportRows({ input: filters }),
  importRows: endpoint({
    ...groups.importRows(),
    input: importTableInput(importMax, maxCellChars).extend({ projectId }),
  }),
  /** Returns the current matches of a rule before it is saved. */
  preview: endpoint({
    method: 'POST',
    path: '/v1/device-group/preview',
    title: '预览设备组',
    reads: true,
    permission: groups.page({ input: {}, output: DeviceGroup }).permission,
    input: GroupRule.extend({ projectId }),
    output: z.object({
      total: z.number().int(),
      protected: z.number().int(),
      names: z.array(z.string()),
    }),
  }),
  /** Returns the tags of the devices in a project. */
  tags: endpoint({
    method: 'GET',
    path: '/v1/device-group/tags',
    title: '设备标签',
    permission: 'session',
    input: ByProject,
    output: z.array(GroupTag),
  }),
  list: endpoint({
    method: 'GET',
    path: '/v1/device-group/list',
    title: '设备组选项',
    permission: 'session',
    input: ByProject,
    output: z.array(GroupOption),
  }),
  lights: endpoint({
    method: 'GET',
    path: '/v1/device-group/{id}/lights',
    title: '设备组的灯',
    permission: 'session',
    input: ById,
    output: SpaceLights.omit({ spaceId: true }),
  }),
  members: endpoint({
    method: 'POST',
    path: '/v1/device-group/{id}/members',
    title: '设备组成员',
    reads: true,
    permission: 'session',
    input: pageQuery({ id: Id }),
    output: pageResult(GroupMember),
  }),
}
