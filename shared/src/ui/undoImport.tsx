import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Table from 'antd/es/table'
import type { ButtonProps } from 'antd'
import { call } from '../client/call'
import type { Task, TaskDetail } from '../contract/sheet/task.schema'
import { taskApi } from '../contract/sheet/task.api'
import { dayMs } from '../contract/duration'
import { serverNow } from '../client/serverClock'
import { useFeedback } from './feedback'

type UndoImportProps = { task: Task; onUndone?: () => void } & Pick<ButtonProps, 'size' | 'type'>

/** The server keeps for a day what an import changed. */
const canOfferUndo = ({ kind, counts, doneTime }: Task) =>
  kind === 'import' &&
  doneTime !== null &&
  (counts.success ?? 0) > 0 &&
  Date.parse(doneTime) > serverNow() - dayMs

/** Undoes a finished import after a warning, and shows which rows stayed. */
export function UndoImport({ task, onUndone, ...buttonProps }: UndoImportProps) {
  const { modal, message } = useFeedback()
  async function undo() {
    const undoTask = await call(taskApi.undoImport, { id: task.id })
    onUndone?.()
    if (!undoTask.doneTime) return void message.info('正在撤销，完成后在右上角“任务”里查看')
    const { success = 0, failed = 0 } = undoTask.counts
    if (undoTask.status === 'failed') return void message.error(undoTask.reason)
    if (failed === 0) return void message.success(`已撤销 ${success} 行`)
    const { failures } = await call(taskApi.get, { id: undoTask.id })
    modal.warning({
      title: `已撤销 ${success} 行，保留 ${failed} 行`,
      width: 640,
      content: <KeptRows rows={failures ?? []} />,
    })
  }
  const { run: askAndUndo, loading } = useRequest(
    async () => {
      const { undoable } = await call(taskApi.get, { id: task.id })
      if (!undoable) return void message.info('这次导入已经撤销，或超过一天不能撤销')
      modal.confirm({
        title: '撤销这次导入？',
        content: describeUndo(undoable),
        okText: '撤销导入',
        okButtonProps: { danger: true },
        onOk: () => undo().catch(() => {}),
      })
    },
    { manual: true, onError: () => {} },
  )
  if (!canOfferUndo(task)) return null
  return (
    <Button {...buttonProps} loading={loading} onClick={askAndUndo}>
      撤销导入
    </Button>
  )
}

function describeUndo({ created, updated }: NonNullable<TaskDetail['undoable']>) {
  const effects = [
    ...(created > 0 ? [`删除新增的 ${created} 行`] : []),
    ...(updated > 0 ? [`把更新的 ${updated} 行恢复为导入前的内容`] : []),
  ]
  return `${effects.join('，')}。逐行撤销：正被使用或导入后被修改的行保留，并列出原因。`
}

const KeptRows = ({ rows }: { rows: NonNullable<TaskDetail['failures']> }) => (
  <Table
    size="small"
    rowKey="line"
    dataSource={rows}
    pagination={false}
    scroll={{ y: 320 }}
    columns={[
      { title: '名称', dataIndex: 'name', ellipsis: true },
      { title: '保留的原因', dataIndex: 'reason' },
    ]}
  />
)
