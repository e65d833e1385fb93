import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import theme from 'antd/es/theme'
import { useEffect, useRef, type RefObject } from 'react'
import { deviceMessageAtom, deviceStateAtom } from '../../session/live'
import { store } from '../../session/store'
import { useScheduledDraw } from '../many/canvas'
import { markBits } from '../many/lampMarks'
import { createPainter } from '../many/painter'
import type { LampPositions, Viewport } from '../many/viewport'
import type { PlacingPlanProps } from './placingPlan'
import { readPlacingView, type PlacedDevice, type PlanPoint } from './planPoint'

/** Average distance in pixels from which the names of all devices are shown. */
const minNameSpacingPx = 110

/** Paints the devices and their names; `setDragOffset` shows the selected devices at another place. */
export function useDotPainting(
  props: PlacingPlanProps,
  lamps: LampPositions,
  plan: RefObject<SVGSVGElement | null>,
  density: { spacing: number; maxUnit: number },
) {
  const { dots, selected: selectedIds, unsaved: unsavedIds, failed: failureById } = props
  const { token } = theme.useToken()
  const dotCanvas = useRef<HTMLCanvasElement>(null)
  const dragOffset = useRef<PlanPoint>(undefined)
  const painter = useRef<ReturnType<typeof createPainter>>(undefined)
  const draw = useMemoizedFn(() => {
    if (!dotCanvas.current || !plan.current) return
    painter.current ??= createPainter(dotCanvas.current)
    updateMarks(lamps, props)
    const lampsToDraw = dragOffset.current ? moveSelected(lamps, props, dragOffset.current) : lamps
    const currentView = readPlacingView(plan.current, density.maxUnit)
    painter.current(lampsToDraw, currentView, {
      ground: token.colorBgContainer,
      line: token.colorTextSecondary,
      border: token.colorBorderSecondary,
      error: token.colorError,
      primary: token.colorPrimary,
      text: token.colorText,
    })
    const showsAllNames = density.spacing * currentView.scale > minNameSpacingPx
    drawNames(
      dotCanvas.current,
      dots,
      ({ id }) => showsAllNames || (selectedIds.has(id) && selectedIds.size <= 12),
      lampsToDraw,
      currentView,
      { ground: token.colorBgContainer, text: token.colorText },
    )
  })
  const scheduleDraw = useScheduledDraw(draw)
  useEffect(scheduleDraw, [scheduleDraw, token, lamps, selectedIds, unsavedIds, failureById])
  useEffect(() => store.sub(deviceMessageAtom, scheduleDraw), [scheduleDraw])
  return {
    dotCanvas,
    scheduleDraw,
    getDragOffset: () => dragOffset.current,
    setDragOffset(offset?: PlanPoint) {
      dragOffset.current = offset
    },
  }
}

type MarkedDots = Pick<PlacingPlanProps, 'dots' | 'selected' | 'unsaved' | 'failed'>

function updateMarks({ marks }: LampPositions, { dots, selected, unsaved, failed }: MarkedDots) {
  dots.forEach(({ id, state }, index) => {
    const currentState = store.get(deviceStateAtom(id))?.state ?? state
    marks[index] =
      (currentState === 'online' ? 0 : markBits.stale) |
      (selected.has(id) ? markBits.picked : 0) |
      (unsaved.has(id) ? markBits.waiting : 0) |
      (failed.has(id) ? markBits.faulty : 0)
  })
}

/** Returns the positions with those of the selected devices moved by an offset in fractions of the plan. */
function moveSelected(
  lamps: LampPositions,
  { dots, selected }: MarkedDots,
  offset: PlanPoint,
): LampPositions {
  const { width, height } = lamps.drawing
  return {
    ...lamps,
    x: lamps.x.map((x, index) => (selected.has(dots[index]!.id) ? x + offset.x * width : x)),
    y: lamps.y.map((y, index) => (selected.has(dots[index]!.id) ? y + offset.y * height : y)),
  }
}

/** Writes names below their devices, unless the place is hidden. */
function drawNames(
  canvas: HTMLCanvasElement,
  dots: PlacedDevice[],
  hasVisibleName: (dot: PlacedDevice) => boolean,
  { x, y }: LampPositions,
  view: Viewport,
  colours: { ground: string; text: string },
) {
  const context = canvas.getContext('2d')!
  const ratio = Math.min(2, devicePixelRatio)
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.font = '12px system-ui, sans-serif'
  context.textAlign = 'center'
  context.textBaseline = 'top'
  context.lineWidth = 3
  context.lineJoin = 'round'
  context.strokeStyle = colours.ground
  context.fillStyle = colours.text
  dots.forEach((dot, index) => {
    if (!hasVisibleName(dot)) return
    const namePosition = {
      x: x[index]! * view.scale + view.left,
      y: y[index]! * view.scale + view.top + 18,
    }
    if (
      namePosition.x < 0 ||
      namePosition.y < 0 ||
      namePosition.x > view.width ||
      namePosition.y > view.height
    )
      return
    context.strokeText(dot.name, namePosition.x, namePosition.y)
    context.fillText(dot.name, namePosition.x, namePosition.y)
  })
}
