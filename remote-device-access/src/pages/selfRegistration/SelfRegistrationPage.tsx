import { lazyPart } from '@iot/shared/ui/lazyPart'
import { ListTabs } from '@iot/shared/ui/listTabs'
import { Panel } from '@iot/shared/ui/panel'
import { WaitingLines } from '@iot/shared/ui/waitingLines'
import { Rules } from './Rules'

const Records = lazyPart(
  () => import('./Records'),
  () => <WaitingLines lines={4} />,
)

export const Component = () => (
  <Panel>
    <ListTabs
      items={[
        { key: 'rules', label: '注册规则', content: <Rules /> },
        { key: 'records', label: '注册记录', content: <Records /> },
      ]}
    />
  </Panel>
)
