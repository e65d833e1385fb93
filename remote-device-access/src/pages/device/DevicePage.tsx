import { deviceGroupApi } from '@iot/shared/contract/deviceGroup'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { ListTabs } from '@iot/shared/ui/listTabs'
import { Panel } from '@iot/shared/ui/panel'
import { useRefusal } from '@iot/shared/ui/right'
import { WaitingLines } from '@iot/shared/ui/waitingLines'
import { Devices } from './Devices'

const Groups = lazyPart(
  () => import('./Groups'),
  () => <WaitingLines lines={4} />,
)

export function Component() {
  const noGroups = useRefusal()(deviceGroupApi.page)
  return (
    <Panel>
      <ListTabs
        items={[
          { key: 'device', label: '设备', content: <Devices /> },
          { key: 'group', label: '设备组', content: <Groups />, refusal: noGroups },
        ]}
      />
    </Panel>
  )
}
