import useRequest from 'ahooks/es/useRequest'
import { useMemo, useState } from 'react'
import { call } from '@iot/shared/client/call'
import { maxDevicePlaces } from '@iot/shared/contract/device/managedDevice'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { useFeedback } from '@iot/shared/ui/feedback'
import {
  markSaved,
  adoptPositions,
  listUnsavedMoves,
  type Arrangement,
  type PlanPosition,
  type MoveTarget,
} from './arrangement'
import type { PlacingConflict } from './PlacingConflicts'

type SavePositionsOptions = {
  floorId: string
  all: Arrangement
  setAll: (change: (arrangement: Arrangement) => Arrangement) => void
  getDeviceName: (id: string) => string
  /** Returns the place that was read, null for none. */
  getSpaceId: (id: string) => string | null | undefined
  /** Returns the room that a device was dropped into if it differs from the one that was read. */
  findNewRoom: (id: string, to: PlanPosition) => string | undefined
  onSaved: () => void
}
export type RefusedDevice = { id: string; name: string; why: string }
const offPlan = { x: null, y: null }

/**
 * Saves the arrangement with a result per device. Positions that a colleague changed meanwhile become conflicts, and
 * refused ones stay unsaved.
 */
export function useSavePositions({
  floorId,
  all,
  setAll,
  getDeviceName,
  getSpaceId,
  findNewRoom,
  onSaved,
}: SavePositionsOptions) {
  const { message } = useFeedback()
  const [refusedDevices, setRefusedDevices] = useState<RefusedDevice[]>([])
  const [conflicts, setConflicts] = useState<PlacingConflict[]>([])
  const reasonById = useMemo(
    () => new Map(refusedDevices.map(({ id, why }) => [id, why])),
    [refusedDevices],
  )

  const { run, loading, error } = useRequest(
    async (baseArrangement: Arrangement) => {
      const moves = listUnsavedMoves(baseArrangement)
      const answers = []
      for (let offset = 0; offset < moves.length; offset += maxDevicePlaces) {
        const batch = moves.slice(offset, offset + maxDevicePlaces)
        const placements = batch.map((item) => ({
          id: item.id,
          ...(item.to ?? offPlan),
          was: item.from ?? offPlan,
          spaceId: item.to ? findNewRoom(item.id, item.to) : undefined,
          wasSpaceId: getSpaceId(item.id),
        }))
        const results = await call(
          managedDeviceApi.place,
          { floorId, places: placements },
          { inline: true },
        )
        const savedIds = new Set(results.filter(({ ok }) => ok).map(({ id }) => id))
        const savedMoves = batch.filter(({ id }) => savedIds.has(id))
        setAll((latest) => markSaved(latest, savedMoves))
        answers.push(...results)
      }
      return { moves, answers }
    },
    {
      manual: true,
      onError: () => {},
      onSuccess({ moves, answers }) {
        const targetById = new Map(moves.map(({ id, to }) => [id, to]))
        setConflicts(
          answers.flatMap(({ id, name, now }) =>
            now ? [{ id, name, now, mine: targetById.get(id) ?? null }] : [],
          ),
        )
        setRefusedDevices(
          answers.flatMap(({ id, ok, now, reason = '' }) =>
            ok || now ? [] : [{ id, name: getDeviceName(id), why: reason }],
          ),
        )
        const savedCount = answers.filter(({ ok }) => ok).length
        if (savedCount > 0) void message.success(`已保存 ${savedCount} 台的位置`)
        onSaved()
      },
    },
  )
  return {
    save: () => run(all),
    isSaving: loading,
    saveError: error,
    refused: refusedDevices,
    failed: reasonById,
    closeRefused: () => setRefusedDevices([]),
    clashes: conflicts,
    closeClashes: () => setConflicts([]),
    resolve(ownTargets: MoveTarget[], otherTargets: MoveTarget[]) {
      setConflicts([])
      // The operator's own positions are sent again, now based on the colleague's positions.
      const resolvedArrangement = markSaved(adoptPositions(all, otherTargets), ownTargets)
      setAll(() => resolvedArrangement)
      if (ownTargets.length > 0) run(resolvedArrangement)
    },
  }
}
