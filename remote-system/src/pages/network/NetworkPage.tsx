import Flex from 'antd/es/flex'
import { networkApi } from '@iot/shared/contract/device/network.api'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { ListTabs } from '@iot/shared/ui/listTabs'
import { Panel } from '@iot/shared/ui/panel'
import { useRefusalReason } from '@iot/shared/ui/right'
import { LoadingLines } from '@iot/shared/ui/waitingLines'
import { Clients } from './Clients'
import { NetworkComponents } from './NetworkComponents'

const ConnectionRefusals = lazyPart(
  () => import('./ConnectionRefusals'),
  () => <LoadingLines lines={4} />,
)

export function Component() {
  const refusal = useRefusalReason()(networkApi.refusals)
  return (
    <Flex vertical gap={12}>
      <Panel>
        <NetworkComponents />
      </Panel>
      <Panel>
        <ListTabs
          items={[
            { key: 'clients', label: '客户端', content: <Clients /> },
            { key: 'refusals', label: '接入拒绝', content: <ConnectionRefusals />, refusal },
          ]}
        />
      </Panel>
    </Flex>
  )
}
