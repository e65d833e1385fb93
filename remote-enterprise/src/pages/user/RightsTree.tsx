import { Space, Spin, Tag, Tree } from 'antd'
import { type Grantable, type GrantTree, grantTree, toggled } from './rights'

type RightsTreeProps = {
  id?: string
  nodes?: Grantable
  value?: string[]
  onChange?: (held: string[]) => void
}

export function RightsTree({ id, nodes, value = [], onChange }: RightsTreeProps) {
  if (!nodes) return <Spin />
  return (
    <div
      id={id}
      style={{
        maxHeight: 300,
        overflow: 'auto',
        padding: 8,
        border: '1px solid var(--ant-color-border)',
        borderRadius: 'var(--ant-border-radius)',
      }}
    >
      <Tree<GrantTree>
        checkable
        checkStrictly
        selectable={false}
        treeData={grantTree(nodes)}
        defaultExpandedKeys={nodes.filter(({ type }) => type === 'folder').map((node) => node.id)}
        checkedKeys={value}
        onCheck={(_, { node, checked }) => onChange?.(toggled(nodes, value, node.key, checked))}
        titleRender={({ title, type }) => (
          <Space size={6}>
            {title}
            {type === 'button' && <Tag>按钮</Tag>}
          </Space>
        )}
      />
    </div>
  )
}
