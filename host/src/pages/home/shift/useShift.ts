import { useRequest } from 'ahooks'
import { useAtomValue } from 'jotai'
import { call } from '@iot/shared/client/call'
import { shiftApi } from '@iot/shared/contract/shift'
import { liveReloadAtom, shiftOpenAtom } from '@iot/shared/session/live'

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
