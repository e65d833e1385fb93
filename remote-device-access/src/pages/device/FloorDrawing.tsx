import type { MouseEvent } from 'react'
import type { Space } from '@iot/shared/contract/project/project.schema'
import { toFileUrl } from '@iot/shared/contract/platform/siteAddress'
import * as styles from './position.module.css'

/** A position in fractions of the width and the height of a plan. */
export type PlanPoint = { x: number; y: number }
export const toFraction = (value: number) => Math.max(0, Math.min(1, Math.round(value * 1e4) / 1e4))

type FloorDrawingProps = {
  floor: Space
  /** Placed devices, shown for orientation. */
  otherDevices: { id: string; name: string; x: number; y: number }[]
  position: PlanPoint | null
  onPick: (position: PlanPoint) => void
}

/** The drawing of a floor, or its empty area; a click picks a position on it. */
export function FloorDrawing({ floor, otherDevices, position, onPick }: FloorDrawingProps) {
  const width = floor.planWidth ?? 1200
  const height = floor.planHeight ?? 720
  const pickByClick = ({ currentTarget: plan, clientX, clientY }: MouseEvent<SVGSVGElement>) => {
    const point = new DOMPoint(clientX, clientY).matrixTransform(plan.getScreenCTM()!.inverse())
    onPick({ x: toFraction(point.x / width), y: toFraction(point.y / height) })
  }

  return (
    <svg
      className={styles.plan}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`${floor.name}平面图，${position ? '已' : '未'}摆放`}
      onClick={pickByClick}
    >
      {floor.plan && <image href={toFileUrl(floor.plan)} width={width} height={height} />}
      {otherDevices.map((otherDevice) => (
        <circle
          key={otherDevice.id}
          className={styles.other}
          cx={otherDevice.x * width}
          cy={otherDevice.y * height}
          r={width / 150}
        >
          <title>{otherDevice.name}</title>
        </circle>
      ))}
      {position && (
        <circle
          className={styles.own}
          cx={position.x * width}
          cy={position.y * height}
          r={width / 80}
          strokeWidth={width / 300}
        />
      )}
    </svg>
  )
}
