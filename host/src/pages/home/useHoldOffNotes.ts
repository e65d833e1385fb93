import { useRequest } from 'ahooks'
import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { call } from '@iot/shared/client/call'
import { holdApi } from '@iot/shared/contract/holdOffNote.api'
import { holdNoteRevisionAtom, liveReloadAtom } from '@iot/shared/session/live'

/**
 * Overrides are polled at this interval in ms, because the live channel does not carry those that others set or end.
 */
const pollIntervalMs = 30_000

/**
 * Reads the manual overrides of the project. While there are any, it reads again after each control task, which may
 * have changed them.
 */
export function useManualOverrides(projectId: number, endedTasks: number) {
  const changeCount = useAtomValue(holdNoteRevisionAtom)
  const reload = useAtomValue(liveReloadAtom)
  const overrides = useRequest(() => call(holdApi.list, { projectId }, { quiet: true }), {
    refreshDeps: [projectId, changeCount, reload],
    pollingInterval: pollIntervalMs,
    pollingWhenHidden: false,
    throttleWait: 2000,
  })
  const { data, run } = overrides
  const hasOverrides = data !== undefined && data.length > 0
  useEffect(() => {
    if (hasOverrides) run()
  }, [hasOverrides, endedTasks, run])
  return overrides
}
