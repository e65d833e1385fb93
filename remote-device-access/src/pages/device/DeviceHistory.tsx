import { daySeconds, hourSeconds } from '@iot/shared/contract/duration'
import useRequest from 'ahooks/es/useRequest'
import Empty from 'antd/es/empty'
import Flex from 'antd/es/flex'
import Segmented from 'antd/es/segmented'
import Skeleton from 'antd/es/skeleton'
import Table from 'antd/es/table'
import Typography from 'antd/es/typography'
import dayjs, { type Dayjs } from 'dayjs'
import { useSearchParams } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { historyStepSeconds } from '@iot/shared/contract/device/deviceHistory'
import type { DeviceHistory as History } from '@iot/shared/contract/device/deviceHistory.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { formatFunctionName } from '@iot/shared/contract/thingModel/deprecation'
import type { Property, ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { isNumberType, formatMeanWithUnit } from '@iot/shared/contract/thingModel/thingText'
import { RangePicker } from '@iot/shared/ui/datePicker'
import { formatValue } from '@iot/shared/ui/field'
import { ExportButton } from '@iot/shared/ui/importExport'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { Select } from '@iot/shared/ui/select'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { startOfToday, fromPickerTime, nowForPicker, toPickerTime } from '@iot/shared/client/zone'
import { serverNow } from '@iot/shared/client/serverClock'
import { formatDeviceValue } from './formatDeviceValue'

const HistoryChart = lazyPart(
  () => import('./HistoryChart'),
  () => <Skeleton.Node active style={{ width: '100%', height: 320 }} />,
)
const rangeOptions = [
  { value: 'hour', label: '近 1 小时' },
  { value: 'today', label: '今天' },
  { value: 'day', label: '近 24 小时' },
  { value: 'week', label: '近 7 天' },
  { value: 'month', label: '近 30 天' },
  { value: 'own', label: '自定义' },
]
const stepLabels: Record<(typeof historyStepSeconds)[number], string> = {
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
const chartableTypes = ['int', 'float', 'double', 'bool', 'enum']
const maxChartPoints = 1500

/** Returns the step in seconds that a chart can still resolve; 0 means raw values. */
const chooseStepSeconds = (from: Dayjs, to: Dayjs) => {
  const seconds = to.diff(from, 'second')
  if (seconds <= hourSeconds) return 0
  return (
    historyStepSeconds.find((step) => step > 0 && seconds / step <= maxChartPoints) ?? daySeconds
  )
}

function getPeriod(params: URLSearchParams): [Dayjs, Dayjs] {
  const now = dayjs(serverNow())
  switch (params.get('range')) {
    case null:
      break
    case 'hour':
      return [now.subtract(1, 'hour'), now]
    case 'today':
      return [startOfToday(), now]
    case 'week':
      return [now.subtract(7 * 24, 'hour'), now]
    case 'month':
      return [now.subtract(30 * 24, 'hour'), now]
    case 'own': {
      const [from, to] = [dayjs(params.get('from') ?? ''), dayjs(params.get('to') ?? '')]
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
  const properties = model.properties
    .filter(({ accessMode }) => accessMode !== 'w')
    // What was recorded stays readable, after what is in use.
    .toSorted((a, b) => Number(a.isDeprecated ?? false) - Number(b.isDeprecated ?? false))
  const property =
    properties.find(({ identifier }) => identifier === params.get('property')) ??
    properties.find(({ isHistory }) => isHistory) ??
    properties[0]
  const changeParams = (changes: Record<string, string>) =>
    setParams((currentParams) => ({ ...Object.fromEntries(currentParams), ...changes }), {
      replace: true,
    })
  const [from, to] = getPeriod(params)
  if (!property)
    return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="产品没有会上报的属性" />

  return (
    <Flex vertical gap={16}>
      <Flex gap={8} wrap>
        <Select
          aria-label="属性"
          value={property.identifier}
          onChange={(identifier) => changeParams({ property: identifier })}
          style={{ width: 200 }}
          options={properties.map((one) => ({
            value: one.identifier,
            label: `${formatFunctionName(one)}${one.isHistory ? '' : '（不保存历史）'}`,
          }))}
        />
        <div style={{ maxWidth: '100%', overflowX: 'auto' }}>
          <Segmented
            aria-label="时间范围"
            options={rangeOptions}
            value={params.get('range') ?? 'day'}
            onChange={(range) =>
              changeParams({
                range,
                ...(range === 'own' && { from: from.toISOString(), to: to.toISOString() }),
              })
            }
          />
        </div>
        {params.get('range') === 'own' && (
          <RangePicker
            needConfirm={false}
            showTime={{ format: 'HH:mm' }}
            format="YYYY-MM-DD HH:mm"
            allowClear={false}
            value={[toPickerTime(from.valueOf()), toPickerTime(to.valueOf())]}
            disabledDate={(date) => date.isAfter(nowForPicker())}
            onChange={(selectedRange) =>
              selectedRange?.[0] &&
              selectedRange[1] &&
              changeParams({
                from: fromPickerTime(selectedRange[0]).toISOString(),
                to: fromPickerTime(selectedRange[1]).toISOString(),
              })
            }
          />
        )}
      </Flex>
      <PropertyHistory
        key={property.identifier}
        id={id}
        property={property}
        step={params.get('step')}
        onStep={(step) => changeParams({ step })}
      />
    </Flex>
  )
}

type PropertyHistoryProps = {
  id: string
  property: Property
  step: string | null
  onStep: (step: string) => void
}

function PropertyHistory({ id, property, step: selectedStep, onStep }: PropertyHistoryProps) {
  const [params] = useSearchParams()
  const { identifier, name, dataType } = property
  const isChartable = chartableTypes.includes(dataType.type)
  const isNumber = isChartable && dataType.type !== 'bool' && dataType.type !== 'enum'
  const createQuery = () => {
    const [from, to] = getPeriod(params)
    const step =
      selectedStep && selectedStep !== 'auto'
        ? Number(selectedStep)
        : isChartable
          ? chooseStepSeconds(from, to)
          : 0
    return { id, identifier, from: from.toISOString(), to: to.toISOString(), step }
  }
  const { data, error, loading, refresh } = useRequest(
    async () => {
      const input = createQuery()
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
            value={selectedStep ?? 'auto'}
            onChange={onStep}
            style={{ width: 140 }}
            options={[
              { value: 'auto', label: '间隔：自动' },
              ...historyStepSeconds.map((step) => ({
                value: String(step),
                label: stepLabels[step],
              })),
            ]}
          />
          {history && <HistorySummary history={history} property={property} />}
        </Flex>
        <ExportButton
          from={managedDeviceApi.exportHistory}
          input={data?.input ?? { id, identifier }}
        />
      </Flex>
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      {!data && loading && <Skeleton.Node active style={{ width: '100%', height: 320 }} />}
      {history && data && history.times.length === 0 && !hasValueBefore(history, isNumber) ? (
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
        (isChartable ? (
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
              .map((time, index) => ({ time, value: history.last[index] }))
              .reverse()}
            columns={[
              {
                title: '时间',
                dataIndex: 'time',
                width: 200,
                render: (time: number) => formatValue(new Date(time).toISOString()),
              },
              {
                title: name,
                dataIndex: 'value',
                render: (value: unknown) => formatDeviceValue(dataType, value),
              },
            ]}
          />
        ))
      )}
    </>
  )
}

/** A state holds its last value from before the range; a number from before tells nothing about the range. */
const hasValueBefore = ({ before }: History, isNumber: boolean) => before !== null && !isNumber

/** Describes the extremes in text for users who cannot see the chart. */
function HistorySummary({
  history,
  property: { dataType },
}: {
  history: History
  property: Property
}) {
  const { step, times, counts, avg, min, max, last: lastValues } = history
  const isNumber = isNumberType(dataType)
  const formatReported = (value: number) => formatDeviceValue(dataType, value)
  const formatMeanValue = (value: number) => formatMeanWithUnit(dataType, value)
  const countsEachReport = step === 0 || isNumber
  const count =
    countsEachReport && step > 0
      ? counts.reduce((sum, reportCount) => sum + reportCount, 0)
      : times.length
  const numericValues =
    step === 0 ? lastValues.filter((reportedValue) => typeof reportedValue === 'number') : undefined
  const lowest = (numericValues ?? min).reduce((a, b) => Math.min(a, b), Infinity)
  const highest = (numericValues ?? max).reduce((a, b) => Math.max(a, b), -Infinity)
  const sum = numericValues
    ? numericValues.reduce((a, b) => a + b, 0)
    : avg.reduce((total, average, index) => total + average * counts[index]!, 0)
  return (
    <Typography.Text type="secondary">
      {count.toLocaleString('zh-CN')}{' '}
      {countsEachReport ? '次上报' : `个值，每 ${stepLabels[step as 60]}取最后一个`}
      {isNumber &&
        count > 0 &&
        `，最低 ${formatReported(lowest)}，最高 ${formatReported(highest)}，平均 ${formatMeanValue(sum / count)}`}
    </Typography.Text>
  )
}
