import { useRequest } from 'ahooks'
import { useAtomValue } from 'jotai'
import { call } from '@iot/shared/client/call'
import { shiftApi } from '@iot/shared/contract/shift'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { liveReloadAtom, shiftOpenAtom } from '@iot/shared/session/live'
import type { Problems } from '../../../layout/alerts/useProblems'

export type ShiftProps = {
  projectId: number
  tree: SpaceTree
  problems: Problems
  /** Shows a device where it hangs. */
  onLocate: (deviceId: string, floorId: string) => void
}

/** How much nobody acknowledged in the project, kept up to date by the live channel; and since when one was away. */
export function useShift(projectId: number) {
  const told = useAtomValue(shiftOpenAtom)
  const reload = useAtomValue(liveReloadAtom)
  const { data, error, refresh } = useRequest(
    () => call(shiftApi.state, { projectId }, { quiet: true }),
    { refreshDeps: [projectId, reload] },
  )
  return { open: told ?? data?.open, since: data?.since, isOwn: data?.isOwn, error, refresh }
}
