import { Skeleton, Tabs, Tooltip } from 'antd'
import { useSearchParams } from 'react-router-dom'
import { roleApi } from '@iot/shared/contract/role'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { useRefusal } from '@iot/shared/ui/right'
import { UserTab } from './UserTab'

const RoleTab = lazyPart(
  () => import('./RoleTab'),
  () => <Skeleton active title={false} paragraph={{ rows: 4 }} />,
)

export function Component() {
  const [params, setParams] = useSearchParams()
  const noRoles = useRefusal()(roleApi.list)
  const tab = params.get('tab') === 'role' && !noRoles ? 'role' : 'user'

  return (
    <Panel>
      <Tabs
        activeKey={tab}
        onChange={(key) => setParams(key === 'role' ? { tab: 'role' } : {})}
        destroyOnHidden
        tabBarStyle={{ marginBottom: 16 }}
        items={[
          { key: 'user', label: '用户', children: <UserTab /> },
          {
            key: 'role',
            label: <Tooltip title={noRoles}>角色</Tooltip>,
            disabled: noRoles !== undefined,
            children: <RoleTab />,
          },
        ]}
      />
    </Panel>
  )
}
