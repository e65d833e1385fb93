import { useRequest } from 'ahooks'
import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { call } from '@iot/shared/client/call'
import { holdApi } from '@iot/shared/contract/hold'
import { holdsChangedAtom, liveReloadAtom } from '@iot/shared/session/live'

/** What others keep and end is not told over the live channel. */
const every = 30_000

/** What is kept by hand in the project; while something is, read again when a task ended that may have changed it. */
export function useHolds(projectId: number, endedTasks: number) {
  const changed = useAtomValue(holdsChangedAtom)
  const reload = useAtomValue(liveReloadAtom)
  const holds = useRequest(() => call(holdApi.list, { projectId }, { quiet: true }), {
    refreshDeps: [projectId, changed, reload],
    pollingInterval: every,
    pollingWhenHidden: false,
    throttleWait: 2000,
  })
  const { data, run } = holds
  const isKept = data !== undefined && data.length > 0
  useEffect(() => {
    if (isKept) run()
  }, [isKept, endedTasks, run])
  return holds
}
