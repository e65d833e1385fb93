import { useInterval, useRequest } from 'ahooks'
import { useAtomValue, useSetAtom } from 'jotai'
import { useMemo } from 'react'
import { call, download } from '../client/call'
import { doneOf, taskApi, taskFilePath, type Task } from '../contract/task'
import { liveStatusAtom, myTasksAtom, seenResultsAtom } from '../session/live'

/** Responses and live events may arrive out of order; a finished task stays finished. */
const isAhead = (one: Task, other: Task) =>
  one.doneTime || other.doneTime ? !other.doneTime : doneOf(one) >= doneOf(other)

/**
 * Long-running tasks of the user, the newest first. They are read when the live channel connects or drops, and then
 * updated by it. Running tasks are re-read from time to time, because the channel may belong to another process than
 * the task.
 * @example const { tasks, refresh } = useMyTasks(); const task = tasks.find(({ id }) => id === started.id)
 */
export function useMyTasks() {
  const live = useAtomValue(myTasksAtom)
  const status = useAtomValue(liveStatusAtom)
  const { data, error, refresh } = useRequest(() => call(taskApi.recent, {}, { quiet: true }), {
    ready: status === 'ready' || status === 'down',
    refreshDeps: [status],
  })
  const tasks = useMemo(() => {
    const all = new Map(data?.map((task) => [task.id, task]))
    for (const task of live.values()) {
      const known = all.get(task.id)
      if (!known || isAhead(task, known)) all.set(task.id, task)
    }
    return [...all.values()].sort((a, b) => b.id.localeCompare(a.id))
  }, [data, live])
  const running = tasks.filter(({ doneTime }) => doneTime === null)
  useInterval(refresh, running.length > 0 ? (status === 'ready' ? 5000 : 1500) : undefined)
  return { tasks, running, isKnown: data !== undefined, failed: error, refresh }
}

/** Downloads the result of a task and marks it as seen. */
export function useTakeResult() {
  const setSeen = useSetAtom(seenResultsAtom)
  return async ({ id, file }: Task) => {
    setSeen((seen) => new Set(seen).add(id))
    if (file) await download(taskFilePath(id), file.name)
  }
}
