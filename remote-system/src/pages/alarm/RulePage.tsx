import { ListTabs } from '@iot/shared/ui/listTabs'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { useRefusalReason } from '@iot/shared/ui/right'
import { LoadingLines } from '@iot/shared/ui/waitingLines'
import { maintenanceWindowApi } from '@iot/shared/contract/alarm/incident.api'
import { Rules } from './Rules'

const Windows = lazyPart(
  () => import('./Windows'),
  () => <LoadingLines lines={4} />,
)

export function Component() {
  const refusal = useRefusalReason()(maintenanceWindowApi.page)
  return (
    <Panel>
      <ListTabs
        items={[
          { key: 'rules', label: '规则', content: <Rules /> },
          { key: 'windows', label: '维护窗口', content: <Windows />, refusal },
        ]}
      />
    </Panel>
  )
}
