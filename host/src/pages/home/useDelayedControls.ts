import { useAtomValue } from 'jotai'
import { call } from '@iot/shared/client/call'
import type { BulkRequest } from '@iot/shared/contract/control/control.schema'
import { delayedControlApi } from '@iot/shared/contract/control/delayedControl.api'
import { sendCommand } from '@iot/shared/control/sendCommand'
import { controlListsReloadAtom, liveReloadAtom } from '@iot/shared/session/live'
import { usePolling } from '@iot/shared/ui/usePolling'

/**
 * The live channel tells of changes by others; this interval in ms covers the time while it is down, and a command
 * whose process ended before it sent anything.
 */
const pollIntervalMs = 60_000

/** Reads the delayed commands of a project; `create` and `cancel` read them again. */
export function useDelayedControls(projectId: number) {
  const reload = useAtomValue(liveReloadAtom)
  const listsReload = useAtomValue(controlListsReloadAtom)
  const { data, error, refresh } = usePolling(
    delayedControlApi.list,
    { projectId },
    { intervalMs: pollIntervalMs, refreshDeps: [reload, listsReload] },
  )
  return {
    /** Undefined until they are read. */
    list: data,
    error,
    refresh,
    create: async (request: BulkRequest, delayMinutes: number, idempotencyKey: string) => {
      await sendCommand(
        delayedControlApi.create,
        { request, delayMinutes },
        { press: idempotencyKey },
      )
      refresh()
    },
    cancel: async (id: string) => {
      // A colleague may have been faster, or its time has come; the list says which.
      await call(delayedControlApi.cancel, { id }).finally(refresh)
    },
  }
}
export type DelayedControls = ReturnType<typeof useDelayedControls>
