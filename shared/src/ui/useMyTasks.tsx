import useInterval from 'ahooks/es/useInterval'
import useRequest from 'ahooks/es/useRequest'
import { useAtomValue, useSetAtom } from 'jotai'
import { useMemo } from 'react'
import { call, download } from '../client/call'
import { countFinishedItems, taskFilePath } from '../contract/sheet/task'
import type { Task } from '../contract/sheet/task.schema'
import { taskApi } from '../contract/sheet/task.api'
import { liveStatusAtom, myTasksAtom, viewedResultIdsAtom } from '../session/live'

/** Responses and live events may arrive out of order; a finished task stays finished. */
const isNewer = (task: Task, otherTask: Task) =>
  task.doneTime || otherTask.doneTime
    ? !otherTask.doneTime
    : countFinishedItems(task) >= countFinishedItems(otherTask)

/**
 * Long-running tasks of the user, the newest first. They are read when the live channel connects or drops, and then
 * updated by it. Running tasks are re-read from time to time, because the channel may belong to another process than
 * the task.
 * @example const { tasks, refresh } = useMyTasks(); const task = tasks.find(({ id }) => id === started.id)
 */
export function useMyTasks() {
  const liveTasks = useAtomValue(myTasksAtom)
  const status = useAtomValue(liveStatusAtom)
  const { data, error, refresh } = useRequest(() => call(taskApi.recent, {}, { quiet: true }), {
    ready: status === 'ready' || status === 'down',
    refreshDeps: [status],
  })
  const tasks = useMemo(() => {
    const tasksById = new Map(data?.map((task) => [task.id, task]))
    for (const task of liveTasks.values()) {
      const fetchedTask = tasksById.get(task.id)
      if (!fetchedTask || isNewer(task, fetchedTask)) tasksById.set(task.id, task)
    }
    return [...tasksById.values()].sort((a, b) => b.id.localeCompare(a.id))
  }, [data, liveTasks])
  const runningTasks = tasks.filter(({ doneTime }) => doneTime === null)
  useInterval(refresh, runningTasks.length > 0 ? (status === 'ready' ? 5000 : 1500) : undefined)
  return { tasks, running: runningTasks, isKnown: data !== undefined, failed: error, refresh }
}

/** Downloads the result of a task and marks it as seen. */
export function useDownloadResult() {
  const setViewedIds = useSetAtom(viewedResultIdsAtom)
  return async ({ id, file }: Task) => {
    setViewedIds((viewedIds) => new Set(viewedIds).add(id))
    if (file) await download(taskFilePath(id), file.name)
  }
}

/** @deprecated Use {@link useDownloadResult}; kept for remotes that were built before. */
export const useTakeResult = useDownloadResult
