import { registrationRecordApi } from '@iot/shared/contract/device/registration.api'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { ListTabs } from '@iot/shared/ui/listTabs'
import { Panel } from '@iot/shared/ui/panel'
import { useRefusalReason } from '@iot/shared/ui/right'
import { LoadingLines } from '@iot/shared/ui/waitingLines'
import { RegistrationRules } from './RegistrationRules'

const RegistrationRecords = lazyPart(
  () => import('./RegistrationRecords'),
  () => <LoadingLines lines={4} />,
)

export function Component() {
  const refusal = useRefusalReason()(registrationRecordApi.page)
  return (
    <Panel>
      <ListTabs
        items={[
          { key: 'rules', label: '注册规则', content: <RegistrationRules /> },
          { key: 'records', label: '注册记录', content: <RegistrationRecords />, refusal },
        ]}
      />
    </Panel>
  )
}
