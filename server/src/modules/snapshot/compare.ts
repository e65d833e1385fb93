import { groupKindText, formatTag } from '@iot/shared/contract/device/deviceGroup'
import type { GroupKind, GroupTag } from '@iot/shared/contract/device/deviceGroup.schema'
import type { DayType } from '@iot/shared/contract/project/calendarDay'
import { statusText } from '@iot/shared/contract/fields'
import type { Status } from '@iot/shared/contract/fields.schema'
import { ProjectDraft } from '@iot/shared/contract/project/managedProject.schema'
import { projectTypeText, type ProjectType } from '@iot/shared/contract/project/projectStatus'
import { dayModeText, sceneOrderText, type DayMode } from '@iot/shared/contract/control/scene'
import type { Scene, Trigger } from '@iot/shared/contract/control/scene.schema'
import {
  formatDayTypes,
  describeTriggers,
  type ConditionDevices,
} from '@iot/shared/contract/control/sceneText'
import type { SnapshotKind } from '@iot/shared/contract/control/snapshot'
import type {
  SnapshotChange,
  FieldChange,
  SnapshotNode,
} from '@iot/shared/contract/control/snapshot.schema'
import { getFieldTitle } from '@iot/shared/contract/fieldTitle'
import { createTree } from '@iot/shared/contract/tree'
import { formatRegion } from '../region/policy'
import type { Content } from './content'

export type Item = {
  id: string
  parentId: string | null
  type: SnapshotKind
  name: string
  fields: Record<string, unknown>
}
export type Difference = { item: Item; change: SnapshotChange; fields: FieldChange[] }

const fieldTitles: Record<string, string> = {
  name: '名称',
  parentId: '所在',
  sort: '排序',
  plan: '平面图',
  metres: '图宽（米）',
  position: '图上位置',
  protected: '受保护',
  gatewayId: '网关',
  icon: '图标',
  kind: '成员方式',
  deviceIds: '设备',
  productIds: '产品',
  spaceIds: '位置',
  tags: '标签',
  description: '说明',
  actions: '动作',
  status: '状态',
  order: '执行方式',
  triggers: '触发',
  calendarId: '日历',
  dayMode: '节假日',
  dayTypes: '日期类型',
  silenceMinutes: '静默期',
  quietFrom: '静默时段从',
  quietTo: '静默时段到',
}
const getSnapshotFieldTitle = (type: SnapshotKind, field: string) =>
  type === 'project' ? getFieldTitle(ProjectDraft, field) : (fieldTitles[field] ?? '其他设置')

/** Flattens a project into items that can be compared; the project itself is the root. */
export function toItems(
  { project, spaces, devices, groups, scenes }: Content,
  root: string,
): Item[] {
  const toParentId = (id: string | null) => id ?? root
  return [
    { id: root, parentId: null, type: 'project', name: project.name, fields: project },
    ...spaces.map(({ id, parentId, type, name, sort, metres, ...plan }) => ({
      id,
      parentId: toParentId(parentId),
      type,
      name,
      fields: {
        name,
        parentId: toParentId(parentId),
        sort,
        metres,
        plan: plan.planFile ?? plan.planHash,
      },
    })),
    ...groups.map(({ id, ...fields }) => ({
      id,
      parentId: root,
      type: 'group' as const,
      name: fields.name,
      fields,
    })),
    ...scenes.map(({ id, ...fields }) => ({
      id,
      parentId: root,
      type: 'scene' as const,
      name: fields.name,
      fields,
    })),
    ...devices.map(({ id, name, spaceId, x, y, gatewayId, protected: isProtected }) => ({
      id,
      parentId: toParentId(spaceId),
      type: 'device' as const,
      name,
      fields: {
        name,
        parentId: toParentId(spaceId),
        gatewayId,
        protected: isProtected,
        position: x === null || y === null ? null : `${x.toFixed(3)}，${y.toFixed(3)}`,
      },
    })),
  ]
}

const isDifferent = (left: unknown, right: unknown) =>
  JSON.stringify(left) !== JSON.stringify(right)

const valueFormatters: Record<string, (value: unknown) => string> = {
  areaCode: (code) => formatRegion(String(code)),
  type: (type) => projectTypeText[type as ProjectType],
  status: (status) => statusText[status as Status],
  order: (order) => sceneOrderText[order as Scene['order']],
  dayMode: (mode) => dayModeText[mode as DayMode],
  dayTypes: (types) => formatDayTypes(types as DayType[]),
  actions: (actions) => `${(actions as unknown[]).length} 个动作`,
  kind: (kind) => groupKindText[kind as GroupKind],
  deviceIds: (ids) => `${(ids as string[]).length} 台`,
  productIds: (ids) => `${(ids as string[]).length} 个产品`,
  tags: (tags) => (tags as GroupTag[]).map(formatTag).join('、'),
  plan: (plan) => `图 ${String(plan).slice(0, 6)}`,
}

/** Existing calendars and the devices that conditions refer to. */
export type ReferenceNames = { calendars: ReadonlyMap<string, string>; asked: ConditionDevices }

/** Returns the differences between two states of a project, by item id. */
export function findDifferences(
  previousItems: Item[],
  nextItems: Item[],
  { calendars, asked: conditionDevices }: ReferenceNames,
): Map<string, Difference> {
  const beforeById = new Map(previousItems.map((item) => [item.id, item]))
  const afterById = new Map(nextItems.map((item) => [item.id, item]))
  const getName = (id: unknown) =>
    (afterById.get(String(id)) ?? beforeById.get(String(id)))?.name ?? (id ? '已删除' : '')
  const formatValue = (field: string, value: unknown): string => {
    if (value === null || value === undefined) return ''
    if (field === 'parentId' || field === 'gatewayId') return getName(value)
    if (field === 'calendarId') return calendars.get(String(value)) ?? '已删除的日历'
    if (field === 'spaceIds') return (value as string[]).map(getName).join('、')
    if (field === 'triggers') return describeTriggers(value as Trigger[], conditionDevices)
    if (valueFormatters[field]) return valueFormatters[field](value)
    if (typeof value === 'boolean') return value ? '是' : '否'
    return typeof value === 'object' ? JSON.stringify(value).slice(0, 100) : String(value)
  }
  const differenceById = new Map<string, Difference>()
  for (const item of nextItems) {
    const previous = beforeById.get(item.id)
    if (!previous) {
      differenceById.set(item.id, { item, change: 'added', fields: [] })
      continue
    }
    const names = Object.keys(item.fields).filter((name) =>
      isDifferent(previous.fields[name], item.fields[name]),
    )
    if (names.length === 0) continue
    const fields = names.map((name) => {
      const [oldText, newText] = [
        formatValue(name, previous.fields[name]),
        formatValue(name, item.fields[name]),
      ]
      return {
        title: getSnapshotFieldTitle(item.type, name),
        before: oldText,
        after: oldText === newText ? `${newText}（内容不同）` : newText,
      }
    })
    differenceById.set(item.id, { item, change: 'changed', fields })
  }
  for (const item of previousItems)
    if (!afterById.has(item.id))
      differenceById.set(item.id, { item, change: 'removed', fields: [] })
  return differenceById
}

/** Returns the items as a tree; if differences are given, only branches that contain one. */
export function buildNodeTree(items: Item[], differences?: Map<string, Difference>): SnapshotNode {
  const removedItems = [...(differences?.values() ?? [])].flatMap(({ item, change }) =>
    change === 'removed' ? item : [],
  )
  const tree = createTree([...items, ...removedItems])
  const [root] = tree.nested<SnapshotNode>(({ id, type, name, parentId }, children) => {
    const difference = differences?.get(id)
    if (differences && !difference && children.length === 0 && parentId !== null) return undefined
    const ownDeviceCount = type === 'device' && difference?.change !== 'removed' ? 1 : 0
    return {
      id,
      type,
      name,
      children,
      deviceCount: children.reduce((sum, child) => sum + child.deviceCount, ownDeviceCount),
      ...(difference && { change: difference.change, fields: difference.fields }),
    }
  })
  return root!
}
