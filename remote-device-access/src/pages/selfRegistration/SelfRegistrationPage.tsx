import { registrationRecordApi } from '@iot/shared/contract/registration'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { ListTabs } from '@iot/shared/ui/listTabs'
import { Panel } from '@iot/shared/ui/panel'
import { useRefusal } from '@iot/shared/ui/right'
import { WaitingLines } from '@iot/shared/ui/waitingLines'
import { Rules } from './Rules'

const Records = lazyPart(
  () => import('./Records'),
  () => <WaitingLines lines={4} />,
)

export function Component() {
  const refusal = useRefusal()(registrationRecordApi.page)
  return (
    <Panel>
      <ListTabs
        items={[
          { key: 'rules', label: '注册规则', content: <Rules /> },
          { key: 'records', label: '注册记录', content: <Records />, refusal },
        ]}
      />
    </Panel>
  )
}
