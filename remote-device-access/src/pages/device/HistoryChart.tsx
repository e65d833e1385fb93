import { daySeconds } from '@iot/shared/contract/duration'
import theme from 'antd/es/theme'
import { useEffect, useRef } from 'react'
import uPlot, { type AlignedData, type Axis, type Series } from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { DeviceHistory } from '@iot/shared/contract/device/deviceHistory.schema'
import type { DataType } from '@iot/shared/contract/thingModel/thingModel.schema'
import { formatMeanWithUnit } from '@iot/shared/contract/thingModel/thingText'
import { serverNow } from '@iot/shared/client/serverClock'
import { formatPageTime } from '@iot/shared/client/zone'
import { pageTimeZone } from '@iot/shared/session/timeZone'
import { findIsolatedPoints, insertGaps } from './reportGaps'
import { formatDeviceValue } from './formatDeviceValue'

type HistoryChartProps = {
  name: string
  dataType: DataType
  history: DeviceHistory
  /** The range is given in ms. */
  from: number
  to: number
}
const chartHeight = 320

/**
 * Draws a number as a line over the band between minimum and maximum, and a state as steps. Dragging zooms into a
 * range.
 */
export default function HistoryChart({ name, history, from, to, ...rest }: HistoryChartProps) {
  const { token } = theme.useToken()
  // The model is read again with every reported value but rarely changes, so it is compared by its text.
  const dataTypeJson = JSON.stringify(rest.dataType)
  const frameRef = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = frameRef.current!
    const dataType = JSON.parse(dataTypeJson) as DataType
    const isState = dataType.type === 'bool' || dataType.type === 'enum'
    const formatPoint = (value: number | null) =>
      value === null || value === undefined ? '—' : formatDeviceValue(dataType, value)
    const axisStyle = { stroke: token.colorTextSecondary, font: `12px ${token.fontFamily}` }
    const gridStyle = { stroke: token.colorBorderSecondary, width: 1 }
    const timeAxis: Axis = {
      ...axisStyle,
      grid: gridStyle,
      ticks: gridStyle,
      space: 80,
      values: (_, splits, _axis, _space, step) =>
        splits.map((splitSeconds) =>
          formatPageTime(
            splitSeconds * 1000,
            step >= daySeconds ? 'MM-DD' : to - from > daySeconds * 1000 ? 'MM-DD HH:mm' : 'HH:mm',
          ),
        ),
    }
    const valueAxis: Axis = {
      ...axisStyle,
      grid: gridStyle,
      ticks: gridStyle,
      size: isState ? 80 : 64,
      ...(isState && {
        splits: () => Object.keys((dataType as { specs: object }).specs).map(Number),
      }),
      values: (_, splits) =>
        splits.map((splitValue) =>
          isState ? formatPoint(splitValue) : String(Number(splitValue.toPrecision(12))),
        ),
    }
    const createSeries = (label: string, overrides: Partial<Series> = {}): Series => ({
      label,
      stroke: token.colorPrimary,
      width: 1.5,
      value: (_, value: number | null) => formatPoint(value),
      points: {
        filter: (chart, seriesIndex, hasPoints) =>
          hasPoints ? null : findIsolatedPoints(chart.data[seriesIndex]!),
      },
      ...overrides,
    })
    const bandEdgeStyle = { stroke: 'transparent', width: 0, points: { show: false } }
    const isBand = history.avg.length > 0
    const chart = new uPlot(
      {
        width: element.clientWidth,
        height: chartHeight,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), pageTimeZone()),
        scales: {
          x: {
            time: true,
            range: (_, lowest, highest) =>
              lowest === highest ? [from / 1000, to / 1000] : [lowest, highest],
          },
          ...(isState && { y: { range: getStateRange(dataType) } }),
        },
        axes: [timeAxis, valueAxis],
        series: [
          {
            label: '时间',
            value: (_, seconds: number | null) =>
              seconds === null ? '—' : formatPageTime(seconds * 1000, 'YYYY-MM-DD HH:mm:ss'),
          },
          createSeries(
            isBand ? '平均' : name,
            isState
              ? { paths: uPlot.paths.stepped!({ align: 1 }) }
              : isBand
                ? { value: (_, mean) => (mean === null ? '—' : formatMeanWithUnit(dataType, mean)) }
                : {},
          ),
          ...(isBand
            ? [createSeries('最高', bandEdgeStyle), createSeries('最低', bandEdgeStyle)]
            : []),
        ],
        bands: isBand ? [{ series: [2, 3], fill: token.colorPrimaryBg }] : [],
      },
      toChartData(history, isState, from, to),
      element,
    )
    chart.setScale('x', { min: from / 1000, max: to / 1000 })
    const resizeObserver = new ResizeObserver(() =>
      chart.setSize({ width: element.clientWidth, height: chartHeight }),
    )
    resizeObserver.observe(element)
    return () => {
      resizeObserver.disconnect()
      chart.destroy()
    }
  }, [name, dataTypeJson, history, from, to, token])

  return <div ref={frameRef} role="img" aria-label={`${name}的历史曲线`} />
}

const getStateRange = (dataType: DataType): [number, number] => {
  const stateCodes = Object.keys((dataType as { specs: object }).specs).map(Number)
  return [Math.min(...stateCodes) - 0.2, Math.max(...stateCodes) + 0.2]
}

/** Converts times to seconds. A state holds until it changes, so it is drawn from the start to the end of the range. */
function toChartData(
  history: DeviceHistory,
  isState: boolean,
  from: number,
  to: number,
): AlignedData {
  const timesSeconds = history.times.map((timeMs) => timeMs / 1000)
  if (history.avg.length > 0)
    return insertGaps([timesSeconds, history.avg, history.max, history.min]) as AlignedData
  const numericValues = history.last.map((value) => (typeof value === 'number' ? value : null))
  if (!isState) return insertGaps([timesSeconds, numericValues]) as AlignedData
  const valueBefore = typeof history.before === 'number' ? history.before : null
  const endSeconds = Math.min(to, serverNow()) / 1000
  return [
    [from / 1000, ...timesSeconds.map((seconds) => Math.max(seconds, from / 1000)), endSeconds],
    [valueBefore, ...numericValues, numericValues.at(-1) ?? valueBefore],
  ]
}
