import useRequest from 'ahooks/es/useRequest'
import { useEffect, useState } from 'react'
import { call, CallError, ignoreHandled } from '../client/call'
import { responseCodes } from '../contract/endpoint'
import type { ExistingRows } from '../contract/sheet/sheet.schema'
import type { Task, TaskDetail } from '../contract/sheet/task.schema'
import { taskApi } from '../contract/sheet/task.api'
import type { ImportEndpoint } from './importDialog'
import { readDraft, removeDraft, saveDraft } from '../session/drafts'
import { readTable } from './readTable'
import { useMyTasks } from './useMyTasks'

const maxImportBytes = 10 * 1024 * 1024
const previewPollMs = 700
const handledCodes = [responseCodes.refused, responseCodes.fields, responseCodes.missing]

/**
 * Steps of an import: a file is read and sent, its preview task is watched and confirmed, and its storage task is
 * watched.
 */
export function useImport(to: ImportEndpoint, fixedInput?: Record<string, unknown>) {
  const [storedPreview] = useState(() =>
    createStoredPreview(`import/${to.path}/${JSON.stringify(fixedInput ?? {})}`),
  )
  const [file, setFile] = useState({ name: '', notices: [] as string[] })
  const [preview, setPreview] = useState<TaskDetail>()
  const [startedTask, setTask] = useState<Task>()
  const [errorText, setErrorText] = useState<string>()
  const task = useMyTasks().tasks.find(({ id }) => id === startedTask?.id) ?? startedTask

  /** Shows a failure of the call in the form; any other error is thrown. */
  async function sendImport(input: Record<string, unknown>) {
    setErrorText(undefined)
    try {
      return await call(to, { ...fixedInput, ...input }, { handles: handledCodes })
    } catch (error) {
      if (error instanceof CallError && handledCodes.some((code) => code === error.code))
        setErrorText(error.message)
      else if (!(error instanceof CallError)) throw error
      return undefined
    }
  }
  const { run: readFile, loading: isReading } = useRequest(
    async (chosenFile: File, count: number, existing?: ExistingRows) => {
      setErrorText(undefined)
      if (count > 1) return setErrorText('一次只能导入一个文件')
      if (chosenFile.size > maxImportBytes) return setErrorText('文件超过 10 MB，请分成几个文件')
      try {
        const { table, notices } = await readTable(chosenFile)
        setFile({ name: chosenFile.name, notices })
        const previewTask = await sendImport({ table, existing })
        if (!previewTask) return
        storedPreview.keep({ id: previewTask.id, name: chosenFile.name, notices })
        setPreview(await call(taskApi.get, { id: previewTask.id }))
      } catch (error) {
        if (!(error instanceof CallError)) setErrorText((error as Error).message)
      }
    },
    { manual: true, onError: () => {} },
  )
  useEffect(() => {
    void storedPreview.find().then((foundPreview) => {
      if (!foundPreview) return
      setFile(foundPreview)
      setPreview((current) => current ?? foundPreview.preview)
    }, ignoreHandled)
  }, [storedPreview])
  const previewId = preview?.id
  const isChecking = preview !== undefined && !preview.doneTime
  const { run: pollPreview, cancel: stopPolling } = useRequest(
    () => call(taskApi.get, { id: preview!.id }, { quiet: true }),
    {
      manual: true,
      pollingInterval: previewPollMs,
      onSuccess(detail) {
        setPreview(detail)
        if (detail.doneTime) stopPolling()
      },
      onError: () => {},
    },
  )
  useEffect(() => {
    if (isChecking) pollPreview()
    return stopPolling
  }, [isChecking, previewId, pollPreview, stopPolling])

  const isFailed = preview?.doneTime && preview.status !== 'pending'
  const { run: confirm, loading: isConfirming } = useRequest(
    async ({ id }: Pick<Task, 'id'>) => {
      const storageTask = await sendImport({ confirm: id })
      if (!storageTask) return
      storedPreview.drop()
      setTask(storageTask)
    },
    { manual: true },
  )
  return {
    preview: isFailed ? undefined : preview,
    task,
    notices: file.notices,
    fileName: file.name,
    wrong: errorText ?? (isFailed ? preview.reason || '检查没有完成，请重试' : undefined),
    isReading,
    read: readFile,
    confirm,
    isConfirming,
    setTask,
    /** Returns to the choice of a file and cancels a running check. */
    reset() {
      if (isChecking) void call(taskApi.cancel, { id: preview.id }, { quiet: true }).catch(() => {})
      stopPolling()
      storedPreview.drop()
      setPreview(undefined)
      setTask(undefined)
      setErrorText(undefined)
    },
  }
}

type PreviewNote = { id: string; name: string; notices: string[] }

/** Remembers the preview that awaits its confirmation, so that it is found again after the end of the session. */
function createStoredPreview(draftName: string) {
  return {
    keep: (note: PreviewNote) => saveDraft(draftName, 'new', note),
    drop: () => removeDraft(draftName),
    /** Returns nothing if the preview was confirmed or cancelled meanwhile. */
    async find() {
      const note = readDraft(draftName, String)?.values as PreviewNote | undefined
      if (!note) return undefined
      const preview = await call(taskApi.get, { id: note.id }, { quiet: true })
      return preview.status === 'pending' || !preview.doneTime ? { ...note, preview } : undefined
    },
  }
}
