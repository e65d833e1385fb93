import useRequest from 'ahooks/es/useRequest'
import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Modal from 'antd/es/modal'
import Progress from 'antd/es/progress'
import Space from 'antd/es/space'
import Table from 'antd/es/table'
import { call } from '@iot/shared/client/call'
import type { RowResults } from '@iot/shared/contract/fields.schema'
import { taskApi } from '@iot/shared/contract/sheet/task.api'
import type { Task } from '@iot/shared/contract/sheet/task.schema'
import { DownloadSecrets } from '@iot/shared/ui/takeSecrets'
import { useMyTasks } from '@iot/shared/ui/useMyTasks'

/** The started task, if any device could be sent to it, and the devices that were left out. */
export type SecretsReplacement = { task: Task | undefined; outdatedRows: RowResults }
type ReplacedSecretsDialogProps = SecretsReplacement & { onClose: () => void }

/** Shows the result of replacing the secrets of many devices, and hands the new ones out once. */
export default function ReplacedSecretsDialog({
  task: startedTask,
  outdatedRows,
  onClose,
}: ReplacedSecretsDialogProps) {
  const task = useMyTasks().tasks.find(({ id }) => id === startedTask?.id) ?? startedTask
  const isDone = !task || task.doneTime !== null
  const { data: detail } = useRequest(() => call(taskApi.get, { id: task!.id }, { quiet: true }), {
    ready: task !== undefined && isDone,
  })
  const failures = [...outdatedRows, ...(detail?.failures ?? [])]
  const { success = 0, failed = 0 } = task?.counts ?? {}
  const failedCount = failed + outdatedRows.length
  return (
    <Modal
      open
      width={560}
      title="更换密钥"
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        <Space>
          <Button onClick={onClose}>{isDone ? '完成' : '在后台继续'}</Button>
          {task && isDone && <DownloadSecrets task={task} type="primary" />}
        </Space>
      }
    >
      {isDone ? (
        <Flex vertical gap={12}>
          <Alert
            showIcon
            type={task?.status === 'failed' ? 'error' : failedCount > 0 ? 'warning' : 'success'}
            title={`成功 ${success} 台，失败 ${failedCount} 台`}
            description={task?.reason || undefined}
          />
          {failures.length > 0 && (
            <Table
              size="small"
              rowKey={({ name, reason }) => `${name} ${reason}`}
              dataSource={failures}
              pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
              columns={[
                { title: '名称', dataIndex: 'name', ellipsis: true },
                { title: '失败原因', dataIndex: 'reason' },
              ]}
            />
          )}
        </Flex>
      ) : (
        <Progress aria-label="进度" percent={0} status="active" />
      )}
    </Modal>
  )
}
