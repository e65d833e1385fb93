import { useRef, useMemo, useState, type KeyboardEvent, type RefObject } from 'react'
import type { MapDevice } from '../../contract/device/device.schema'
import type { PointAtLamp } from '../floorPlan/useLampTip'
import type { LightFilter } from '../lights'
import { findEnds, findItemForKey } from '../neighbours'
import type { TypeLooks } from '../typeLooks'
import type { PlanOverlay } from '../useZoom'
import { usePositions } from './canvas'
import { KeyboardCursor } from './keyboardCursor'
import { getLiveDevice } from './liveLamp'
import { useLampFinder } from './useLampFinder'
import { useLampPainting } from './useLampPainting'
import { useLampPointer } from './useLampPointer'
import * as styles from './manyLamps.module.css'

export type ManyLampsProps = {
  plan: RefObject<SVGSVGElement | null>
  lay: (over: PlanOverlay) => () => void
  lights: MapDevice[]
  /** Width and height are those of the drawing, in its units. */
  width: number
  height: number
  /** Maximum unit size of a lamp, see `useZoom`. */
  largest: number
  picked: ReadonlyMap<string, string>
  highlighted?: string
  faults: ReadonlyMap<string, string>
  only?: LightFilter
  looks: TypeLooks
  isStopped: boolean
  isPicking: (event: { shiftKey: boolean }) => boolean
  onPress: (light: MapDevice, event: { shiftKey: boolean }) => void
  onOpen: (light: MapDevice) => void
  onPick: (lights: MapDevice[]) => void
  onPoint: PointAtLamp
  flyTo: (x: number, y: number) => void
  moveTo: (x: number, y: number) => void
}

/** A lamp closer to the edge in pixels is moved to the middle when the keyboard reaches it. */
const edgeMarginPx = 8
const getPosition = (light: MapDevice) => light

/**
 * Paints the lamps of a large floor on one canvas over the plan: React renders none of them, and a message repaints the
 * lamps it names. One button represents the lamp that the arrow keys have reached.
 */
export default function ManyLamps(props: ManyLampsProps) {
  const { plan, lights, width, height, largest: maxLampUnit, faults } = props
  const cursor = useRef<HTMLButtonElement>(null)
  const [currentId, setCurrentId] = useState<string>()
  const lamps = usePositions(lights, getPosition, { width, height })
  const indexById = useMemo(() => new Map(lights.map(({ id }, index) => [id, index])), [lights])
  const [firstIndex] = useMemo(() => findEnds(lamps), [lamps])
  const currentIndex = indexById.get(currentId ?? '') ?? firstIndex
  const finder = useLampFinder(plan, lamps, maxLampUnit)
  const { canvas, scheduleDraw } = useLampPainting(props, {
    lamps,
    indexById,
    currentIndex,
    getView: finder.getView,
    cursor,
  })
  useLampPointer(props, { lamps, finder, setCurrentId, scheduleDraw })

  const handleKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'i') return props.onOpen(getLiveDevice(lights[currentIndex]!))
    const nextIndex = findItemForKey(lamps, currentIndex, key)
    if (nextIndex === undefined) return
    event.preventDefault()
    setCurrentId(lights[nextIndex]!.id)
    const {
      scale,
      left: viewLeft,
      top: viewTop,
      width: viewWidth,
      height: viewHeight,
    } = finder.getView()
    const [x, y] = [lamps.x[nextIndex]! * scale + viewLeft, lamps.y[nextIndex]! * scale + viewTop]
    if (
      x < edgeMarginPx ||
      y < edgeMarginPx ||
      x > viewWidth - edgeMarginPx ||
      y > viewHeight - edgeMarginPx
    )
      props.moveTo(lamps.x[nextIndex]!, lamps.y[nextIndex]!)
  }
  const light = lights[currentIndex]
  return (
    <div className={styles.clip}>
      <canvas
        ref={canvas}
        className={`${styles.lamps} ${props.isStopped ? styles.stopped : ''}`}
        aria-hidden
      />
      {light && (
        <KeyboardCursor
          ref={cursor}
          light={light}
          fault={faults.get(light.id)}
          onStep={handleKeyDown}
          onPress={props.onPress}
          onPoint={props.onPoint}
        />
      )}
    </div>
  )
}
