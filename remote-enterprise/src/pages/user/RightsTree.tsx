import { Button, Flex, Input, Select, Space, Spin, Tag, Tree } from 'antd'
import { useState } from 'react'
import type { Role } from '@iot/shared/contract/role'
import { found, foundToggled, type Grantable, type GrantTree, grantTree, toggled } from './rights'

type RightsTreeProps = {
  id?: string
  nodes?: Grantable
  /** The permissions of these roles can be copied. */
  roles: Role[]
  value?: string[]
  onChange?: (held: string[]) => void
}

export function RightsTree({ id, nodes, roles, value = [], onChange }: RightsTreeProps) {
  const [asked, setAsked] = useState('')
  const [opened, setOpened] = useState<string[]>()
  if (!nodes) return <Spin />

  const shown = found(nodes, asked)
  const parents = nodes.filter(({ type }) => type !== 'button').map((node) => node.id)
  const folders = nodes.filter(({ type }) => type === 'folder').map((node) => node.id)
  const mine = new Set(nodes.map((node) => node.id))
  // Permissions that the editing user cannot see are kept.
  const unseen = value.filter((one) => !mine.has(one))
  const isOpen = opened?.length === parents.length

  return (
    <Flex vertical gap={8}>
      <Flex gap={8} wrap>
        <Input
          id={id}
          allowClear
          placeholder="搜索菜单或按钮"
          style={{ width: 180 }}
          value={asked}
          onChange={({ target }) => setAsked(target.value)}
          onPressEnter={(event) => event.preventDefault()}
        />
        <Space>
          <Button onClick={() => onChange?.(foundToggled(nodes, value, asked, true))}>全选</Button>
          <Button onClick={() => onChange?.(foundToggled(nodes, value, asked, false))}>清空</Button>
          <Button onClick={() => setOpened(isOpen ? [] : parents)}>
            {isOpen ? '收起' : '展开'}
          </Button>
          <Select
            placeholder="复制自…"
            aria-label="复制自"
            value={null}
            style={{ width: 140 }}
            popupMatchSelectWidth={false}
            options={roles.map((role) => ({ value: role.id, label: role.name }))}
            onChange={(from: string | null) => {
              const held = roles.find((role) => role.id === from)?.menuIds ?? []
              onChange?.([...unseen, ...held.filter((one) => mine.has(one))])
            }}
          />
        </Space>
      </Flex>
      <div
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
          treeData={grantTree(shown)}
          expandedKeys={asked.trim() ? shown.map((node) => node.id) : (opened ?? folders)}
          onExpand={(keys) => setOpened(keys.map(String))}
          checkedKeys={value}
          onCheck={(_, { node, checked }) => onChange?.(toggled(nodes, value, node.key, checked))}
          titleRender={({ title, type }) => (
            <Space size={6}>
              {title}
              {type === 'button' && <Tag>按钮</Tag>}
            </Space>
          )}
        />
        {shown.length === 0 && '没有找到'}
      </div>
    </Flex>
  )
}
