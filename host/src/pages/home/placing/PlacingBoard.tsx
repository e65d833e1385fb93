import useKeyPress from 'ahooks/es/useKeyPress'
import { useMemo, useRef, useState } from 'react'
import type { FloorDevices } from '@iot/shared/contract/device/managedDevice.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import type { PlanHandle } from '@iot/shared/plan/placing/placingPlan'
import { useRefusalReason } from '@iot/shared/ui/right'
import { visuallyHidden } from '@iot/shared/ui/unseen'
import { undo, redo, mergeFreshPositions } from './arrangement'
import { PlacingConflicts } from './PlacingConflicts'
import { PlacingHead } from './PlacingHead'
import { PlacingNotices } from './PlacingNotices'
import { PlanPanel } from './PlanPanel'
import { DeviceTray } from './DeviceTray'
import { getPositions, useArrangementDraft } from './useArrangementDraft'
import { useDeviceMoves } from './useDeviceMoves'
import { useDeviceSelection } from './useDeviceSelection'
import { useRoomFinder } from './useRoomFinder'
import { useSavePositions } from './useSavePositions'
import { useLeavePlacing } from './useLeavePlacing'
import * as styles from './placing.module.css'

type PlacingBoardProps = { data: FloorDevices; failure?: string; onRefresh: () => void }

const listNames = ({ devices }: FloorDevices) =>
  new Map(devices.map(({ id, name }) => [id, name] as const))

/**
 * Shows a floor plan and beside it the devices that are not on it yet. Unsaved positions are stored in this browser.
 */
export function PlacingBoard({ data, failure, onRefresh }: PlacingBoardProps) {
  const { floor, projectId } = data
  const refusal = useRefusalReason()
  const readOnly = refusal(managedDeviceApi.place)
  const isReadOnly = !!readOnly
  const planRef = useRef<PlanHandle>(null)

  const draft = useArrangementDraft(data, isReadOnly)
  const { arrangement, setArrangement, changes, isDirty, unsavedIds } = draft
  const [lastReadData, setLastReadData] = useState(data)
  // Names are kept after a device has left the floor, so that a failed save can still name a device that a colleague
  // deleted.
  const [names, setNames] = useState(() => listNames(data))

  const byId = useMemo(() => new Map(data.devices.map((device) => [device.id, device])), [data])
  const selection = useDeviceSelection(byId, arrangement)
  const { selected, selectOnly, clearSelection } = selection
  const leaveBoard = useLeavePlacing({
    floorId: floor.id,
    projectId,
    isDirty,
    onLeave: draft.dropStoredDraft,
  })

  const { findNewRoom, getNewRoomName } = useRoomFinder(data, byId, draft)
  const roomChanges = changes.filter(({ id, to }) => to && findNewRoom(id, to))
  const moves = useDeviceMoves({
    floor,
    isReadOnly,
    planRef,
    setArrangement,
    selection,
    getDeviceName: (id) => byId.get(id)?.name ?? '',
    getNewRoomName,
  })
  const { changePositions, dropDevices } = moves

  useShortcut(['ctrl.z', 'meta.z'], () => setArrangement(undo))
  useShortcut(['ctrl.shift.z', 'meta.shift.z'], () => setArrangement(redo))
  useShortcut(['esc'], () => (selected.size > 0 ? clearSelection() : leaveBoard()))

  const saving = useSavePositions({
    floorId: floor.id,
    all: arrangement,
    setAll: setArrangement,
    findNewRoom,
    getSpaceId: (id) => byId.get(id)?.spaceId,
    getDeviceName: (id) => names.get(id) ?? '',
    onSaved() {
      draft.hideRestoredNotice()
      onRefresh()
    },
  })
  const { failed } = saving
  if (lastReadData !== data) {
    setLastReadData(data)
    setNames((previous) => new Map([...previous, ...listNames(data)]))
    setArrangement(mergeFreshPositions(arrangement, getPositions(data), failed))
  }

  return (
    <div className={styles.screen}>
      <PlacingHead
        place={data.place}
        draft={draft}
        saving={saving}
        roomChangeCount={roomChanges.length}
        onLeave={leaveBoard}
      />
      <PlacingNotices
        {...{ data, failure, readOnly, isDirty, saving, onRefresh }}
        restored={draft.restoredTime}
        onSelect={selectOnly}
        onDiscard={draft.discardChanges}
      />
      <div className={styles.columns}>
        <PlanPanel
          planRef={planRef}
          data={data}
          isReadOnly={isReadOnly}
          draft={draft}
          selection={selection}
          moves={moves}
          failed={failed}
        />
        <DeviceTray
          data={data}
          at={arrangement.at}
          selected={selected}
          unsaved={unsavedIds}
          failed={failed}
          isReadOnly={isReadOnly}
          onPlace={changePositions}
          onSelect={selectOnly}
          onDrop={(ids, client) => {
            const dropPosition = planRef.current?.pointAt(client)
            if (dropPosition) dropDevices(ids, dropPosition)
          }}
          onEnter={(ids) => {
            const [first] = ids
            const devicePosition = arrangement.at.get(first!)
            if (devicePosition) {
              planRef.current?.show(devicePosition)
              planRef.current?.focus()
            } else if (!isReadOnly) dropDevices(ids, planRef.current!.middle())
          }}
        />
      </div>
      <div role="status" style={visuallyHidden}>
        {moves.announcement}
      </div>
      {saving.clashes.length > 0 && (
        <PlacingConflicts
          clashes={saving.clashes}
          onResolve={saving.resolve}
          onClose={saving.closeClashes}
        />
      )}
    </div>
  )
}

function useShortcut(keys: string[], runShortcut: () => void) {
  const isInDialogOrInput = (event: Event) =>
    (event.target as Element).closest('[role=dialog], input, textarea') !== null
  useKeyPress(
    keys,
    (event) => {
      if (isInDialogOrInput(event)) return
      event.preventDefault()
      runShortcut()
    },
    { exactMatch: true },
  )
}
