import { deviceGroupApi } from '@iot/shared/contract/device/deviceGroup.api'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { ListTabs } from '@iot/shared/ui/listTabs'
import { Panel } from '@iot/shared/ui/panel'
import { useRefusalReason } from '@iot/shared/ui/right'
import { LoadingLines } from '@iot/shared/ui/waitingLines'
import { Devices } from './Devices'

const Groups = lazyPart(
  () => import('./Groups'),
  () => <LoadingLines lines={4} />,
)

export function Component() {
  const groupsRefusal = useRefusalReason()(deviceGroupApi.page)
  return (
    <Panel>
      <ListTabs
        items={[
          { key: 'device', label: '设备', content: <Devices /> },
          { key: 'group', label: '设备组', content: <Groups />, refusal: groupsRefusal },
        ]}
      />
    </Panel>
  )
}
