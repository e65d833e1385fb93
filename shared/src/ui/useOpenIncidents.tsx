import useRequest from 'ahooks/es/useRequest'
import { call } from '../client/call'
import { incidentApi } from '../contract/alarm/incident.api'
import { useCan } from '../session/can'

const pollIntervalMs = 10_000
export const maxListedIncidents = 50

type IncidentScope = {
  /** 0 stands for the platform itself. */
  projectId?: number
  deviceId?: string
  /** Limits the list to incidents about devices of this space or group of the project. */
  spaceId?: string
  groupId?: string
  /** False if nothing shows the incidents, which are then not read. */
  ready?: boolean
}

/**
 * Reads the incidents that are not resolved, the most severe first and then the oldest, so that rows keep their places.
 * A user who may not list incidents has none.
 */
export function useOpenIncidents({ ready = true, ...scope }: IncidentScope) {
  const canList = useCan()(incidentApi.page)
  const { projectId, deviceId, spaceId, groupId } = scope
  const { data, error, refresh } = useRequest(
    () =>
      call(
        incidentApi.page,
        { ...scope, status: 'active', pageNo: 1, pageSize: maxListedIncidents },
        { quiet: true },
      ),
    {
      ready: canList && ready,
      refreshDeps: [projectId, deviceId, spaceId, groupId],
      // The component that shows the incidents also shows the failure.
      onError: () => {},
      pollingInterval: pollIntervalMs,
      pollingWhenHidden: false,
      // Home, its wall display and the hand-over share one answer.
      cacheKey: `openIncidents ${[projectId, deviceId, spaceId, groupId].join(' ')}`,
      cacheTime: 1000,
    },
  )
  return { canList, list: data?.list, total: data?.total, error, refresh }
}
export type OpenIncidentsData = ReturnType<typeof useOpenIncidents>
