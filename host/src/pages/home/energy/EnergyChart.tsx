import theme from 'antd/es/theme'
import dayjs from 'dayjs'
import { useEffect, useRef } from 'react'
import uPlot, { type Axis } from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { EnergyDay } from '@iot/shared/contract/control/energy.schema'
import { formatFigure } from './formatEnergy'

const chartHeightPx = 220

type EnergyChartProps = { days: EnergyDay[]; from: string; to: string }

/** Shows one bar per day; the value says whether it was measured or estimated. */
export default function EnergyChart({ days, from, to }: EnergyChartProps) {
  const { token } = theme.useToken()
  const frameRef = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = frameRef.current!
    const dayByDate = new Map(days.map((day) => [day.day, day]))
    const dayCount = dayjs(to).diff(from, 'day') + 1
    const dates = Array.from({ length: dayCount }, (_, n) => dayjs(from).add(n, 'day'))
    const values = dates.map((date) => {
      const wattHours = dayByDate.get(date.format('YYYY-MM-DD'))?.wattHours
      return wattHours === undefined || wattHours === null ? null : wattHours / 1000
    })
    const axisStyle = { stroke: token.colorTextSecondary, font: `12px ${token.fontFamily}` }
    const grid = { stroke: token.colorBorderSecondary, width: 1 }
    const timeAxis: Axis = {
      ...axisStyle,
      grid: { show: false },
      ticks: grid,
      space: 56,
      incrs: [1, 2, 7, 14, 30, 90],
      values: (_, splits) => splits.map((index) => dates[index]?.format('MM-DD') ?? ''),
    }
    const chart = new uPlot(
      {
        width: element.clientWidth,
        height: chartHeightPx,
        scales: {
          x: { time: false, range: [-0.6, dayCount - 0.4] },
          y: { range: (_, __, most) => [0, (most || 1) * 1.1] },
        },
        axes: [
          timeAxis,
          {
            ...axisStyle,
            grid,
            ticks: grid,
            size: 76,
            values: (_, splits) =>
              splits.at(-1)! < 1
                ? splits.map((value) => `${Math.round(value * 1000)} Wh`)
                : splits.map((value) => `${value} kWh`),
          },
        ],
        series: [
          {
            label: '日期',
            value: (_, index: number | null) =>
              index === null ? '—' : (dates[index]?.format('YYYY-MM-DD') ?? ''),
          },
          {
            label: '用电',
            stroke: token.colorPrimary,
            fill: token.colorPrimary,
            paths: uPlot.paths.bars!({ size: [0.6, 48] }),
            points: { show: false },
            value: (_, value: number | null, __, index) => {
              // The index is null while no bar is hovered.
              if (index === null) return '—'
              const source = dayByDate.get(dates[index]!.format('YYYY-MM-DD'))?.source
              return value === null || !source
                ? '未知'
                : formatFigure({ wattHours: value * 1000, source })
            },
          },
        ],
      },
      [dates.map((_, n) => n), values],
      element,
    )
    const resizeObserver = new ResizeObserver(() =>
      chart.setSize({ width: element.clientWidth, height: chartHeightPx }),
    )
    resizeObserver.observe(element)
    return () => {
      resizeObserver.disconnect()
      chart.destroy()
    }
  }, [days, from, to, token])

  return (
    <div
      ref={frameRef}
      role="img"
      aria-label={`${from} 到 ${to} 每天的用电，共 ${days.filter(({ wattHours }) => wattHours !== null).length} 天有数据`}
    />
  )
}
