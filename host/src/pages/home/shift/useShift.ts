import useRequest from 'ahooks/es/useRequest'
import { useAtomValue } from 'jotai'
import { call } from '@iot/shared/client/call'
import { shiftApi } from '@iot/shared/contract/control/shift.api'
import { liveReloadAtom, openIncidentCountAtom } from '@iot/shared/session/live'

export type ShiftProps = { projectId: number }

/**
 * Returns the number of unacknowledged incidents and scenes of the project, updated by the live channel, and the start of the user's
 * absence.
 */
export function useShift(projectId: number) {
  const liveOpenCount = useAtomValue(openIncidentCountAtom)
  const reload = useAtomValue(liveReloadAtom)
  const { data, error, refresh } = useRequest(
    () => call(shiftApi.state, { projectId }, { quiet: true }),
    { refreshDeps: [projectId, reload] },
  )
  return {
    open: liveOpenCount ?? data?.open,
    since: data?.since,
    isOwn: data?.isOwn,
    error,
    refresh,
  }
}
