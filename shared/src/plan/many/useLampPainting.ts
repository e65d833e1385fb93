import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import theme from 'antd/es/theme'
import { useEffect, useRef, type RefObject } from 'react'
import { deviceMessageAtom } from '../../session/live'
import { inFlightCommandsAtom } from '../../session/outgoing'
import { overrideFinderAtom } from '../../session/overrides'
import { store } from '../../session/store'
import { useScheduledDraw } from './canvas'
import { getLiveDevice } from './liveLamp'
import type { ManyLampsProps } from './manyLamps'
import { encodeMarks } from './lampMarks'
import { createPainter } from './painter'
import type { LampPositions, Viewport } from './viewport'
import { usePaintedLooks } from './usePaintedLooks'

type PaintingOptions = {
  lamps: LampPositions
  indexById: ReadonlyMap<string, number>
  currentIndex: number
  getView: () => Viewport
  /** The button is moved to the lamp with the current index. */
  cursor: RefObject<HTMLButtonElement | null>
}

/** Paints the lamps and repaints them when their marks change. */
export function useLampPainting(
  props: ManyLampsProps,
  { lamps, indexById, currentIndex, getView, cursor }: PaintingOptions,
) {
  const { plan, lights, largest: maxLampUnit } = props
  const { token } = theme.useToken()
  const canvas = useRef<HTMLCanvasElement>(null)
  const { numberOf: lookNumbers, painted: paintedLooks } = usePaintedLooks(lights, props.looks)
  const painter = useRef<ReturnType<typeof createPainter>>(undefined)
  const draw = useMemoizedFn(() => {
    if (!canvas.current || !plan.current) return
    painter.current ??= createPainter(canvas.current)
    const currentView = getView()
    painter.current(
      lamps,
      currentView,
      {
        ground: token.colorBgContainer,
        line: token.colorTextTertiary,
        border: token.colorBorderSecondary,
        error: token.colorError,
        primary: token.colorPrimary,
        text: token.colorText,
      },
      paintedLooks,
    )
    const [x, y] = [
      lamps.x[currentIndex]! * currentView.scale + currentView.left,
      lamps.y[currentIndex]! * currentView.scale + currentView.top,
    ]
    cursor.current?.style.setProperty('transform', `translate(${x}px, ${y}px)`)
  })
  const scheduleDraw = useScheduledDraw(draw)
  useEffect(scheduleDraw, [scheduleDraw, token, currentIndex, maxLampUnit, paintedLooks])
  useLampMarks(props, lamps, indexById, lookNumbers, scheduleDraw)
  return { canvas, scheduleDraw }
}

/** Keeps the marks of the lamps current: a message about devices updates the lamps it names. */
function useLampMarks(
  {
    lights,
    picked: pickedLights,
    highlighted: highlightedId,
    faults,
    only: lightFilter,
  }: ManyLampsProps,
  lamps: LampPositions,
  indexById: ReadonlyMap<string, number>,
  lookNumbers: ReadonlyMap<string, number>,
  scheduleDraw: () => void,
) {
  useEffect(() => {
    const updateMarks = (index: number) => {
      const light = lights[index]!
      const marks = encodeMarks(getLiveDevice(light), {
        isPicked: pickedLights.has(light.id),
        isHighlighted: light.id === highlightedId,
        isFaulty: faults.has(light.id),
        only: lightFilter,
        look: lookNumbers.get(light.productType),
      })
      lamps.marks[index] = marks
    }
    const updateAllMarks = () => indexById.forEach(updateMarks)
    updateAllMarks()
    scheduleDraw()
    const unsubscribeCommands = store.sub(
      inFlightCommandsAtom,
      () => (updateAllMarks(), scheduleDraw()),
    )
    const unsubscribeOverrides = store.sub(
      overrideFinderAtom,
      () => (updateAllMarks(), scheduleDraw()),
    )
    const unsubscribe = store.sub(deviceMessageAtom, () => {
      const updatedStates = store.get(deviceMessageAtom)
      if (updatedStates.length === 0) updateAllMarks()
      for (const { id } of updatedStates) {
        const index = indexById.get(id)
        if (index !== undefined) updateMarks(index)
      }
      scheduleDraw()
    })
    return () => (unsubscribeCommands(), unsubscribeOverrides(), unsubscribe())
  }, [
    lights,
    indexById,
    lamps,
    pickedLights,
    highlightedId,
    faults,
    lightFilter,
    lookNumbers,
    scheduleDraw,
  ])
}
