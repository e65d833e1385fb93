import { useRequest } from 'ahooks'
import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { call } from '@iot/shared/client/call'
import { holdApi } from '@iot/shared/contract/hold'
import { holdsChangedAtom, liveReloadAtom } from '@iot/shared/session/live'

/**
 * Overrides are polled at this interval in ms, because the live channel does not carry those that others set or end.
 */
const every = 30_000

/**
 * Reads the manual overrides of the project. While there are any, it reads again after each control task, which may
 * have changed them.
 */
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
