import { Flex } from 'antd'
import { networkApi } from '@iot/shared/contract/network'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { ListTabs } from '@iot/shared/ui/listTabs'
import { Panel } from '@iot/shared/ui/panel'
import { useRefusal } from '@iot/shared/ui/right'
import { WaitingLines } from '@iot/shared/ui/waitingLines'
import { Clients } from './Clients'
import { Components } from './Components'

const Refusals = lazyPart(
  () => import('./Refusals'),
  () => <WaitingLines lines={4} />,
)

export function Component() {
  const refusal = useRefusal()(networkApi.refusals)
  return (
    <Flex vertical gap={12}>
      <Panel>
        <Components />
      </Panel>
      <Panel>
        <ListTabs
          items={[
            { key: 'clients', label: '客户端', content: <Clients /> },
            { key: 'refusals', label: '接入拒绝', content: <Refusals />, refusal },
          ]}
        />
      </Panel>
    </Flex>
  )
}
