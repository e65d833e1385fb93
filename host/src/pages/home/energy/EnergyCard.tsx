import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Skeleton from 'antd/es/skeleton'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { energyApi } from '@iot/shared/contract/control/energy.api'
import { Card } from '@iot/shared/ui/card'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { todayInPageZone } from '@iot/shared/client/zone'
import { formatFigure, formatSameHour } from './formatEnergy'

const EnergyDrawer = lazyDialog(() => import('./EnergyDrawer'))
const pollIntervalMs = 5 * 60_000

/** Compares today's consumption with yesterday's and counts the lamps due for replacement. */
export default function EnergyCard({ projectId, title }: { projectId: number; title: string }) {
  const [isOpen, setOpen] = useState(false)
  const { data, error, refresh } = useRequest(
    () => {
      return call(
        energyApi.areas,
        { projectId, from: todayInPageZone(), to: todayInPageZone() },
        { quiet: true },
      )
    },
    { refreshDeps: [projectId], pollingInterval: pollIntervalMs, pollingWhenHidden: false },
  )
  return (
    <Card
      title={title}
      extra={
        <Button type="link" size="small" onClick={() => setOpen(true)}>
          详情
        </Button>
      }
    >
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      {!data && !error && <Skeleton active title={false} paragraph={{ rows: 3 }} />}
      {data && (
        <Flex vertical gap={8}>
          <div>
            今天到现在 <b>{formatFigure(data.today)}</b>
          </div>
          <div>{formatSameHour(data.sameHour, data.today.wattHours)}</div>
          <div>
            昨天全天 <b>{formatFigure(data.yesterday)}</b>
          </div>
          <div>
            待更换 <b>{data.due}</b> 盏，快到寿命 <b>{data.soon}</b> 盏
          </div>
        </Flex>
      )}
      {isOpen && <EnergyDrawer projectId={projectId} onClose={() => setOpen(false)} />}
    </Card>
  )
}
