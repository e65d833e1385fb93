import { Skeleton } from 'antd'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { DetailTabs } from '@iot/shared/ui/useDetail'
import { Rules } from './Rules'

const Records = lazyPart(
  () => import('./Records'),
  () => <Skeleton active />,
)

export const Component = () => (
  <Panel>
    <DetailTabs
      items={[
        { key: 'rules', label: '注册规则', children: <Rules /> },
        { key: 'records', label: '注册记录', children: <Records /> },
      ]}
    />
  </Panel>
)
