import { TreeSelect } from 'antd'
import type { Scope } from '@iot/shared/contract/control.schema'
import type { GroupOption } from '@iot/shared/contract/deviceGroup.schema'
import type { Space } from '@iot/shared/contract/project.schema'
import type { Tree } from '@iot/shared/contract/tree'

type ScopeSelectProps = {
  spaces: Tree<Space>
  /** The groups have not been read yet if they are absent. */
  groups?: GroupOption[]
  /** The scope may also be a list of single devices, which a field beside this one selects. */
  withDevices?: boolean
  value?: Scope
  onChange?: (scope: Scope) => void
  id?: string
}
type ScopeNode = {
  value: string
  title: string
  full: string
  selectable?: boolean
  children: ScopeNode[]
}

const groupKeyPrefix = 'group:'
const createLeaf = (key: string, title: string): ScopeNode => ({
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
  key === 'project'
    ? { kind: 'project' }
    : key === 'devices'
      ? { kind: 'devices', deviceIds: [] }
      : key.startsWith(groupKeyPrefix)
        ? { kind: 'group', groupId: key.slice(groupKeyPrefix.length) }
        : { kind: 'space', spaceId: key }

/** Selects the scope: the project, a building, a floor, an area or a group. */
export function ScopeSelect(props: ScopeSelectProps) {
  const { spaces, groups = [], withDevices, value = { kind: 'project' }, onChange, id } = props
  const spaceNodes = spaces.nested<ScopeNode>((space, children) => ({
    value: space.id,
    title: space.name,
    children,
    full: spaces
      .path(space.id)
      .map(({ name }) => name)
      .join(' / '),
  }))
  const groupsNode: ScopeNode = {
    ...createLeaf('groups', '设备组'),
    selectable: false,
    children: groups.map(({ id, name }) => ({
      ...createLeaf(groupKeyPrefix + id, name),
      full: `设备组 / ${name}`,
    })),
  }
  const isKnown =
    value.kind === 'space'
      ? spaces.get(value.spaceId) !== undefined
      : value.kind !== 'group' || groups.some(({ id }) => id === value.groupId)
  return (
    <TreeSelect
      id={id}
      aria-label="范围"
      placeholder={props.groups ? '原来的范围已被删除，请重新选择' : '请选择范围'}
      treeData={[
        createLeaf('project', '整个项目'),
        ...spaceNodes,
        ...(groups.length > 0 ? [groupsNode] : []),
        ...(withDevices ? [createLeaf('devices', '指定设备')] : []),
      ]}
      value={isKnown ? toScopeKey(value) : undefined}
      onChange={(key: string) => onChange?.(parseScopeKey(key))}
      treeNodeFilterProp="full"
      treeNodeLabelProp="full"
      showSearch
      treeDefaultExpandedKeys={['groups']}
      popupMatchSelectWidth={280}
      style={{ width: '100%' }}
    />
  )
}
