import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Input from 'antd/es/input'
import Space from 'antd/es/space'
import Spin from 'antd/es/spin'
import Tag from 'antd/es/tag'
import Tree from 'antd/es/tree'
import { useState } from 'react'
import type { Role } from '@iot/shared/contract/access/role.schema'
import { Select } from '@iot/shared/ui/select'
import {
  filterNodes,
  toggleSearchResults,
  type Grantable,
  type GrantTree,
  createGrantTree,
  toggleGrant,
} from './permissionGrants'

type PermissionTreeProps = {
  id?: string
  nodes?: Grantable
  /** The permissions of these roles can be copied. */
  roles: Role[]
  value?: string[]
  onChange?: (permissionIds: string[]) => void
}

export function PermissionTree({ id, nodes, roles, value = [], onChange }: PermissionTreeProps) {
  const [searchText, setSearchText] = useState('')
  const [expandedIds, setExpandedIds] = useState<string[]>()
  if (!nodes) return <Spin />

  const matchingNodes = filterNodes(nodes, searchText)
  const parents = nodes.filter(({ type }) => type !== 'button').map((node) => node.id)
  const folders = nodes.filter(({ type }) => type === 'folder').map((node) => node.id)
  const grantableIds = new Set(nodes.map((node) => node.id))
  // Permissions that the editing user cannot see are kept.
  const hiddenPermissionIds = value.filter((permissionId) => !grantableIds.has(permissionId))
  const isFullyExpanded = expandedIds?.length === parents.length

  return (
    <Flex vertical gap={8}>
      <Flex gap={8} wrap>
        <Input
          id={id}
          allowClear
          placeholder="搜索菜单或按钮"
          style={{ width: 180 }}
          value={searchText}
          onChange={({ target }) => setSearchText(target.value)}
          onPressEnter={(event) => event.preventDefault()}
        />
        <Space>
          <Button onClick={() => onChange?.(toggleSearchResults(nodes, value, searchText, true))}>
            全选
          </Button>
          <Button onClick={() => onChange?.(toggleSearchResults(nodes, value, searchText, false))}>
            清空
          </Button>
          <Button onClick={() => setExpandedIds(isFullyExpanded ? [] : parents)}>
            {isFullyExpanded ? '收起' : '展开'}
          </Button>
          <Select
            placeholder="复制自…"
            aria-label="复制自"
            value={null}
            style={{ width: 140 }}
            popupMatchSelectWidth={false}
            options={roles.map((role) => ({ value: role.id, label: role.name }))}
            onChange={(sourceRoleId: string | null) => {
              const rolePermissionIds =
                roles.find((role) => role.id === sourceRoleId)?.menuIds ?? []
              onChange?.([
                ...hiddenPermissionIds,
                ...rolePermissionIds.filter((permissionId) => grantableIds.has(permissionId)),
              ])
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
          treeData={createGrantTree(matchingNodes)}
          expandedKeys={
            searchText.trim() ? matchingNodes.map((node) => node.id) : (expandedIds ?? folders)
          }
          onExpand={(keys) => setExpandedIds(keys.map(String))}
          checkedKeys={value}
          onCheck={(_, { node, checked }) =>
            onChange?.(toggleGrant(nodes, value, node.key, checked))
          }
          titleRender={({ title, type }) => (
            <Space size={6}>
              {title}
              {type === 'button' && <Tag>按钮</Tag>}
            </Space>
          )}
        />
        {matchingNodes.length === 0 && '没有找到'}
      </div>
    </Flex>
  )
}
