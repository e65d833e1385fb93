import { roleApi } from '@iot/shared/contract/access/role.api'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { ListTabs } from '@iot/shared/ui/listTabs'
import { Panel } from '@iot/shared/ui/panel'
import { useRefusalReason } from '@iot/shared/ui/right'
import { LoadingLines } from '@iot/shared/ui/waitingLines'
import { UserTab } from './UserTab'

const RoleTab = lazyPart(
  () => import('./RoleTab'),
  () => <LoadingLines lines={4} />,
)

export function Component() {
  const rolesRefusal = useRefusalReason()(roleApi.list)
  return (
    <Panel>
      <ListTabs
        items={[
          { key: 'user', label: '用户', content: <UserTab /> },
          { key: 'role', label: '角色', content: <RoleTab />, refusal: rolesRefusal },
        ]}
      />
    </Panel>
  )
}
