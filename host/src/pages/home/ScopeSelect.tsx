import type { Scope } from '@iot/shared/contract/control/control.schema'
import type { GroupOption } from '@iot/shared/contract/device/deviceGroup.schema'
import type { Space } from '@iot/shared/contract/project/project.schema'
import { formatTreePath, type Tree } from '@iot/shared/contract/tree'
import { TreeSelect } from '@iot/shared/ui/treeSelect'

type ScopeSelectProps = {
  spaces: Tree<Space>
  /** The groups have not been read yet if they are absent. */
  groups?: GroupOption[]
  value?: Scope
  onChange?: (scope: Scope) => void
  id?: string
}
export type ScopeNode = {
  value: string
  title: string
  full: string
  selectable?: boolean
  children: ScopeNode[]
}

export const groupKeyPrefix = 'group:'
export const projectKey = 'project'
export const createLeaf = (key: string, title: string): ScopeNode => ({
  value: key,
  title,
  full: title,
  children: [],
})
const toScopeKey = (scope: Scope) =>
  scope.kind === 'space'
    ? scope.spaceId
    : scope.kind === 'group'
      ? groupKeyPrefix + scope.groupId
      : scope.kind
const parseScopeKey = (key: string): Scope =>
  key === projectKey
    ? { kind: 'project' }
    : key.startsWith(groupKeyPrefix)
      ? { kind: 'group', groupId: key.slice(groupKeyPrefix.length) }
      : { kind: 'space', spaceId: key }

/** Returns the project, its spaces and its groups as choices of a tree. */
export function buildScopeNodes(spaces: Tree<Space>, groups: GroupOption[]): ScopeNode[] {
  const spaceNodes = spaces.nested<ScopeNode>((space, children) => ({
    value: space.id,
    title: space.name,
    children,
    full: formatTreePath(spaces, space.id),
  }))
  const groupsNode: ScopeNode = {
    ...createLeaf('groups', '设备组'),
    selectable: false,
    children: groups.map(({ id, name }) => ({
      ...createLeaf(groupKeyPrefix + id, name),
      full: `设备组 / ${name}`,
    })),
  }
  return [
    createLeaf(projectKey, '整个项目'),
    ...spaceNodes,
    ...(groups.length > 0 ? [groupsNode] : []),
  ]
}

/** Settings of a tree select with these nodes, which finds a place by any part of its path. */
export const scopeTreeProps = {
  treeNodeLabelProp: 'full',
  showSearch: { treeNodeFilterProp: 'full' },
  treeDefaultExpandedKeys: ['groups'] as string[],
  popupMatchSelectWidth: 280,
  style: { width: '100%' },
}

/** Selects the scope: the project, a building, a floor, an area or a group. */
export function ScopeSelect(props: ScopeSelectProps) {
  const { spaces, groups = [], value = { kind: 'project' }, onChange, id } = props
  const isKnown =
    value.kind === 'space'
      ? spaces.get(value.spaceId) !== undefined
      : value.kind !== 'group' || groups.some(({ id }) => id === value.groupId)
  return (
    <TreeSelect
      id={id}
      aria-label="范围"
      placeholder={props.groups ? '原来的范围已被删除，请重新选择' : '请选择范围'}
      treeData={buildScopeNodes(spaces, groups)}
      value={isKnown ? toScopeKey(value) : undefined}
      onChange={(key: string) => onChange?.(parseScopeKey(key))}
      {...scopeTreeProps}
    />
  )
}
