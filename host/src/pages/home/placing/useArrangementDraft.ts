import { useSetAtom } from 'jotai'
import { useEffect, useMemo, useState } from 'react'
import type { FloorDevices } from '@iot/shared/contract/device/managedDevice.schema'
import { paths } from '@iot/shared/screens/paths'
import { removeDraft, saveDraft, readDraft, unsavedFormPathsAtom } from '@iot/shared/session/drafts'
import { createArrangement, listUnsavedMoves, type DeviceMove } from './arrangement'
import { getPlacingDraftKey } from './placingDraft'

export type ArrangementDraft = ReturnType<typeof useArrangementDraft>

export const getPositions = ({ devices }: FloorDevices) =>
  new Map(devices.map(({ id, x, y }) => [id, x === null || y === null ? null : { x, y }]))

/** Returns the arrangement of a floor; unsaved moves are stored in this browser and restored from there. */
export function useArrangementDraft(data: FloorDevices, isReadOnly: boolean) {
  const { floor } = data
  const draftKey = getPlacingDraftKey(floor.id)
  const [storedDraft, setStoredDraft] = useState(() =>
    isReadOnly ? undefined : readDraft(draftKey, String),
  )
  const [arrangement, setArrangement] = useState(() =>
    createArrangement(getPositions(data), storedDraft?.values.moves as DeviceMove[] | undefined),
  )
  const changes = useMemo(() => listUnsavedMoves(arrangement), [arrangement])
  const isDirty = changes.length > 0
  const unsavedIds = useMemo(() => new Set(changes.map(({ id }) => id)), [changes])

  useEffect(() => {
    if (changes.length > 0) saveDraft(draftKey, floor.id, { moves: changes })
    else removeDraft(draftKey)
  }, [draftKey, floor.id, changes])
  const setUnfinished = useSetAtom(unsavedFormPathsAtom)
  useEffect(() => {
    if (!isDirty) return
    setUnfinished((previous) => [...previous, draftKey])
    return () => setUnfinished((previous) => previous.filter((candidate) => candidate !== draftKey))
  }, [isDirty, draftKey, setUnfinished])

  const hideRestoredNotice = () => setStoredDraft(undefined)
  return {
    arrangement,
    setArrangement,
    changes,
    isDirty,
    unsavedIds,
    restoredTime: storedDraft?.time,
    hideRestoredNotice,
    dropStoredDraft: () => removeDraft(draftKey, paths.home()),
    discardChanges() {
      hideRestoredNotice()
      setArrangement(createArrangement(getPositions(data)))
    },
  }
}
