import useRequest from 'ahooks/es/useRequest'
import Drawer from 'antd/es/drawer'
import Empty from 'antd/es/empty'
import Flex from 'antd/es/flex'
import Menu from 'antd/es/menu'
import Skeleton from 'antd/es/skeleton'
import type { MenuProps } from 'antd'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { menuApi } from '@iot/shared/contract/access/menu.api'
import type { MenuNode } from '@iot/shared/contract/access/menuNode.schema'
import { toRowOptions } from '@iot/shared/contract/options'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { mapTree } from '@iot/shared/contract/tree'
import { MenuIcon } from '@iot/shared/ui/menuIcon'
import { Select } from '@iot/shared/ui/select'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'

type MenuItem = Required<MenuProps>['items'][number]
const toMenuItem = ({ id, type, name, icon, path }: MenuNode, children: MenuItem[]): MenuItem => ({
  key: id,
  icon: <MenuIcon name={icon} />,
  label: name,
  ...(type === 'page' ? { title: path } : { children }),
})

/** Shows the side menu of a user who has only one given role. */
export default function MenuPreview({ onClose }: { onClose: () => void }) {
  const [roleId, setRoleId] = useState<string>()
  const roles = useRequest(() => call(roleApi.list, {}, { inline: true }))
  const menu = useRequest(() => call(menuApi.preview, { roleId: roleId! }, { inline: true }), {
    ready: roleId !== undefined,
    refreshDeps: [roleId],
  })
  const failedRequest = roles.error ? roles : menu.error ? menu : undefined
  const folderIds = menu.data?.filter(({ type }) => type === 'folder').map(({ id }) => id)

  return (
    <Drawer open size={360} title="以此角色预览" onClose={onClose}>
      <Flex vertical gap={12}>
        <Select
          aria-label="角色"
          placeholder="请选择角色"
          autoFocus
          showSearch={{ optionFilterProp: 'label' }}
          loading={roles.loading}
          options={toRowOptions(roles.data)}
          value={roleId}
          onChange={setRoleId}
        />
        {failedRequest?.error && (
          <LoadErrorAlert
            why={failedRequest.error.message}
            hasRows={false}
            onRetry={failedRequest.refresh}
          />
        )}
        {roleId === undefined && !failedRequest && (
          <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="选一个角色，看它的侧边菜单" />
        )}
        {menu.loading && <Skeleton active title={false} paragraph={{ rows: 6 }} />}
        {!menu.loading && !menu.error && menu.data?.length === 0 && (
          <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="这个角色没有任何菜单" />
        )}
        {!menu.loading && !menu.error && menu.data && menu.data.length > 0 && (
          <nav aria-label="预览的菜单">
            <Menu
              key={roleId}
              mode="inline"
              selectable={false}
              defaultOpenKeys={folderIds}
              items={mapTree(menu.data, ({ children }) => children, toMenuItem)}
            />
          </nav>
        )}
      </Flex>
    </Drawer>
  )
}
