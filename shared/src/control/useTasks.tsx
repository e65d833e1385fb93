import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import { useAtomValue, useSetAtom } from 'jotai'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { call, CallError, newIdempotencyKey } from '../client/call'
import { responseCodes, type Endpoint, type Input, type Output } from '../contract/endpoint'
import { ledgerStateText } from '../contract/control/control'
import type { ControlRequest, ControlTask, UndoPreflight } from '../contract/control/control.schema'
import { controlApi } from '../contract/control/control.api'
import { formatDayTime } from '../plan/lights'
import { buttonSettingAtom } from '../session/application'
import { controlTasksAtom, liveReloadAtom, liveStatusAtom } from '../session/live'
import {
  inFlightCommandsAtom,
  removeInFlightCommandAtom,
  setInFlightCommandAtom,
} from '../session/outgoing'
import { overrideRevisionAtom } from '../session/overrides'
import { ignoreHandled } from '../ui/batch'
import { useFeedback } from '../ui/feedback'
import { speak } from '../ui/voice'
import { askOverride } from './askOverride'
import { formatCommand, formatResult, type Announcement, formatSpokenResult } from './result'
import { sendCommand } from './sendCommand'

type SendOptions = {
  press?: string
  handles?: number[]
  deviceIds?: string[]
  isAllowedInEditMode?: boolean
}

/** Loads the control tasks of the project, the newest first, and returns the actions on them. */
export function useControlTasks(projectId: number) {
  const { modal } = useFeedback()
  const setOverrideRevision = useSetAtom(overrideRevisionAtom)
  const { tasks, recentTasks, rememberTask, takeAnnouncement } = useTaskList(projectId)
  usePolling(tasks, recentTasks.refreshAsync)
  const { outgoing, sendTracked } = useTrackedCommands(projectId)
  /** An undo also reverts later operations on the same devices, so the user is asked first. */
  const undo = useMemoizedFn(async (task: ControlTask) => {
    const { later } = await call(controlApi.undoPreflight, { id: task.id })
    const isConfirmed =
      later.commands === 0 ||
      (await modal.confirm({
        title: '恢复原状？',
        content: describeLaterChanges(later, task.unit),
        okText: '恢复原状',
      }))
    if (!isConfirmed) return
    const announcement: Announcement = { kind: 'undo', name: task.title }
    await sendTracked(controlApi.undo, { id: task.id }, announcement).then(
      rememberTask(announcement),
    )
    recentTasks.refresh()
  })
  useTaskAnnouncements(tasks, takeAnnouncement, undo)

  return {
    tasks,
    /** Counts the finished tasks; callers reload their data when it rises. */
    ended: tasks.filter(({ doneTime }) => doneTime !== null).length,
    isKnown: recentTasks.data !== undefined,
    failed: recentTasks.error,
    refresh: recentTasks.refresh,
    /** Unanswered commands of this page, the newest first. */
    outgoing,
    start: (
      request: ControlRequest,
      announcement: Announcement,
      idempotencyKey?: string,
      handles?: number[],
    ) => {
      const deviceIds =
        request.kind !== 'scene' && request.scope.kind === 'devices' ? request.scope.deviceIds : []
      return sendTracked(controlApi.start, request, announcement, {
        press: idempotencyKey,
        handles: [...(handles ?? []), responseCodes.held],
        deviceIds,
      })
        .catch(async (error: unknown) => {
          if (!(error instanceof CallError) || error.code !== responseCodes.held) throw error
          const onOverride = await askOverride(modal, error)
          if (!onOverride || request.kind !== 'set') throw error
          const answeredRequest = { ...request, onOverride }
          const task = await sendTracked(controlApi.start, answeredRequest, announcement, {
            handles,
            deviceIds,
          })
          setOverrideRevision((count) => count + 1)
          return task
        })
        .then(rememberTask(announcement))
    },
    cancel: (task: ControlTask) => {
      const announcement: Announcement = { kind: 'cancel', name: task.title }
      return sendTracked(controlApi.cancel, { id: task.id }, announcement, {
        isAllowedInEditMode: true,
      }).then(rememberTask(announcement))
    },
    retry: (task: ControlTask) => {
      const announcement: Announcement = { kind: 'retry', name: task.title }
      return sendTracked(controlApi.retry, { id: task.id }, announcement).then(
        rememberTask(announcement),
      )
    },
    undo,
  }
}

/** Says who changed the devices of a task since, and how. */
function describeLaterChanges(
  { commands, devices, last }: UndoPreflight['later'],
  unit: ControlTask['unit'],
) {
  const author =
    last &&
    `${formatDayTime(last.createTime)} ${last.createByName || last.createBy} 的“${last.title}”`
  const changes =
    commands === 1 && author
      ? `${author}改动了其中 ${devices} ${unit}`
      : `此后有 ${commands} 次操作改动了其中 ${devices} ${unit}${author ? `，最近一次是 ${author}` : ''}`
  return `${changes}。恢复原状会一并撤销。`
}

/** Merges the loaded tasks, those of the live channel and those started on this page. */
function useTaskList(projectId: number) {
  const liveTasks = useAtomValue(controlTasksAtom)
  const reloadCount = useAtomValue(liveReloadAtom)
  /** Tasks started on this page, whose end is announced here. */
  const announcements = useRef(new Map<string, Announcement>())
  const [startedTasks, setStartedTasks] = useState<ReadonlyMap<string, ControlTask>>(new Map())

  const recentTasks = useRequest(() => call(controlApi.recent, { projectId }, { quiet: true }), {
    refreshDeps: [projectId, reloadCount],
  })
  const tasks = useMemo(() => {
    const tasksById = new Map<string, ControlTask>()
    for (const task of [
      ...startedTasks.values(),
      ...(recentTasks.data ?? []),
      ...liveTasks.values(),
    ]) {
      if (task.projectId !== projectId) continue
      // Responses and live events may arrive out of order; a finished task stays finished.
      if (tasksById.get(task.id)?.doneTime && !task.doneTime) continue
      tasksById.set(task.id, task)
    }
    return [...tasksById.values()].sort((a, b) => b.createTime.localeCompare(a.createTime))
  }, [startedTasks, recentTasks.data, liveTasks, projectId])
  return {
    tasks,
    recentTasks,
    rememberTask: (announcement: Announcement) => (task: ControlTask) => {
      announcements.current.set(task.id, announcement)
      setStartedTasks((previous) => new Map(previous).set(task.id, task))
      return task
    },
    /** Returns the announcement of a finished task, at most once. */
    takeAnnouncement: useCallback(({ id, status }: ControlTask) => {
      const announcement = announcements.current.get(id)
      if (!announcement || status === 'running') return undefined
      announcements.current.delete(id)
      return announcement
    }, []),
  }
}

/** Progress is polled without the live channel. */
function usePolling(tasks: ControlTask[], refresh: () => Promise<unknown>) {
  const liveStatus = useAtomValue(liveStatusAtom)
  const { run: poll, cancel: stopPolling } = useRequest(refresh, {
    manual: true,
    pollingInterval: 1500,
  })
  const shouldPoll = tasks.some(({ status }) => status === 'running') && liveStatus !== 'ready'
  useEffect(() => {
    if (shouldPoll) poll()
    else stopPolling()
  }, [shouldPoll, poll, stopPolling])
}

/** Sends commands, and shows each as in flight until its outcome is known. */
function useTrackedCommands(projectId: number) {
  const inFlightCommands = useAtomValue(inFlightCommandsAtom)
  const setInFlightCommand = useSetAtom(setInFlightCommandAtom)
  const removeInFlightCommand = useSetAtom(removeInFlightCommandAtom)
  async function sendTracked<E extends Endpoint>(
    endpoint: E,
    input: Input<E>,
    announcement: Announcement,
    {
      press: key = newIdempotencyKey(),
      handles,
      deviceIds = [],
      isAllowedInEditMode,
    }: SendOptions = {},
  ): Promise<Output<E>> {
    const entry = { key, projectId, title: formatCommand(announcement), deviceIds }
    setInFlightCommand({ ...entry, state: 'sending' })
    const onUnanswered = () => setInFlightCommand({ ...entry, state: 'unknown' })
    try {
      return await sendCommand(endpoint, input, {
        press: key,
        handles,
        onUnanswered,
        isAllowedInEditMode,
      })
    } finally {
      removeInFlightCommand(key)
    }
  }
  return {
    sendTracked,
    outgoing: [...inFlightCommands.values()]
      .filter((command) => command.projectId === projectId)
      .reverse(),
  }
}

/** Announces the results of the tasks that were started on this page, and offers to undo them. */
function useTaskAnnouncements(
  tasks: ControlTask[],
  takeAnnouncement: (task: ControlTask) => Announcement | undefined,
  undo: (task: ControlTask) => Promise<void>,
) {
  const { message } = useFeedback()
  const { openVoice } = useAtomValue(buttonSettingAtom)
  useEffect(() => {
    for (const task of tasks) {
      const announcement = takeAnnouncement(task)
      if (!announcement) continue
      if (announcement.kind === 'single') {
        if (task.counts.success === 0)
          // The failure is announced even if its reason cannot be read.
          showSingleFailure(task).catch((error: unknown) => {
            showResult(task, announcement)
            ignoreHandled(error)
          })
      } else {
        showResult(task, announcement)
        if (openVoice) speak(formatSpokenResult(task, announcement))
      }
    }
    function showResult(task: ControlTask, announcement: Announcement) {
      const isComplete = task.counts.success + task.counts.skipped === task.total
      const canUndo =
        announcement.kind !== 'undo' && announcement.kind !== 'cancel' && canUndoTask(task)
      void message.open({
        key: task.id,
        type: isComplete ? 'success' : 'warning',
        duration: canUndo ? undoOfferSeconds : undefined,
        content: canUndo ? (
          <>
            {formatResult(task, announcement)}
            <Button
              type="link"
              size="small"
              onClick={() => {
                message.destroy(task.id)
                void undo(task).catch(ignoreHandled)
              }}
            >
              恢复原状
            </Button>
          </>
        ) : (
          formatResult(task, announcement)
        ),
      })
    }
    async function showSingleFailure(task: ControlTask) {
      const ledgerInput = { id: task.id, pageSize: 1 }
      const [row] = (await call(controlApi.ledger, ledgerInput, { quiet: true })).list
      if (!row) return
      const isFailure = row.state === 'failed' || row.state === 'timeout'
      const text = `${row.name}：${isFailure ? row.reason : ledgerStateText[row.state]}`
      void message.open({ type: isFailure ? 'error' : 'warning', content: text })
    }
  }, [tasks, takeAnnouncement, message, openVoice, undo])
}

/** Seconds for which the message offers an undo. */
const undoOfferSeconds = 10
export const canUndoTask = ({ counts, status, origin, undoneBy }: ControlTask) =>
  status !== 'running' &&
  origin !== 'undo' &&
  undoneBy === null &&
  counts.success + counts.confirmed + counts.unknown > 0

export type ControlTasks = ReturnType<typeof useControlTasks>

/** @deprecated Use {@link useControlTasks}; kept for remotes that were built before. */
export const useTasks = useControlTasks

/** @deprecated Use {@link canUndoTask}; kept for remotes that were built before. */
export const isUndoable = canUndoTask

/** @deprecated Use {@link ControlTasks}; kept for remotes that were built before. */
export type Tasks = ControlTasks
