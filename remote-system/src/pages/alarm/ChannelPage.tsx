import { notificationDeliveryApi } from '@iot/shared/contract/alarm/notificationDelivery.api'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { ListTabs } from '@iot/shared/ui/listTabs'
import { Panel } from '@iot/shared/ui/panel'
import { useRefusalReason } from '@iot/shared/ui/right'
import { LoadingLines } from '@iot/shared/ui/waitingLines'
import { Channels } from './Channels'

const Deliveries = lazyPart(
  () => import('./Deliveries'),
  () => <LoadingLines lines={4} />,
)

export function Component() {
  const refusal = useRefusalReason()(notificationDeliveryApi.page)
  return (
    <Panel>
      <ListTabs
        items={[
          { key: 'channels', label: '渠道', content: <Channels /> },
          { key: 'deliveries', label: '发送记录', content: <Deliveries />, refusal },
        ]}
      />
    </Panel>
  )
}
