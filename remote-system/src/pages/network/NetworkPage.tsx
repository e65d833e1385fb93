import { Flex } from 'antd'
import { Panel } from '@iot/shared/ui/panel'
import { Clients } from './Clients'
import { Components } from './Components'

export const Component = () => (
  <Flex vertical gap={12}>
    <Panel>
      <Components />
    </Panel>
    <Panel>
      <Clients />
    </Panel>
  </Flex>
)
