import { useRequest } from 'ahooks'
import { useAtomValue } from 'jotai'
import { call } from '@iot/shared/client/call'
import { holdApi } from '@iot/shared/contract/hold'
import { holdsChangedAtom, liveReloadAtom } from '@iot/shared/session/live'

/** What others keep and end is not told over the live channel. */
const every = 30_000

/** What is kept by hand in the project; read again when a task ended, since it may have changed what was kept. */
export function useHolds(projectId: number, endedTasks: number) {
  const changed = useAtomValue(holdsChangedAtom)
  const reload = useAtomValue(liveReloadAtom)
  return useRequest(() => call(holdApi.list, { projectId }, { quiet: true }), {
    refreshDeps: [projectId, changed, reload, endedTasks],
    throttleWait: 2000,
    pollingInterval: every,
    pollingWhenHidden: false,
  })
}
