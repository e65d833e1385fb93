import { useRequest } from 'ahooks'
import { Alert, Button, Flex, Modal, Progress, Radio, Space, Upload } from 'antd'
import { useEffect, useState } from 'react'
import { call, download } from '../client/call'
import type { Endpoint } from '../contract/endpoint'
import { importMax, type ExistingRows, type ImportTable } from '../contract/sheet'
import { doneOf, taskApi, type Task, type TaskDetail } from '../contract/task'
import type { z } from 'zod'
import { Outcome } from './importOutcome'
import { Preview, storableCount } from './importPreview'
import { Right, useRefusal } from './right'
import { TakeSecrets } from './takeSecrets'
import { useImport } from './useImport'
import { useTakeResult } from './useMyTasks'

const formats = { xlsx: 'Excel 模板', csv: 'CSV 模板' }

export type ImportTo = Endpoint<z.ZodObject<typeof ImportTable.shape>, typeof Task>

export type ImportDialogProps = {
  /** Chinese name of the rows, as in 导入厂商. */
  name: string
  to: ImportTo
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
  const { name, to, within, open, onClose, onImported } = props
  const steps = useImport(to, within)
  const { preview, task, reset } = steps
  const isOver = task?.doneTime != null
  const close = () => {
    if (!task || isOver) reset()
    onClose()
  }
  useEffect(() => {
    if (isOver) onImported()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- said once, when it is over
  }, [isOver])

  return (
    <Modal
      open={open}
      title={`导入${name}`}
      width={preview && !task ? 'min(960px, calc(100vw - 32px))' : 640}
      style={{ top: 40 }}
      mask={{ closable: false }}
      onCancel={close}
      footer={<Footer {...steps} to={to} onClose={close} />}
    >
      {task ? (
        isOver ? (
          <Outcome task={task} />
        ) : (
          <Running
            words={`${task.status === 'cancelled' ? '正在停止，' : ''}已处理 ${doneOf(task)} / ${task.total} 行`}
            share={doneOf(task) / task.total}
          />
        )
      ) : preview?.status === 'pending' ? (
        <Preview preview={preview} notices={steps.notices} fileName={steps.fileName} />
      ) : preview && !preview.doneTime ? (
        <Running
          words={`正在检查，${preview.counts.checked ?? 0} / ${preview.total} 行；还没有导入`}
          share={(preview.counts.checked ?? 0) / preview.total}
        />
      ) : (
        <ChooseFile {...props} {...steps} />
      )}
    </Modal>
  )
}

type Steps = ReturnType<typeof useImport>

function Footer({
  preview,
  task,
  reset,
  confirm,
  isConfirming,
  wrong,
  setTask,
  to,
  onClose,
}: Steps & Pick<ImportDialogProps, 'to' | 'onClose'>) {
  if (task?.doneTime)
    return (
      <Space wrap>
        <TakeFailed task={task} label="下载失败的行" />
        <TakeSecrets task={task} />
        <Button onClick={reset}>继续导入</Button>
        <Button type="primary" onClick={onClose}>
          完成
        </Button>
      </Space>
    )
  if (task)
    return (
      <Space>
        <Stop task={task} onStopped={setTask} />
        <Button onClick={onClose}>在后台继续</Button>
      </Space>
    )
  if (preview?.status !== 'pending') return <Button onClick={onClose}>取消</Button>
  const count = storableCount(preview)
  return (
    <Flex vertical gap={8} align="end">
      {wrong && <Alert type="error" showIcon title={wrong} />}
      <Space wrap>
        <TakeFailed task={preview} label="下载被拒绝的行" />
        <Button onClick={reset}>重新选择文件</Button>
        <Right to={to}>
          <Button
            type="primary"
            disabled={count === 0}
            loading={isConfirming}
            onClick={() => confirm(preview)}
          >
            {count === 0 ? '没有可以导入的行' : `确认导入 ${count} 行`}
          </Button>
        </Right>
      </Space>
    </Flex>
  )
}

const Running = ({ words, share }: { words: string; share: number }) => (
  <Flex vertical gap={8}>
    <Progress percent={Math.floor(share * 100)} />
    <span>{words}</span>
  </Flex>
)

type ChooseProps = ImportDialogProps & Steps

function ChooseFile({ name, to, update, note, most = importMax, wrong, ...steps }: ChooseProps) {
  const { isReading, read } = steps
  const [existing, setExisting] = useState<ExistingRows>('refuse')
  const refusal = useRefusal()
  const whyNoUpdate = update && refusal(update)
  return (
    <Flex vertical gap={12}>
      <Space size={4} wrap>
        先下载模板：
        {Object.entries(formats).map(([format, label]) => (
          <Button
            key={format}
            type="link"
            size="small"
            onClick={() =>
              void download(`${to.path}/template?format=${format}`, `${name}导入模板.${format}`)
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
      {wrong && <Alert type="error" showIcon title={wrong} />}
      <Upload.Dragger
        // Files of any other type are accepted here, so that a message can name their type.
        accept={{ format: '.xlsx,.csv', filter: () => true }}
        showUploadList={false}
        disabled={isReading}
        beforeUpload={(file, files) => (read(file, files.length, update && existing), false)}
      >
        <p style={{ margin: '16px 0 4px' }}>
          {isReading ? '正在读取…' : '点击选择文件，或把文件拖到这里'}
        </p>
        <p style={{ margin: '0 0 16px', color: 'var(--ant-color-text-secondary)' }}>
          .xlsx 或 .csv，最多 {most} 行；第一行是表头。先预览，确认后才导入
        </p>
      </Upload.Dragger>
    </Flex>
  )
}

function TakeFailed({ task, label }: { task: Task | TaskDetail; label: string }) {
  const { run: take, loading } = useRequest(useTakeResult(), { manual: true, onError: () => {} })
  return (
    task.file && (
      <Button loading={loading} onClick={() => take(task)}>
        {label}
      </Button>
    )
  )
}

function Stop({ task, onStopped }: { task: Task; onStopped: (task: Task) => void }) {
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
