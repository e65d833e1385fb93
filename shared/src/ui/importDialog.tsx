import { useRequest } from 'ahooks'
import { Alert, Button, Flex, Modal, Progress, Space, Table, Upload } from 'antd'
import { useEffect, useState } from 'react'
import { call, CallError, download } from '../client/call'
import { codes, type Endpoint } from '../contract/endpoint'
import { importMax, type ImportFailure, type ImportTable } from '../contract/sheet'
import { doneOf, taskApi, type Task } from '../contract/task'
import { readTable } from './readTable'
import type { z } from 'zod'
import { TakeSecrets } from './takeSecrets'
import { useMyTasks, useTakeResult } from './useMyTasks'

const BYTES_MAX = 10 * 1024 * 1024
const formats = { xlsx: 'Excel 模板', csv: 'CSV 模板' }

export type ImportTo = Endpoint<z.ZodObject<typeof ImportTable.shape>, typeof Task>

export type ImportDialogProps = {
  /** What the rows are, as in 导入厂商. */
  name: string
  to: ImportTo
  /** What the call takes beside the table. */
  within?: Record<string, unknown>
  most?: number
  /** How a cell is written, or what no table can bring. */
  note?: string
  open: boolean
  onClose: () => void
  onImported: () => void
}

/** Hands a table to the server and shows how far its import is; closed, it goes on and is found among the tasks. */
export default function ImportDialog({
  name,
  to,
  within,
  most = importMax,
  note,
  open,
  onClose,
  onImported,
}: ImportDialogProps) {
  const [started, setStarted] = useState<Task>()
  const [wrong, setWrong] = useState<string>()
  const task = useMyTasks().tasks.find(({ id }) => id === started?.id) ?? started
  const isOver = task?.doneTime != null
  const close = () => {
    if (isOver) setStarted(undefined)
    onClose()
  }

  const { run: start, loading } = useRequest(
    async (file: File) => {
      setWrong(undefined)
      if (file.size > BYTES_MAX) return setWrong('文件超过 10 MB，请分成几个文件')
      const table = await readTable(file).catch(() => undefined)
      if (!table) return setWrong('文件读不出来，请用模板另存为 .xlsx 或 .csv')
      const handles = [codes.refused, codes.fields]
      await call(to, { ...within, table }, { handles }).then(setStarted, (error: unknown) => {
        if (!(error instanceof CallError)) throw error
        if (handles.some((code) => code === error.code)) setWrong(error.message)
      })
    },
    { manual: true },
  )
  useEffect(() => {
    if (isOver) onImported()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- said once, when it is over
  }, [isOver])

  return (
    <Modal
      open={open}
      title={`导入${name}`}
      width={640}
      mask={{ closable: false }}
      onCancel={close}
      footer={
        !task ? (
          <Button onClick={close}>取消</Button>
        ) : isOver ? (
          <Space>
            <TakeFailed task={task} />
            <TakeSecrets task={task} />
            <Button onClick={() => setStarted(undefined)}>继续导入</Button>
            <Button type="primary" onClick={close}>
              完成
            </Button>
          </Space>
        ) : (
          <Space>
            <Stop task={task} onStopped={setStarted} />
            <Button onClick={close}>在后台继续</Button>
          </Space>
        )
      }
    >
      {!task ? (
        <Flex vertical gap={12}>
          <Space size={4}>
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
          {wrong && <Alert type="error" showIcon title={wrong} />}
          <Upload.Dragger
            accept=".xlsx,.csv"
            showUploadList={false}
            disabled={loading}
            beforeUpload={(file) => (start(file), false)}
          >
            <p style={{ margin: '16px 0 4px' }}>
              {loading ? '正在读取…' : '点击选择文件，或把文件拖到这里'}
            </p>
            <p style={{ margin: '0 0 16px', color: 'var(--ant-color-text-secondary)' }}>
              .xlsx 或 .csv，最多 {most} 行；第一行是表头
            </p>
          </Upload.Dragger>
        </Flex>
      ) : isOver ? (
        <Outcome task={task} />
      ) : (
        <Flex vertical gap={8}>
          <Progress percent={Math.floor((doneOf(task) / task.total) * 100)} />
          <span>
            {task.status === 'cancelled' ? '正在停止，' : ''}已处理 {doneOf(task)} / {task.total} 行
          </span>
        </Flex>
      )}
    </Modal>
  )
}

function Outcome({ task }: { task: Task }) {
  const { id, status, counts, total, reason } = task
  const { data } = useRequest(() => call(taskApi.get, { id }, { quiet: true }))
  const left = total - doneOf(task)
  const words = [
    `成功 ${counts.success ?? 0} 行`,
    `失败 ${counts.failed ?? 0} 行`,
    ...(left > 0 ? [`未处理 ${left} 行`] : []),
  ].join('，')
  return (
    <Flex vertical gap={12}>
      <Alert
        showIcon
        type={status === 'failed' ? 'error' : counts.failed || left ? 'warning' : 'success'}
        title={status === 'cancelled' ? `已停止：${words}` : words}
        description={reason || undefined}
      />
      {!!data?.failures?.length && (
        <Table<ImportFailure>
          size="small"
          rowKey="line"
          dataSource={data.failures}
          pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
          columns={[
            { title: '行号', dataIndex: 'line', width: 70 },
            { title: '名称', dataIndex: 'name', ellipsis: true },
            { title: '失败原因', dataIndex: 'reason' },
          ]}
        />
      )}
    </Flex>
  )
}

function TakeFailed({ task }: { task: Task }) {
  const { run: take, loading } = useRequest(useTakeResult(), { manual: true, onError: () => {} })
  return (
    task.file && (
      <Button loading={loading} onClick={() => take(task)}>
        下载失败的行
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
