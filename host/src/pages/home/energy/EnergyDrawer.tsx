import useRequest from 'ahooks/es/useRequest'
import Alert from 'antd/es/alert'
import Drawer from 'antd/es/drawer'
import Empty from 'antd/es/empty'
import Flex from 'antd/es/flex'
import Skeleton from 'antd/es/skeleton'
import Tabs from 'antd/es/tabs'
import type { Dayjs } from 'dayjs'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { energyApi } from '@iot/shared/contract/control/energy.api'
import { RangePicker } from '@iot/shared/ui/datePicker'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { AreasTable } from './AreasTable'
import { LampsTable } from './LampsTable'
import { todayInPageZone, toPickerDate } from '@iot/shared/client/zone'
import { formatFigure, formatSameHour } from './formatEnergy'

const EnergyChart = lazyPart(
  () => import('./EnergyChart'),
  () => <div style={{ height: 250 }} />,
)
const createPresets = () => {
  const now = toPickerDate(todayInPageZone())
  const lastDays = (days: number): [Dayjs, Dayjs] => [now.subtract(days - 1, 'day'), now]
  return [
    { label: '今天', value: lastDays(1) },
    {
      label: '昨天',
      value: [now.subtract(1, 'day'), now.subtract(1, 'day')] as [Dayjs, Dayjs],
    },
    { label: '近 7 天', value: lastDays(7) },
    { label: '近 30 天', value: lastDays(30) },
    { label: '本月', value: [now.startOf('month'), now] as [Dayjs, Dayjs] },
  ]
}

const formatMeterNames = (names: string[]) =>
  names.slice(0, 5).join('、') + (names.length > 5 ? ` 等 ${names.length} 块电表` : '')

type EnergyDrawerProps = { projectId: number; onClose: () => void }

/**
 * Shows the project's consumption by day, area and lamp, and says whether each value was measured by a meter or
 * estimated.
 */
export default function EnergyDrawer({ projectId, onClose }: EnergyDrawerProps) {
  const [[from, to], setRange] = useState<[string, string]>(() => [
    todayInPageZone(6),
    todayInPageZone(),
  ])
  const range = { projectId, from, to }
  const { data, error, refresh } = useRequest(() => call(energyApi.areas, range, { quiet: true }), {
    refreshDeps: [projectId, from, to],
  })

  return (
    <Drawer open title="能耗与寿命" size={960} onClose={onClose}>
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      {!data && !error && <Skeleton active paragraph={{ rows: 8 }} />}
      {data && (
        <>
          <Flex wrap justify="space-between" align="center" gap={8}>
            <span>
              今天到现在 <b>{formatFigure(data.today)}</b>，
              {formatSameHour(data.sameHour, data.today.wattHours)}；昨天全天{' '}
              <b>{formatFigure(data.yesterday)}</b>
            </span>
            <RangePicker
              aria-label="日期范围"
              allowClear={false}
              presets={createPresets()}
              maxDate={toPickerDate(todayInPageZone())}
              value={[toPickerDate(from), toPickerDate(to)]}
              onChange={(days) =>
                days?.[0] &&
                days[1] &&
                setRange([days[0].format('YYYY-MM-DD'), days[1].format('YYYY-MM-DD')])
              }
            />
          </Flex>
          {data.doubtfulMeters.length > 0 && (
            <Alert
              type="warning"
              showIcon
              style={{ marginTop: 12 }}
              title={`计量不可信：${formatMeterNames(data.doubtfulMeters)}`}
              description="电表读数归零或跳变，跳变以来的用电没有计入；读数恢复或连续上升半小时后继续计量。"
            />
          )}
          {data.days.some(({ wattHours }) => wattHours !== null) ? (
            <EnergyChart days={data.days} from={from} to={to} />
          ) : (
            <Empty
              image={Empty.PRESENTED_IMAGE_SIMPLE}
              description="这段时间没有数据。灯具上报开关后从那时算起，产品里填写额定功率后才有用电。"
            />
          )}
          <p style={{ color: 'var(--ant-color-text-secondary)' }}>
            实测：楼层有电表的以电表为准，含照明以外的用电；估算：额定功率 × 亮灯时间 ×
            亮度。离线的时间不知道是否亮灯，记为未知，不算用电。
          </p>
          <Tabs
            items={[
              { key: 'areas', label: '按区域', children: <AreasTable areas={data.areas} /> },
              { key: 'lamps', label: '按灯', children: <LampsTable {...range} /> },
              {
                key: 'life',
                label: `待更换${data.due > 0 ? ` ${data.due}` : ''}`,
                children: <LampsTable {...range} isLife soon={data.soon} onReplaced={refresh} />,
              },
            ]}
          />
        </>
      )}
    </Drawer>
  )
}
