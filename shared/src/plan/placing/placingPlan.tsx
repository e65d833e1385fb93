import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import Space from 'antd/es/space'
import { useEffect, type KeyboardEvent, type ReactNode, type Ref } from 'react'
import { useLasso } from '../lasso'
import { toCanvasPoint, usePositions } from '../many/canvas'
import { findLampAt } from '../many/viewport'
import { PlanTip } from '../many/planTip'
import { getPlanSize, measureDensity } from '../planSize'
import { useZoom } from '../useZoom'
import { renderZoomButtons } from '../zoomButtons'
import {
  isOnDrawing,
  readPlacingView,
  toPlanFraction,
  type PlacedDevice,
  type PlanPoint,
} from './planPoint'
import { useDotPainting } from './useDotPainting'
import { useDotPresses, type PlanPointerEvent } from './useDotPresses'
import { usePlanHandle, type PlanHandle } from './usePlanHandle'
import * as styles from './placingPlan.module.css'
import { toFileUrl } from '../../contract/platform/siteAddress'

export type { PlacedDevice, PlanHandle }

export type PlacingPlanProps = {
  ref: Ref<PlanHandle>
  floor: { name: string; plan: string | null; planWidth: number | null; planHeight: number | null }
  dots: PlacedDevice[]
  selected: ReadonlySet<string>
  unsaved: ReadonlySet<string>
  failed: ReadonlyMap<string, string>
  /** A drag draws a lasso around devices instead of moving the plan. */
  isPicking: boolean
  /** A press beside devices places a device there. */
  isAiming: boolean
  isReadOnly: boolean
  onSelect: (ids: string[], isAdding: boolean) => void
  /** Moves the selected devices by an offset in fractions of the plan. */
  onDrag: (offset: PlanPoint) => void
  onPress: (point: PlanPoint) => void
  onKeyDown: (event: KeyboardEvent) => void
  children?: ReactNode
}

const getPosition = ({ at }: PlacedDevice) => at

/** Floor plan on which devices are placed; all of them are painted on one canvas. */
export default function PlacingPlan(props: PlacingPlanProps) {
  const { ref, floor, dots, selected: selectedIds, failed: failureById, isReadOnly } = props
  const size = getPlanSize(floor)
  const { width, height } = size
  const density = measureDensity(size, dots.length)
  const { maxUnit } = density
  const lamps = usePositions(dots, getPosition, size)

  /** Returns the device under the pointer, if any. */
  const findDot = (event: PlanPointerEvent) => {
    const svg = event.currentTarget as SVGSVGElement
    return findLampAt(lamps, readPlacingView(svg, maxUnit), toCanvasPoint(svg, event))
  }
  const isDrawing = (event: PlanPointerEvent) =>
    (props.isPicking || event.shiftKey) && findDot(event) === undefined
  const {
    canvas,
    plan,
    lay: addOverlay,
    zoomBy,
    reset,
    moveTo,
    flyTo,
  } = useZoom(
    width,
    height,
    Math.max(maxUnit, 0.01),
    (event) =>
      !('touches' in event && event.touches.length > 1) &&
      (isDrawing(event) || (!isReadOnly && findDot(event) !== undefined)),
  )
  const lasso = useLasso(size, isDrawing, (isInside) => {
    const dotsInside = dots.filter(({ at }) => isInside(at))
    if (dotsInside.length > 0)
      props.onSelect(
        dotsInside.map(({ id }) => id),
        true,
      )
  })
  const painting = useDotPainting(props, lamps, plan, density)
  const { dotCanvas, scheduleDraw } = painting
  const presses = useDotPresses(props, { lamps, maxUnit, findDot, lasso, painting })
  const { hovered, hideHovered } = presses
  const isOn = useMemoizedFn((event: MouseEvent | TouchEvent) => findDot(event) !== undefined)
  useEffect(
    () =>
      addOverlay({
        onMove() {
          hideHovered()
          scheduleDraw()
        },
        isOn,
      }),
    [addOverlay, hideHovered, scheduleDraw, isOn],
  )
  usePlanHandle(ref, plan, { ...size, maxUnit, flyTo, moveTo })

  const hoveredDot = hovered && dots[hovered.dot]
  return (
    <div className={styles.frame}>
      <svg
        ref={canvas}
        className={`${styles.canvas} ${props.isPicking || props.isAiming ? styles.aiming : ''}`}
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        tabIndex={0}
        aria-label={`${floor.name}平面图，图上 ${dots.length} 台，已选 ${selectedIds.size} 台`}
        aria-description="方向键移动选中的设备，按住 Shift 移得更远，Delete 移回未摆放"
        {...presses.handlers}
        onClick={(event) => {
          if (presses.wasMoved() || findDot(event) !== undefined) return
          const point = toPlanFraction(event.currentTarget, event, size)
          if (isOnDrawing(point)) props.onPress(point)
        }}
        onKeyDown={props.onKeyDown}
      >
        <g>
          {floor.plan ? (
            <image href={toFileUrl(floor.plan)} width={width} height={height} />
          ) : (
            <rect className={styles.paper} width={width} height={height} rx={8} />
          )}
          {lasso.line && <g className={styles.lasso}>{lasso.line}</g>}
        </g>
      </svg>
      <canvas ref={dotCanvas} className={styles.dots} aria-hidden />
      {hoveredDot && (
        <PlanTip x={hovered.x} y={hovered.y}>
          {[hoveredDot.name, failureById.get(hoveredDot.id)].filter(Boolean).join('，')}
        </PlanTip>
      )}
      {props.children}
      <Space.Compact className={styles.zoom}>{renderZoomButtons({ zoomBy, reset })}</Space.Compact>
    </div>
  )
}
