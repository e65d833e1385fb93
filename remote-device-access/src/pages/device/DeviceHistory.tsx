import { useRequest } from 'ahooks'
import { DatePicker, Empty, Flex, Segmented, Select, Skeleton, Table, Typography } from 'antd'
import type { Dayjs } from 'dayjs'
import { useSearchParams } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { type DeviceHistory as History, historySteps } from '@iot/shared/contract/deviceHistory'
import { managedDeviceApi } from '@iot/shared/contract/managedDevice'
import type { Property, ThingModel } from '@iot/shared/contract/thingModel'
import { isNumberType, meanWords } from '@iot/shared/contract/thingText'
import { shown } from '@iot/shared/ui/field'
import { Export } from '@iot/shared/ui/importExport'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { FailedLine } from '@iot/shared/ui/usePage'
import {
  beginOfToday,
  fromPicker,
  pickerNow,
  toPicker,
  zoned,
  zonedNow,
} from '@iot/shared/client/zone'
import { valueText } from './valueText'

const HistoryChart = lazyPart(
  () => import('./HistoryChart'),
  () => <Skeleton.Node active style={{ width: '100%', height: 320 }} />,
)
const ranges = [
  { value: 'hour', label: '近 1 小时' },
  { value: 'today', label: '今天' },
  { value: 'day', label: '近 24 小时' },
  { value: 'week', label: '近 7 天' },
  { value: 'month', label: '近 30 天' },
  { value: 'own', label: '自定义' },
]
const stepText: Record<(typeof historySteps)[number], string> = {
  0: '每次上报',
  60: '1 分钟',
  300: '5 分钟',
  600: '10 分钟',
  900: '15 分钟',
  1800: '30 分钟',
  3600: '1 小时',
  21600: '6 小时',
  86400: '1 天',
}
const drawn = ['int', 'float', 'double', 'bool', 'enum']
const enough = 1500

/** Returns the step in seconds that a chart can still resolve; 0 means raw values. */
const stepFor = (from: Dayjs, to: Dayjs) => {
  const seconds = to.diff(from, 'second')
  if (seconds <= 3600) return 0
  return historySteps.find((step) => step > 0 && seconds / step <= enough) ?? 86_400
}

function periodOf(params: URLSearchParams): [Dayjs, Dayjs] {
  const now = zonedNow()
  switch (params.get('range')) {
    case 'hour':
      return [now.subtract(1, 'hour'), now]
    case 'today':
      return [beginOfToday(), now]
    case 'week':
      return [now.subtract(7 * 24, 'hour'), now]
    case 'month':
      return [now.subtract(30 * 24, 'hour'), now]
    case 'own': {
      const [from, to] = [zoned(params.get('from') ?? ''), zoned(params.get('to') ?? '')]
      if (from.isValid() && to.isValid()) return [from, to]
    }
  }
  return [now.subtract(24, 'hour'), now]
}

type DeviceHistoryProps = { id: string; model: ThingModel }

/**
 * Shows the history of one property: a chart for numbers and states, a list for all other types. The choice is part of
 * the address.
 */
export default function DeviceHistory({ id, model }: DeviceHistoryProps) {
  const [params, setParams] = useSearchParams()
  const properties = model.properties.filter(({ accessMode }) => accessMode !== 'w')
  const property =
    properties.find(({ identifier }) => identifier === params.get('property')) ??
    properties.find(({ isHistory }) => isHistory) ??
    properties[0]
  const change = (changes: Record<string, string>) =>
    setParams((now) => ({ ...Object.fromEntries(now), ...changes }), { replace: true })
  const [from, to] = periodOf(params)
  if (!property)
    return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="产品没有会上报的属性" />

  return (
    <Flex vertical gap={16}>
      <Flex gap={8} wrap>
        <Select
          aria-label="属性"
          value={property.identifier}
          onChange={(identifier) => change({ property: identifier })}
          style={{ width: 200 }}
          options={properties.map(({ identifier, name, isHistory }) => ({
            value: identifier,
            label: isHistory ? name : `${name}（不保存历史）`,
          }))}
        />
        <div style={{ maxWidth: '100%', overflowX: 'auto' }}>
          <Segmented
            aria-label="时间范围"
            options={ranges}
            value={params.get('range') ?? 'day'}
            onChange={(range) =>
              change({
                range,
                ...(range === 'own' && { from: from.toISOString(), to: to.toISOString() }),
              })
            }
          />
        </div>
        {params.get('range') === 'own' && (
          <DatePicker.RangePicker
            showTime={{ format: 'HH:mm' }}
            format="YYYY-MM-DD HH:mm"
            allowClear={false}
            value={[toPicker(from.valueOf()), toPicker(to.valueOf())]}
            disabledDate={(date) => date.isAfter(pickerNow())}
            onChange={(chosen) =>
              chosen?.[0] &&
              chosen[1] &&
              change({
                from: fromPicker(chosen[0]).toISOString(),
                to: fromPicker(chosen[1]).toISOString(),
              })
            }
          />
        )}
      </Flex>
      <OfProperty
        key={property.identifier}
        id={id}
        property={property}
        step={params.get('step')}
        onStep={(step) => change({ step })}
      />
    </Flex>
  )
}

type OfPropertyProps = {
  id: string
  property: Property
  step: string | null
  onStep: (step: string) => void
}

function OfProperty({ id, property, step: chosen, onStep }: OfPropertyProps) {
  const [params] = useSearchParams()
  const { identifier, name, dataType } = property
  const isDrawn = drawn.includes(dataType.type)
  const isNumber = isDrawn && dataType.type !== 'bool' && dataType.type !== 'enum'
  const asked = () => {
    const [from, to] = periodOf(params)
    const step = chosen && chosen !== 'auto' ? Number(chosen) : isDrawn ? stepFor(from, to) : 0
    return { id, identifier, from: from.toISOString(), to: to.toISOString(), step }
  }
  const { data, error, loading, refresh } = useRequest(
    async () => {
      const input = asked()
      return { input, history: await call(managedDeviceApi.history, input, { inline: true }) }
    },
    { refreshDeps: [id, params.toString()] },
  )
  const history = data?.history

  return (
    <>
      <Flex gap={8} justify="space-between" wrap align="center">
        <Flex gap={8} align="center" wrap>
          <Select
            aria-label="间隔"
            value={chosen ?? 'auto'}
            onChange={onStep}
            style={{ width: 140 }}
            options={[
              { value: 'auto', label: '间隔：自动' },
              ...historySteps.map((step) => ({ value: String(step), label: stepText[step] })),
            ]}
          />
          {history && <Summary history={history} property={property} />}
        </Flex>
        <Export from={managedDeviceApi.exportHistory} input={data?.input ?? { id, identifier }} />
      </Flex>
      {error && <FailedLine why={error.message} hasRows={!!data} onRetry={refresh} />}
      {!data && loading && <Skeleton.Node active style={{ width: '100%', height: 320 }} />}
      {history && data && history.times.length === 0 && !isKnown(history, isNumber) ? (
        <Empty
          image={Empty.PRESENTED_IMAGE_SIMPLE}
          description={
            property.isHistory
              ? '这段时间没有上报过，可以选更长的时间'
              : '这个属性不保存历史，可在产品的“功能定义”里打开“保存历史”'
          }
        />
      ) : (
        history &&
        data &&
        (isDrawn ? (
          <HistoryChart
            name={name}
            dataType={dataType}
            history={history}
            from={Date.parse(data.input.from)}
            to={Date.parse(data.input.to)}
          />
        ) : (
          <Table
            rowKey="time"
            size="small"
            pagination={{ defaultPageSize: 20, hideOnSinglePage: true, showSizeChanger: false }}
            dataSource={history.times
              .map((time, at) => ({ time, value: history.last[at] }))
              .reverse()}
            columns={[
              {
                title: '时间',
                dataIndex: 'time',
                width: 200,
                render: (time: number) => shown(new Date(time).toISOString()),
              },
              {
                title: name,
                dataIndex: 'value',
                render: (value: unknown) => valueText(dataType, value),
              },
            ]}
          />
        ))
      )}
    </>
  )
}

/** A state holds its last value from before the range; a number from before tells nothing about the range. */
const isKnown = ({ before }: History, isNumber: boolean) => before !== null && !isNumber

/** Describes the extremes in text for users who cannot see the chart. */
function Summary({ history, property: { dataType } }: { history: History; property: Property }) {
  const { step, times, counts, avg, min, max, last } = history
  const isNumber = isNumberType(dataType)
  const words = (value: number) => valueText(dataType, value)
  const mean = (value: number) => meanWords(dataType, value)
  const isEach = step === 0 || isNumber
  const count = isEach && step > 0 ? counts.reduce((sum, one) => sum + one, 0) : times.length
  const numbers = step === 0 ? last.filter((one) => typeof one === 'number') : undefined
  const least = (numbers ?? min).reduce((a, b) => Math.min(a, b), Infinity)
  const most = (numbers ?? max).reduce((a, b) => Math.max(a, b), -Infinity)
  const sum = numbers
    ? numbers.reduce((a, b) => a + b, 0)
    : avg.reduce((a, one, at) => a + one * counts[at]!, 0)
  return (
    <Typography.Text type="secondary">
      {count.toLocaleString('zh-CN')}{' '}
      {isEach ? '次上报' : `个值，每 ${stepText[step as 60]}取最后一个`}
      {isNumber &&
        count > 0 &&
        `，最低 ${words(least)}，最高 ${words(most)}，平均 ${mean(sum / count)}`}
    </Typography.Text>
  )
}
