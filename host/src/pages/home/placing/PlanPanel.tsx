import { useMemo, useState, type RefObject } from 'react'
import type { FloorDevices } from '@iot/shared/contract/device/managedDevice.schema'
import PlacingPlan, { type PlanHandle } from '@iot/shared/plan/placing/placingPlan'
import { shiftDevices } from './arrangement'
import { describePosition } from './describePosition'
import { PlacingToolbar } from './PlacingToolbar'
import type { ArrangementDraft } from './useArrangementDraft'
import type { DeviceMoves } from './useDeviceMoves'
import type { DeviceSelection } from './useDeviceSelection'
import * as styles from './placing.module.css'

type PlanPanelProps = {
  planRef: RefObject<PlanHandle | null>
  data: FloorDevices
  isReadOnly: boolean
  draft: ArrangementDraft
  selection: DeviceSelection
  moves: DeviceMoves
  failed: ReadonlyMap<string, string>
}

/** Shows the plan with its devices, and above it the tools for the selected ones. */
export function PlanPanel({
  planRef,
  data,
  isReadOnly,
  draft,
  selection,
  moves,
  failed,
}: PlanPanelProps) {
  const { arrangement } = draft
  const { selected, selectedDevices, points } = selection
  const [isPicking, setPicking] = useState(false)
  const dots = useMemo(
    () =>
      data.devices.flatMap(({ id, name, state }) => {
        const position = arrangement.at.get(id)
        return position ? [{ id, name, state, at: position }] : []
      }),
    [data, arrangement],
  )

  return (
    <section className={styles.panel} aria-label="平面图">
      <PlacingToolbar
        data={data}
        chosen={selectedDevices}
        points={points}
        isPicking={isPicking}
        onPicking={setPicking}
        onArrange={moves.changePositions}
        onTakeOff={moves.removeFromPlan}
      >
        <span className={`${styles.hint} ${styles.line}`}>
          {describeSelection(selection, isReadOnly)}
        </span>
      </PlacingToolbar>
      <PlacingPlan
        ref={planRef}
        floor={data.floor}
        dots={dots}
        selected={selected}
        unsaved={draft.unsavedIds}
        failed={failed}
        isPicking={isPicking}
        isAiming={selection.unplacedDevices.length > 0 && !isReadOnly}
        isReadOnly={isReadOnly}
        onSelect={selection.select}
        onDrag={(by) => moves.changePositions(shiftDevices(points, by))}
        onPress={moves.onPress}
        onKeyDown={moves.onKeyDown}
      />
    </section>
  )
}

/** Returns the hint for what the operator can do with the selected devices. */
function describeSelection(
  { selectedDevices, unplacedDevices, points }: DeviceSelection,
  isReadOnly: boolean,
) {
  const unplacedCount = unplacedDevices.length
  const [firstPoint] = points
  if (unplacedCount > 0 && isReadOnly) return `已选 ${unplacedCount} 台`
  if (unplacedCount > 0) return `已选 ${unplacedCount} 台：点平面图放到那里，或按回车放到中间`
  if (!firstPoint) return '拖动、方向键移动；Shift 多选'
  return points.length === 1
    ? `${selectedDevices[0]?.name}：${describePosition(firstPoint.at)}`
    : `已选 ${points.length} 台`
}
