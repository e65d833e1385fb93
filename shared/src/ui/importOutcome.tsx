import useRequest from 'ahooks/es/useRequest'
import Alert from 'antd/es/alert'
import Flex from 'antd/es/flex'
import Table from 'antd/es/table'
import { call } from '../client/call'
import type { ImportFailure } from '../contract/sheet/sheet.schema'
import { countFinishedItems } from '../contract/sheet/task'
import type { Task } from '../contract/sheet/task.schema'
import { taskApi } from '../contract/sheet/task.api'

/** Shows the result of a finished import. */
export function ImportOutcome({ task }: { task: Task }) {
  const { id, status, counts, total, reason } = task
  const { data } = useRequest(() => call(taskApi.get, { id }, { quiet: true }))
  const unprocessedCount = total - countFinishedItems(task)
  const { success = 0, failed = 0, skipped = 0, created = 0, updated = 0 } = counts
  const summary = [
    `成功 ${success} 行${updated > 0 ? `（新增 ${created}，更新 ${updated}）` : ''}`,
    `失败 ${failed} 行`,
    ...(skipped > 0 ? [`未变 ${skipped} 行`] : []),
    ...(unprocessedCount > 0 ? [`未处理 ${unprocessedCount} 行`] : []),
  ].join('，')
  return (
    <Flex vertical gap={12}>
      <Alert
        showIcon
        type={status === 'failed' ? 'error' : failed || unprocessedCount ? 'warning' : 'success'}
        title={status === 'cancelled' ? `已停止：${summary}` : summary}
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

/** @deprecated Use {@link ImportOutcome}; kept for remotes that were built before. */
export const Outcome = ImportOutcome
