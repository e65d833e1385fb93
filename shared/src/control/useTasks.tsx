import { useMemoizedFn, useRequest } from 'ahooks'
import { App, Button } from 'antd'
import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useMemo, useRef, useState } from 'react'
import { call, newPress } from '../client/call'
import type { Endpoint, Input, Output } from '../contract/endpoint'
import {
  controlApi,
  ledgerStateText,
  type ControlRequest,
  type ControlTask,
} from '../contract/control'
import { buttonSettingAtom } from '../session/application'
import { controlTasksAtom, liveReloadAtom, liveStatusAtom } from '../session/live'
import { outgoingAtom, removeOutgoingAtom, setOutgoingAtom } from '../session/outgoing'
import { quietly } from '../ui/batch'
import { speak } from '../ui/voice'
import { commandText, resultText, type Spoken, spokenResult } from './result'
import { sendCommand } from './sendCommand'

type SendOptions = {
  press?: string
  handles?: number[]
  deviceIds?: string[]
  isAllowedInEditMode?: boolean
}

/** Loads the control tasks of the project, the newest first, and returns the actions on them. */
export function useTasks(projectId: number) {
  const { message, modal } = App.useApp()
  const { openVoice } = useAtomValue(buttonSettingAtom)
  const live = useAtomValue(controlTasksAtom)
  const liveStatus = useAtomValue(liveStatusAtom)
  const reload = useAtomValue(liveReloadAtom)
  /** Tasks started on this page, whose end is announced here. */
  const mine = useRef(new Map<string, Spoken>())
  const [started, setStarted] = useState<ReadonlyMap<string, ControlTask>>(new Map())

  const recent = useRequest(() => call(controlApi.recent, { projectId }, { quiet: true }), {
    refreshDeps: [projectId, reload],
  })
  const tasks = useMemo(() => {
    const all = new Map<string, ControlTask>()
    for (const task of [...started.values(), ...(recent.data ?? []), ...live.values()]) {
      if (task.projectId !== projectId) continue
      // Responses and live events may arrive out of order; a finished task stays finished.
      if (all.get(task.id)?.doneTime && !task.doneTime) continue
      all.set(task.id, task)
    }
    return [...all.values()].sort((a, b) => b.createTime.localeCompare(a.createTime))
  }, [started, recent.data, live, projectId])
  const running = tasks.filter(({ status }) => status === 'running')

  // Progress is polled without the live channel.
  const { run: poll, cancel: stopPolling } = useRequest(recent.refreshAsync, {
    manual: true,
    pollingInterval: 1500,
  })
  const mustPoll = running.length > 0 && liveStatus !== 'ready'
  useEffect(() => {
    if (mustPoll) poll()
    else stopPolling()
  }, [mustPoll, poll, stopPolling])

  const outgoing = useAtomValue(outgoingAtom)
  const setOutgoing = useSetAtom(setOutgoingAtom)
  const removeOutgoing = useSetAtom(removeOutgoingAtom)
  /** Sends a command and shows it as in flight until its outcome is known. */
  async function send<E extends Endpoint>(
    endpoint: E,
    input: Input<E>,
    spoken: Spoken,
    { press: key = newPress(), handles, deviceIds = [], isAllowedInEditMode }: SendOptions = {},
  ): Promise<Output<E>> {
    const entry = { key, projectId, title: commandText(spoken), deviceIds }
    setOutgoing({ ...entry, state: 'sending' })
    const onUnanswered = () => setOutgoing({ ...entry, state: 'unknown' })
    try {
      return await sendCommand(endpoint, input, {
        press: key,
        handles,
        onUnanswered,
        isAllowedInEditMode,
      })
    } finally {
      removeOutgoing(key)
    }
  }

  const remember = (spoken: Spoken) => (task: ControlTask) => {
    mine.current.set(task.id, spoken)
    setStarted((before) => new Map(before).set(task.id, task))
    return task
  }
  /** An undo also reverts later operations on the same devices, so the user is asked first. */
  const undo = useMemoizedFn(async (task: ControlTask) => {
    const { later } = await call(controlApi.undoPreflight, { id: task.id })
    const isMeant =
      later.commands === 0 ||
      (await modal.confirm({
        title: '恢复原状？',
        content: `此后又有 ${later.commands} 次操作动过其中 ${later.devices} 盏，恢复原状会把它们一起改回去。`,
        okText: '恢复原状',
      }))
    if (!isMeant) return
    const spoken: Spoken = { kind: 'undo', name: task.title }
    await send(controlApi.undo, { id: task.id }, spoken).then(remember(spoken))
    recent.refresh()
  })

  useEffect(() => {
    for (const task of tasks) {
      const spoken = mine.current.get(task.id)
      if (!spoken || task.status === 'running') continue
      mine.current.delete(task.id)
      if (spoken.kind === 'single') {
        if (task.counts.success === 0) void sayWhySingle(task)
      } else {
        const isFull = task.counts.success + task.counts.skipped === task.total
        const canGoBack = spoken.kind !== 'undo' && spoken.kind !== 'cancel' && isUndoable(task)
        void message.open({
          key: task.id,
          type: isFull ? 'success' : 'warning',
          duration: canGoBack ? goBackFor : undefined,
          content: canGoBack ? (
            <>
              {resultText(task, spoken)}
              <Button
                type="link"
                size="small"
                onClick={() => {
                  message.destroy(task.id)
                  void undo(task).catch(quietly)
                }}
              >
                恢复原状
              </Button>
            </>
          ) : (
            resultText(task, spoken)
          ),
        })
        if (openVoice) speak(spokenResult(task, spoken))
      }
    }
    async function sayWhySingle(task: ControlTask) {
      const one = { id: task.id, pageSize: 1 }
      const [row] = (await call(controlApi.ledger, one, { quiet: true })).list
      if (!row) return
      const isSure = row.state === 'failed' || row.state === 'timeout'
      const text = `${row.name}：${isSure ? row.reason : ledgerStateText[row.state]}`
      void message.open({ type: isSure ? 'error' : 'warning', content: text })
    }
  }, [tasks, message, openVoice, undo])

  return {
    tasks,
    /** Counts the finished tasks; callers reload their data when it rises. */
    ended: tasks.filter(({ doneTime }) => doneTime !== null).length,
    isKnown: recent.data !== undefined,
    failed: recent.error,
    refresh: recent.refresh,
    /** Unanswered commands of this page, the newest first. */
    outgoing: [...outgoing.values()].filter((one) => one.projectId === projectId).reverse(),
    start: (request: ControlRequest, spoken: Spoken, press?: string, handles?: number[]) => {
      const deviceIds =
        request.kind !== 'scene' && request.scope.kind === 'devices' ? request.scope.deviceIds : []
      return send(controlApi.start, request, spoken, { press, handles, deviceIds }).then(
        remember(spoken),
      )
    },
    cancel: (task: ControlTask) => {
      const spoken: Spoken = { kind: 'cancel', name: task.title }
      return send(controlApi.cancel, { id: task.id }, spoken, { isAllowedInEditMode: true }).then(
        remember(spoken),
      )
    },
    retry: (task: ControlTask) => {
      const spoken: Spoken = { kind: 'retry', name: task.title }
      return send(controlApi.retry, { id: task.id }, spoken).then(remember(spoken))
    },
    undo,
  }
}

/** Seconds for which the message offers an undo. */
const goBackFor = 10
export const isUndoable = ({ counts, status, origin, undoneBy }: ControlTask) =>
  status !== 'running' &&
  origin !== 'undo' &&
  undoneBy === null &&
  counts.success + counts.confirmed + counts.unknown > 0

export type Tasks = ReturnType<typeof useTasks>
