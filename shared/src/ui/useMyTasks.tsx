import { useInterval, useRequest } from 'ahooks'
import { useAtomValue, useSetAtom } from 'jotai'
import { useMemo } from 'react'
import { call, download } from '../client/call'
import { doneOf, taskApi, taskFilePath, type Task } from '../contract/task'
import { liveStatusAtom, myTasksAtom, seenResultsAtom } from '../session/live'

/** Answers and messages overtake each other; a task that is over stays over. */
const isAhead = (one: Task, other: Task) =>
  one.doneTime || other.doneTime ? !other.doneTime : doneOf(one) >= doneOf(other)

/**
 * One's own long work, the newest first: read when the live channel stands or falls, then as it says. What runs is read
 * again now and then, since the channel may belong to another process than the task.
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

/** Downloads what a task made; it is no news then. */
export function useTakeResult() {
  const setSeen = useSetAtom(seenResultsAtom)
  return async ({ id, file }: Task) => {
    setSeen((seen) => new Set(seen).add(id))
    if (file) await download(taskFilePath(id), file.name)
  }
}
