import useRequest from 'ahooks/es/useRequest'
import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { call } from '@iot/shared/client/call'
import { holdApi } from '@iot/shared/contract/control/holdOffNote.api'
import { holdNoteRevisionAtom, liveReloadAtom } from '@iot/shared/session/live'

/**
 * Notes are polled at this interval in ms, because the live channel does not carry those that others set or end.
 */
const pollIntervalMs = 30_000

/**
 * Reads the hold-off notes of the project. While there are any, it reads again after each control task, which may
 * have changed them.
 */
export function useHoldOffNotes(projectId: number, endedTasks: number) {
  const changeCount = useAtomValue(holdNoteRevisionAtom)
  const reload = useAtomValue(liveReloadAtom)
  const notes = useRequest(() => call(holdApi.list, { projectId }, { quiet: true }), {
    refreshDeps: [projectId, changeCount, reload],
    pollingInterval: pollIntervalMs,
    pollingWhenHidden: false,
    throttleWait: 2000,
  })
  const { data, run } = notes
  const hasNotes = data !== undefined && data.length > 0
  useEffect(() => {
    if (hasNotes) run()
  }, [hasNotes, endedTasks, run])
  return notes
}
