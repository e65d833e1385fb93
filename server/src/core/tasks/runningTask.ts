import type { TaskRow } from './queries'

export type RunningTask = {
  row: TaskRow
  abort: AbortController
  isInserted: boolean
  completion: Promise<void>
}
type AbortReason = 'cancel' | 'stop' | 'lost'

export function abortTask({ abort, row }: RunningTask, reason: AbortReason) {
  if (reason === 'cancel') row.status = 'cancelled'
  abort.abort(reason)
}
