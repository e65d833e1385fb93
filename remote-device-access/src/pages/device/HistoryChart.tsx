import { theme } from 'antd'
import { useEffect, useRef } from 'react'
import uPlot, { type AlignedData, type Axis, type Series } from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { DeviceHistory } from '@iot/shared/contract/deviceHistory'
import type { DataType } from '@iot/shared/contract/thingModel'
import { meanWords } from '@iot/shared/contract/thingText'
import { serverNow } from '@iot/shared/client/serverClock'
import { zoned } from '@iot/shared/client/zone'
import { pageTimeZone } from '@iot/shared/session/timeZone'
import { aloneIn, broken } from './silences'
import { valueText } from './valueText'

type HistoryChartProps = {
  name: string
  dataType: DataType
  history: DeviceHistory
  /** The range is given in ms. */
  from: number
  to: number
}
const height = 320
const day = 86_400

/**
 * Draws a number as a line over the band between minimum and maximum, and a state as steps. Dragging zooms into a
 * range.
 */
export default function HistoryChart({ name, history, from, to, ...rest }: HistoryChartProps) {
  const { token } = theme.useToken()
  // The model is read again with every reported value but rarely changes, so it is compared by its text.
  const shape = JSON.stringify(rest.dataType)
  const frame = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = frame.current!
    const dataType = JSON.parse(shape) as DataType
    const isState = dataType.type === 'bool' || dataType.type === 'enum'
    const words = (value: number | null) =>
      value === null || value === undefined ? '—' : valueText(dataType, value)
    const ink = { stroke: token.colorTextSecondary, font: `12px ${token.fontFamily}` }
    const grid = { stroke: token.colorBorderSecondary, width: 1 }
    const times: Axis = {
      ...ink,
      grid,
      ticks: grid,
      space: 80,
      values: (_, splits, _axis, _space, step) =>
        splits.map((at) =>
          zoned(at * 1000).format(
            step >= day ? 'MM-DD' : to - from > day * 1000 ? 'MM-DD HH:mm' : 'HH:mm',
          ),
        ),
    }
    const values: Axis = {
      ...ink,
      grid,
      ticks: grid,
      size: isState ? 80 : 64,
      ...(isState && {
        splits: () => Object.keys((dataType as { specs: object }).specs).map(Number),
      }),
      values: (_, splits) =>
        splits.map((at) => (isState ? words(at) : String(Number(at.toPrecision(12))))),
    }
    const line = (label: string, more: Partial<Series> = {}): Series => ({
      label,
      stroke: token.colorPrimary,
      width: 1.5,
      value: (_, value: number | null) => words(value),
      points: { filter: (chart, at, show) => (show ? null : aloneIn(chart.data[at]!)) },
      ...more,
    })
    const edge = { stroke: 'transparent', width: 0, points: { show: false } }
    const isBand = history.avg.length > 0
    const chart = new uPlot(
      {
        width: element.clientWidth,
        height,
        tzDate: (at) => uPlot.tzDate(new Date(at * 1000), pageTimeZone()),
        scales: {
          x: {
            time: true,
            range: (_, least, most) => (least === most ? [from / 1000, to / 1000] : [least, most]),
          },
          ...(isState && { y: { range: stateRange(dataType) } }),
        },
        axes: [times, values],
        series: [
          {
            label: '时间',
            value: (_, at: number | null) =>
              at === null ? '—' : zoned(at * 1000).format('YYYY-MM-DD HH:mm:ss'),
          },
          line(
            isBand ? '平均' : name,
            isState
              ? { paths: uPlot.paths.stepped!({ align: 1 }) }
              : isBand
                ? { value: (_, mean) => (mean === null ? '—' : meanWords(dataType, mean)) }
                : {},
          ),
          ...(isBand ? [line('最高', edge), line('最低', edge)] : []),
        ],
        bands: isBand ? [{ series: [2, 3], fill: token.colorPrimaryBg }] : [],
      },
      dataOf(history, isState, from, to),
      element,
    )
    chart.setScale('x', { min: from / 1000, max: to / 1000 })
    const resized = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
    resized.observe(element)
    return () => {
      resized.disconnect()
      chart.destroy()
    }
  }, [name, shape, history, from, to, token])

  return <div ref={frame} role="img" aria-label={`${name}的历史曲线`} />
}

const stateRange = (dataType: DataType): [number, number] => {
  const codes = Object.keys((dataType as { specs: object }).specs).map(Number)
  return [Math.min(...codes) - 0.2, Math.max(...codes) + 0.2]
}

/** Converts times to seconds. A state holds until it changes, so it is drawn from the start to the end of the range. */
function dataOf(history: DeviceHistory, isState: boolean, from: number, to: number): AlignedData {
  const times = history.times.map((at) => at / 1000)
  if (history.avg.length > 0)
    return broken([times, history.avg, history.max, history.min]) as AlignedData
  const values = history.last.map((value) => (typeof value === 'number' ? value : null))
  if (!isState) return broken([times, values]) as AlignedData
  const before = typeof history.before === 'number' ? history.before : null
  const until = Math.min(to, serverNow()) / 1000
  return [
    [from / 1000, ...times.map((at) => Math.max(at, from / 1000)), until],
    [before, ...values, values.at(-1) ?? before],
  ]
}
