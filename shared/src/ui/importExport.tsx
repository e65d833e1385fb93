import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import { useState } from 'react'
import { call } from '../client/call'
import type { Endpoint } from '../contract/endpoint'
import type { exportOptions, SheetFormat } from '../contract/sheet/sheet.schema'
import type { Task } from '../contract/sheet/task.schema'
import type { z } from 'zod'
import { ButtonMenu } from './buttonMenu'
import { useFeedback } from './feedback'
import type { ImportDialogProps } from './importDialog'
import { lazyDialog } from './lazyPart'
import { Can } from './right'
import { useDownloadResult } from './useMyTasks'
import { pageTimeZone } from '../session/timeZone'

const ImportDialog = lazyDialog(() => import('./importDialog'))
const exportFormats: SheetFormat[] = ['xlsx', 'csv']

export type ExportEndpoint = Endpoint<z.ZodObject<typeof exportOptions>, typeof Task>

type ImportProps = Pick<
  ImportDialogProps,
  'name' | 'to' | 'update' | 'within' | 'most' | 'note' | 'onImported'
> & {
  /** Reason why no import is possible now. */
  unless?: string | false
}

/**
 * Shows the import button of a list and its dialog.
 * @example <ImportButton name="品牌" to={brandApi.importRows} onImported={refresh} />
 */
export function ImportButton({ unless: disabledReason, ...props }: ImportProps) {
  const [isOpen, setOpen] = useState<boolean>()
  return (
    <>
      <Can to={props.to} unless={disabledReason}>
        <Button onClick={() => setOpen(true)}>导入</Button>
      </Can>
      {/* The closed dialog stays mounted, so that a running import can refresh the list at its end. */}
      {isOpen !== undefined && (
        <ImportDialog {...props} open={isOpen} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

type ExportProps = { from: ExportEndpoint; input: Record<string, unknown> }

/**
 * Export button for the filtered list. A small file is downloaded at once, a large one appears among the tasks.
 * @example <ExportButton from={brandApi.exportRows} input={input} />
 */
export function ExportButton({ from, input }: ExportProps) {
  const { message } = useFeedback()
  const downloadResult = useDownloadResult()
  const { run, loading } = useRequest(
    async (format: SheetFormat) => {
      const task = await call(from, { ...input, format, timeZone: pageTimeZone() })
      if (task.file) return downloadResult(task)
      if (task.doneTime) return void message.error(task.reason)
      void message.info('正在导出，完成后在右上角“任务”里下载')
    },
    { manual: true, onError: () => {} },
  )
  const entries = exportFormats.map((format) => ({
    label: `导出 .${format}`,
    onClick: () => run(format),
  }))
  return (
    <Can to={from}>
      <ButtonMenu entries={entries}>
        <Button loading={loading}>导出</Button>
      </ButtonMenu>
    </Can>
  )
}

/** @deprecated Use {@link ImportButton}; kept for remotes that were built before. */
export const Import = ImportButton

/** @deprecated Use {@link ExportButton}; kept for remotes that were built before. */
export const Export = ExportButton

/** @deprecated Use {@link ExportEndpoint}; kept for remotes that were built before. */
export type ExportFrom = ExportEndpoint
