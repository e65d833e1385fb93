import { useRequest } from 'ahooks'
import { useEffect, useState } from 'react'
import { call, CallError } from '../client/call'
import { codes } from '../contract/endpoint'
import type { ExistingRows } from '../contract/sheet'
import { taskApi, type Task, type TaskDetail } from '../contract/task'
import type { ImportTo } from './importDialog'
import { readTable } from './readTable'
import { useMyTasks } from './useMyTasks'

const maxBytes = 10 * 1024 * 1024
const previewPollMs = 700
const handles = [codes.refused, codes.fields, codes.missing]

/**
 * Steps of an import: a file is read and sent, its preview task is watched and confirmed, and its storage task is
 * watched.
 */
export function useImport(to: ImportTo, within?: Record<string, unknown>) {
  const [file, setFile] = useState({ name: '', notices: [] as string[] })
  const [preview, setPreview] = useState<TaskDetail>()
  const [started, setTask] = useState<Task>()
  const [wrong, setWrong] = useState<string>()
  const task = useMyTasks().tasks.find(({ id }) => id === started?.id) ?? started

  /** Shows a failure of the call in the form; any other error is thrown. */
  async function send(input: Record<string, unknown>) {
    setWrong(undefined)
    try {
      return await call(to, { ...within, ...input }, { handles })
    } catch (error) {
      if (error instanceof CallError && handles.some((code) => code === error.code))
        setWrong(error.message)
      else if (!(error instanceof CallError)) throw error
      return undefined
    }
  }
  const { run: read, loading: isReading } = useRequest(
    async (chosen: File, count: number, existing?: ExistingRows) => {
      setWrong(undefined)
      if (count > 1) return setWrong('一次只能导入一个文件')
      if (chosen.size > maxBytes) return setWrong('文件超过 10 MB，请分成几个文件')
      try {
        const { table, notices } = await readTable(chosen)
        setFile({ name: chosen.name, notices })
        const next = await send({ table, existing })
        if (next) setPreview(await call(taskApi.get, { id: next.id }))
      } catch (error) {
        if (!(error instanceof CallError)) setWrong((error as Error).message)
      }
    },
    { manual: true, onError: () => {} },
  )
  const isChecking = preview !== undefined && !preview.doneTime
  const watch = useRequest(() => call(taskApi.get, { id: preview!.id }, { quiet: true }), {
    manual: true,
    pollingInterval: previewPollMs,
    onSuccess(next) {
      setPreview(next)
      if (next.doneTime) watch.cancel()
    },
    onError: () => {},
  })
  useEffect(() => {
    if (isChecking) watch.run()
    return watch.cancel
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each preview
  }, [isChecking, preview?.id])

  const isFailed = preview?.doneTime && preview.status !== 'pending'
  const { run: confirm, loading: isConfirming } = useRequest(
    async ({ id }: Pick<Task, 'id'>) => {
      const next = await send({ confirm: id })
      if (next) setTask(next)
    },
    { manual: true },
  )
  return {
    preview: isFailed ? undefined : preview,
    task,
    notices: file.notices,
    fileName: file.name,
    wrong: wrong ?? (isFailed ? preview.reason || '检查没有完成，请重试' : undefined),
    isReading,
    read,
    confirm,
    isConfirming,
    setTask,
    /** Returns to the choice of a file and cancels a running check. */
    reset() {
      if (isChecking) void call(taskApi.cancel, { id: preview.id }, { quiet: true }).catch(() => {})
      watch.cancel()
      setPreview(undefined)
      setTask(undefined)
      setWrong(undefined)
    },
  }
}
