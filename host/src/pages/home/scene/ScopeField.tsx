import { Flex, TreeSelect } from 'antd'
import type { Scope } from '@iot/shared/contract/control'
import { DevicesField } from './DevicesField'
import type { Options } from './useOptions'

type ScopeFieldProps = {
  projectId: number
  spaces: Options['spaces']
  productType?: string
  value?: Scope
  onChange?: (scope: Scope) => void
  id?: string
}

/** Where it goes: the project, a building, a floor, an area, or devices by name. */
export function ScopeField(props: ScopeFieldProps) {
  const { projectId, spaces, productType, value = { kind: 'project' }, onChange, id } = props
  type Node = { value: string; title: string; full: string; children: Node[] }
  const nodes = spaces.nested<Node>((space, children) => ({
    ...{ value: space.id, title: space.name, children },
    full: spaces
      .path(space.id)
      .map(({ name }) => name)
      .join(' / '),
  }))
  const single = (key: string, title: string) => ({ value: key, title, full: title, children: [] })
  const choose = (key: string) =>
    onChange?.(
      key === 'project'
        ? { kind: 'project' }
        : key === 'devices'
          ? { kind: 'devices', deviceIds: [] }
          : { kind: 'space', spaceId: key },
    )
  return (
    <Flex vertical gap={8}>
      <TreeSelect
        id={id}
        aria-label="范围"
        treeData={[single('project', '整个项目'), ...nodes, single('devices', '指定设备')]}
        value={value.kind === 'space' ? value.spaceId : value.kind}
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
