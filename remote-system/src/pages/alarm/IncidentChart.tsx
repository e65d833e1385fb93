import useRequest from 'ahooks/es/useRequest'
import Flex from 'antd/es/flex'
import Typography from 'antd/es/typography'
import { call } from '@iot/shared/client/call'
import { incidentApi } from '@iot/shared/contract/alarm/incident.api'
import type { IncidentValues } from '@iot/shared/contract/alarm/incident.schema'
import { formatValue } from '@iot/shared/ui/field'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { ChartPlaceholder } from './ChartPlaceholder'

const chartHeightPx = 140
/** Coordinates of the drawing, which is stretched to its frame. */
const drawing = { width: 1000, height: 100 }
/** Space above the highest and below the lowest value, as a part of their range. */
const marginRatio = 0.1

type Scale = { toX: (time: string) => number; toY: (value: number) => number }

function createScale({ from, to, points, limit, recoverValue }: IncidentValues): Scale {
  const values = [...points.map(({ value }) => value), limit, recoverValue ?? limit]
  const [min, max] = [Math.min(...values), Math.max(...values)]
  const range = (max - min || 1) * (1 + 2 * marginRatio)
  const lowest = (max + min - range) / 2
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]
  return {
    toX: (time) =>
      (Math.max(0, Date.parse(time) - fromMs) / Math.max(1, toMs - fromMs)) * drawing.width,
    toY: (value) => drawing.height * (1 - (value - lowest) / range),
  }
}

/** A value holds until the next one is reported, so the line consists of steps. */
function buildStepPath({ points }: IncidentValues, { toX, toY }: Scale) {
  const steps = points.map(({ time, value }, n) => {
    const x = toX(time)
    return n === 0 ? `M${x} ${toY(value)}` : `H${x}V${toY(value)}`
  })
  return `${steps.join('')}H${drawing.width}`
}

function LimitLine({ y, isDashed }: { y: number; isDashed?: boolean }) {
  return (
    <line
      x1={0}
      x2={drawing.width}
      y1={y}
      y2={y}
      vectorEffect="non-scaling-stroke"
      stroke={isDashed ? 'var(--ant-color-text-secondary)' : 'var(--ant-color-error)'}
      strokeDasharray={isDashed ? '4 4' : undefined}
    />
  )
}

function renderChart(values: IncidentValues) {
  const { propertyName, unit, limit, recoverValue, from, to, points, isPartial } = values
  const scale = createScale(values)
  const withUnit = (value: number) => [value, unit].filter((part) => part !== '').join(' ')
  const numbers = points.map(({ value }) => value)
  const summary = `${propertyName}：最低 ${withUnit(Math.min(...numbers))}，最高 ${withUnit(Math.max(...numbers))}`
  return (
    <Flex vertical gap={4}>
      <Flex gap={16} wrap>
        <span>{summary}</span>
        <span style={{ color: 'var(--ant-color-error)' }}>— 界限 {withUnit(limit)}</span>
        {recoverValue !== null && (
          <Typography.Text type="secondary">┄ 恢复值 {withUnit(recoverValue)}</Typography.Text>
        )}
        {isPartial && <Typography.Text type="secondary">值太多，只画了前面的</Typography.Text>}
      </Flex>
      <svg
        role="img"
        aria-label={`${summary}，界限 ${withUnit(limit)}`}
        viewBox={`0 0 ${drawing.width} ${drawing.height}`}
        preserveAspectRatio="none"
        style={{
          width: '100%',
          height: chartHeightPx,
          border: '1px solid var(--ant-color-border-secondary)',
        }}
      >
        <LimitLine y={scale.toY(limit)} />
        {recoverValue !== null && <LimitLine y={scale.toY(recoverValue)} isDashed />}
        <path
          d={buildStepPath(values, scale)}
          fill="none"
          stroke="var(--ant-color-primary)"
          strokeWidth={2}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <Flex justify="space-between">
        <Typography.Text type="secondary">{formatValue(from)}</Typography.Text>
        <Typography.Text type="secondary">{formatValue(to)}</Typography.Text>
      </Flex>
    </Flex>
  )
}

/** Draws the value around an incident with the limit of its rule. */
export default function IncidentChart({ id, version }: { id: string; version: number }) {
  const { data, error, refresh } = useRequest(
    () => call(incidentApi.values, { id }, { inline: true }),
    { refreshDeps: [id, version] },
  )
  if (error) return <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />
  if (data === undefined) return <ChartPlaceholder />
  // The rule was changed after the page had been read.
  if (data === null) return null
  return data.points.length > 0 ? (
    renderChart(data)
  ) : (
    <Typography.Text type="secondary">{data.propertyName}在这段时间没有历史值</Typography.Text>
  )
}
