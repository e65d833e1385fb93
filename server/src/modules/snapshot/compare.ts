import {
  groupKindText,
  wordsOfTag,
  type GroupKind,
  type GroupTag,
} from '@iot/shared/contract/deviceGroup'
import type { DayType } from '@iot/shared/contract/calendarDay'
import { statusText, type Status } from '@iot/shared/contract/fields'
import { ProjectDraft } from '@iot/shared/contract/managedProject'
import { projectTypeText, type ProjectType } from '@iot/shared/contract/projectStatus'
import {
  dayModeText,
  sceneOrderText,
  type DayMode,
  type Scene,
  type Trigger,
} from '@iot/shared/contract/scene'
import { wordsOfDayTypes, wordsOfTriggers, type AskedDevices } from '@iot/shared/contract/sceneText'
import type { Change, FieldChange, SnapshotKind, SnapshotNode } from '@iot/shared/contract/snapshot'
import { titleOf } from '@iot/shared/contract/titleOf'
import { treeOf } from '@iot/shared/contract/tree'
import { regionName } from '../../core/serve/region'
import type { Content } from './content'

export type Item = {
  id: string
  parentId: string | null
  type: SnapshotKind
  name: string
  fields: Record<string, unknown>
}
export type Difference = { item: Item; change: Change; fields: FieldChange[] }

const titles: Record<string, string> = {
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
const titleFor = (type: SnapshotKind, field: string) =>
  type === 'project' ? titleOf(ProjectDraft, field) : (titles[field] ?? '其他设置')

/** Flattens a project into items that can be compared; the project itself is the root. */
export function itemsOf(
  { project, spaces, devices, groups, scenes }: Content,
  root: string,
): Item[] {
  const place = (id: string | null) => id ?? root
  return [
    { id: root, parentId: null, type: 'project', name: project.name, fields: project },
    ...spaces.map(({ id, parentId, type, name, sort, metres, ...plan }) => ({
      id,
      parentId: place(parentId),
      type,
      name,
      fields: {
        name,
        parentId: place(parentId),
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
      parentId: place(spaceId),
      type: 'device' as const,
      name,
      fields: {
        name,
        parentId: place(spaceId),
        gatewayId,
        protected: isProtected,
        position: x === null || y === null ? null : `${x.toFixed(3)}，${y.toFixed(3)}`,
      },
    })),
  ]
}

const differs = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other)

const words: Record<string, (value: unknown) => string> = {
  areaCode: (code) => regionName(String(code)),
  type: (type) => projectTypeText[type as ProjectType],
  status: (status) => statusText[status as Status],
  order: (order) => sceneOrderText[order as Scene['order']],
  dayMode: (mode) => dayModeText[mode as DayMode],
  dayTypes: (types) => wordsOfDayTypes(types as DayType[]),
  actions: (actions) => `${(actions as unknown[]).length} 个动作`,
  kind: (kind) => groupKindText[kind as GroupKind],
  deviceIds: (ids) => `${(ids as string[]).length} 台`,
  productIds: (ids) => `${(ids as string[]).length} 个产品`,
  tags: (tags) => (tags as GroupTag[]).map(wordsOfTag).join('、'),
  plan: (plan) => `图 ${String(plan).slice(0, 6)}`,
}

/** Existing calendars and the devices that conditions refer to. */
export type Known = { calendars: ReadonlyMap<string, string>; asked: AskedDevices }

/** Returns the differences between two states of a project, by item id. */
export function differencesOf(
  before: Item[],
  after: Item[],
  { calendars, asked }: Known,
): Map<string, Difference> {
  const old = new Map(before.map((item) => [item.id, item]))
  const young = new Map(after.map((item) => [item.id, item]))
  const nameOf = (id: unknown) =>
    (young.get(String(id)) ?? old.get(String(id)))?.name ?? (id ? '已删除' : '')
  const text = (field: string, value: unknown): string => {
    if (value === null || value === undefined) return ''
    if (field === 'parentId' || field === 'gatewayId') return nameOf(value)
    if (field === 'calendarId') return calendars.get(String(value)) ?? '已删除的日历'
    if (field === 'spaceIds') return (value as string[]).map(nameOf).join('、')
    if (field === 'triggers') return wordsOfTriggers(value as Trigger[], asked)
    if (words[field]) return words[field](value)
    if (typeof value === 'boolean') return value ? '是' : '否'
    return typeof value === 'object' ? JSON.stringify(value).slice(0, 100) : String(value)
  }
  const found = new Map<string, Difference>()
  for (const item of after) {
    const was = old.get(item.id)
    if (!was) {
      found.set(item.id, { item, change: 'added', fields: [] })
      continue
    }
    const names = Object.keys(item.fields).filter((name) =>
      differs(was.fields[name], item.fields[name]),
    )
    if (names.length === 0) continue
    const fields = names.map((name) => {
      const [old, young] = [text(name, was.fields[name]), text(name, item.fields[name])]
      return {
        title: titleFor(item.type, name),
        before: old,
        after: old === young ? `${young}（内容不同）` : young,
      }
    })
    found.set(item.id, { item, change: 'changed', fields })
  }
  for (const item of before)
    if (!young.has(item.id)) found.set(item.id, { item, change: 'removed', fields: [] })
  return found
}

/** Returns the items as a tree; if differences are given, only branches that contain one. */
export function nodesOf(items: Item[], differences?: Map<string, Difference>): SnapshotNode {
  const gone = [...(differences?.values() ?? [])].flatMap(({ item, change }) =>
    change === 'removed' ? item : [],
  )
  const tree = treeOf([...items, ...gone])
  const [root] = tree.nested<SnapshotNode>(({ id, type, name, parentId }, children) => {
    const found = differences?.get(id)
    if (differences && !found && children.length === 0 && parentId !== null) return undefined
    const own = type === 'device' && found?.change !== 'removed' ? 1 : 0
    return {
      id,
      type,
      name,
      children,
      deviceCount: children.reduce((sum, one) => sum + one.deviceCount, own),
      ...(found && { change: found.change, fields: found.fields }),
    }
  })
  return root!
}
