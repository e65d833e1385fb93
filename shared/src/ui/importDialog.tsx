import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import useRequest from 'ahooks/es/useRequest'
import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Modal from 'antd/es/modal'
import Progress from 'antd/es/progress'
import Radio from 'antd/es/radio'
import Space from 'antd/es/space'
import Upload from 'antd/es/upload'
import { useEffect, useState } from 'react'
import { call, download, ignoreHandled } from '../client/call'
import type { Endpoint } from '../contract/endpoint'
import { maxImportRows } from '../contract/sheet/sheet'
import type { ExistingRows, ImportTable } from '../contract/sheet/sheet.schema'
import { countFinishedItems } from '../contract/sheet/task'
import type { Task, TaskDetail } from '../contract/sheet/task.schema'
import { taskApi } from '../contract/sheet/task.api'
import type { z } from 'zod'
import { ImportOutcome } from './importOutcome'
import { ImportPreviewPanel, countStorableRows } from './importPreview'
import { Can, useRefusalReason } from './right'
import { DownloadSecrets } from './takeSecrets'
import { UndoImport } from './undoImport'
import { useImport } from './useImport'
import { useDownloadResult } from './useMyTasks'

const templateFormats = { xlsx: 'Excel 模板', csv: 'CSV 模板' }

export type ImportEndpoint = Endpoint<z.ZodObject<typeof ImportTable.shape>, typeof Task>

export type ImportDialogProps = {
  /** Chinese name of the rows, as in 导入厂商. */
  name: string
  to: ImportEndpoint
  /** The call that changes a row, if the import may update existing rows. */
  update?: Pick<Endpoint, 'permission' | 'title'>
  /** Input of the call besides the table. */
  within?: Record<string, unknown>
  most?: number
  /** Hint on the format of cells or on columns that cannot be imported. */
  note?: string
  open: boolean
  onClose: () => void
  onImported: () => void
}

/**
 * Sends a table to the server, shows the preview and, after confirmation, the progress. A dialog closed during storage
 * continues as a task; closed earlier, it stores nothing.
 */
export default function ImportDialog(props: ImportDialogProps) {
  const { name, to, within: fixedInput, open: isOpen, onClose, onImported } = props
  const steps = useImport(to, fixedInput)
  const { preview, task, reset } = steps
  const isFinished = task?.doneTime != null
  const close = () => {
    if (!task || isFinished) reset()
    onClose()
  }
  const reportImported = useMemoizedFn(onImported)
  useEffect(() => {
    if (isFinished) reportImported()
  }, [isFinished, reportImported])

  return (
    <Modal
      open={isOpen}
      title={`导入${name}`}
      width={preview && !task ? 'min(960px, calc(100vw - 32px))' : 640}
      style={{ top: 40 }}
      mask={{ closable: false }}
      onCancel={close}
      footer={<Footer {...steps} to={to} onClose={close} onUndone={onImported} />}
    >
      {task ? (
        isFinished ? (
          <ImportOutcome task={task} />
        ) : (
          <ImportProgress
            words={`${task.status === 'cancelled' ? '正在停止，' : ''}已处理 ${countFinishedItems(task)} / ${task.total} 行`}
            share={countFinishedItems(task) / task.total}
          />
        )
      ) : preview?.status === 'pending' ? (
        <ImportPreviewPanel preview={preview} notices={steps.notices} fileName={steps.fileName} />
      ) : preview && !preview.doneTime ? (
        <ImportProgress
          words={`正在检查，${preview.counts.checked ?? 0} / ${preview.total} 行；还没有导入`}
          share={(preview.counts.checked ?? 0) / preview.total}
        />
      ) : (
        <ChooseFile {...props} {...steps} />
      )}
    </Modal>
  )
}

type ImportSteps = ReturnType<typeof useImport>

function Footer({
  preview,
  task,
  reset,
  confirm,
  isConfirming,
  wrong: errorText,
  setTask,
  to,
  onClose,
  onUndone,
}: ImportSteps & Pick<ImportDialogProps, 'to' | 'onClose'> & { onUndone: () => void }) {
  if (task?.doneTime)
    return (
      <Space wrap>
        <DownloadFailedRows task={task} label="下载失败的行" />
        <UndoImport
          task={task}
          onUndone={() => {
            onUndone()
            onClose()
          }}
        />
        <DownloadSecrets task={task} />
        <Button onClick={reset}>继续导入</Button>
        <Button type="primary" onClick={onClose}>
          完成
        </Button>
      </Space>
    )
  if (task)
    return (
      <Space>
        <StopButton task={task} onStopped={setTask} />
        <Button onClick={onClose}>在后台继续</Button>
      </Space>
    )
  if (preview?.status !== 'pending') return <Button onClick={onClose}>取消</Button>
  const count = countStorableRows(preview)
  return (
    <Flex vertical gap={8} align="end">
      {errorText && <Alert type="error" showIcon title={errorText} />}
      <Space wrap>
        <DownloadFailedRows task={preview} label="下载被拒绝的行" />
        <Button onClick={reset}>重新选择文件</Button>
        <Can to={to}>
          <Button
            type="primary"
            disabled={count === 0}
            loading={isConfirming}
            onClick={() => confirm(preview)}
          >
            {count === 0 ? '没有可以导入的行' : `确认导入 ${count} 行`}
          </Button>
        </Can>
      </Space>
    </Flex>
  )
}

const ImportProgress = ({ words, share }: { words: string; share: number }) => (
  <Flex vertical gap={8}>
    <Progress percent={Math.floor(share * 100)} />
    <span>{words}</span>
  </Flex>
)

type ChooseProps = ImportDialogProps & ImportSteps

function ChooseFile({
  name,
  to,
  update,
  note,
  most: maxRows = maxImportRows,
  wrong: errorText,
  ...steps
}: ChooseProps) {
  const { isReading, read: readFile } = steps
  const [existing, setExisting] = useState<ExistingRows>('refuse')
  const refusal = useRefusalReason()
  const whyNoUpdate = update && refusal(update)
  return (
    <Flex vertical gap={12}>
      <Space size={4} wrap>
        先下载模板：
        {Object.entries(templateFormats).map(([format, label]) => (
          <Button
            key={format}
            type="link"
            size="small"
            onClick={() =>
              void download(
                `${to.path}/template?format=${format}`,
                `${name}导入模板.${format}`,
              ).catch(ignoreHandled)
            }
          >
            {label}
          </Button>
        ))}
      </Space>
      {note && <span style={{ color: 'var(--ant-color-text-secondary)' }}>{note}</span>}
      {update && (
        <Space size={8} wrap>
          <span id="import-existing">已存在时：</span>
          <Radio.Group
            aria-labelledby="import-existing"
            value={existing}
            onChange={({ target }) => setExisting(target.value as ExistingRows)}
            options={[
              { value: 'refuse', label: '拒绝' },
              { value: 'update', label: '更新', disabled: !!whyNoUpdate, title: whyNoUpdate ?? '' },
            ]}
          />
          {whyNoUpdate && (
            <span style={{ color: 'var(--ant-color-text-secondary)' }}>{whyNoUpdate}</span>
          )}
        </Space>
      )}
      {errorText && <Alert type="error" showIcon title={errorText} />}
      <Upload.Dragger
        // Files of any other type are accepted here, so that a message can name their type.
        accept={{ format: '.xlsx,.csv', filter: () => true }}
        showUploadList={false}
        disabled={isReading}
        beforeUpload={(file, files) => (readFile(file, files.length, update && existing), false)}
      >
        <p style={{ margin: '16px 0 4px' }}>
          {isReading ? '正在读取…' : '点击选择文件，或把文件拖到这里'}
        </p>
        <p style={{ margin: '0 0 16px', color: 'var(--ant-color-text-secondary)' }}>
          .xlsx 或 .csv，最多 {maxRows} 行；第一行是表头。先预览，确认后才导入
        </p>
      </Upload.Dragger>
    </Flex>
  )
}

function DownloadFailedRows({ task, label }: { task: Task | TaskDetail; label: string }) {
  const { run: downloadRows, loading } = useRequest(useDownloadResult(), {
    manual: true,
    onError: () => {},
  })
  return (
    task.file && (
      <Button loading={loading} onClick={() => downloadRows(task)}>
        {label}
      </Button>
    )
  )
}

function StopButton({ task, onStopped }: { task: Task; onStopped: (task: Task) => void }) {
  const { run: stop, loading } = useRequest(
    () => call(taskApi.cancel, { id: task.id }).then(onStopped),
    { manual: true, onError: () => {} },
  )
  return (
    <Button loading={loading || task.status === 'cancelled'} onClick={stop}>
      停止
    </Button>
  )
}

/** @deprecated Use {@link ImportEndpoint}; kept for remotes that were built before. */
export type ImportTo = ImportEndpoint
