import { Flex, TreeSelect } from 'antd'
import type { Scope } from '@iot/shared/contract/control'
import { DevicesField } from '@iot/shared/control/devicesField'
import type { Options } from './useOptions'

type ScopeFieldProps = {
  projectId: number
  spaces: Options['spaces']
  groups: Options['groups']
  productType?: string
  value?: Scope
  onChange?: (scope: Scope) => void
  id?: string
}

const groupKey = 'group:'

/** Where it goes: the project, a building, a floor, an area, a group, or devices by name. */
export function ScopeField(props: ScopeFieldProps) {
  const {
    projectId,
    spaces,
    groups,
    productType,
    value = { kind: 'project' },
    onChange,
    id,
  } = props
  type Node = {
    value: string
    title: string
    full: string
    selectable?: boolean
    children: Node[]
  }
  const nodes = spaces.nested<Node>((space, children) => ({
    ...{ value: space.id, title: space.name, children },
    full: spaces
      .path(space.id)
      .map(({ name }) => name)
      .join(' / '),
  }))
  const single = (key: string, title: string): Node => ({
    value: key,
    title,
    full: title,
    children: [],
  })
  const ofGroups: Node = {
    ...single('groups', '设备组'),
    selectable: false,
    children: groups.map(({ id, name }) => ({
      ...single(groupKey + id, name),
      full: `设备组 / ${name}`,
    })),
  }
  const keyOf = (scope: Scope) =>
    scope.kind === 'space'
      ? scope.spaceId
      : scope.kind === 'group'
        ? groupKey + scope.groupId
        : scope.kind
  const choose = (key: string) =>
    onChange?.(
      key === 'project'
        ? { kind: 'project' }
        : key === 'devices'
          ? { kind: 'devices', deviceIds: [] }
          : key.startsWith(groupKey)
            ? { kind: 'group', groupId: key.slice(groupKey.length) }
            : { kind: 'space', spaceId: key },
    )
  return (
    <Flex vertical gap={8}>
      <TreeSelect
        id={id}
        aria-label="范围"
        treeData={[
          single('project', '整个项目'),
          ...nodes,
          ...(groups.length > 0 ? [ofGroups] : []),
          single('devices', '指定设备'),
        ]}
        value={keyOf(value)}
        onChange={choose}
        treeNodeFilterProp="full"
        treeNodeLabelProp="full"
        showSearch
        popupMatchSelectWidth={280}
        style={{ width: '100%' }}
      />
      {value.kind === 'devices' && (
        <DevicesField
          {...{ projectId, productType }}
          value={value.deviceIds}
          onChange={(deviceIds) => onChange?.({ kind: 'devices', deviceIds })}
        />
      )}
    </Flex>
  )
}
