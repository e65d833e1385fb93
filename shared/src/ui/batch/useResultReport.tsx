import Table from 'antd/es/table'
import Tag from 'antd/es/tag'
import type { TableProps } from 'antd'
import type { RowResults } from '../../contract/fields.schema'
import { useFeedback } from '../feedback'

const resultColumns: TableProps<RowResults[number]>['columns'] = [
  { title: '名称', dataIndex: 'name', ellipsis: true },
  {
    title: '结果',
    dataIndex: 'ok',
    width: 80,
    render: (ok: boolean) => (ok ? '成功' : <Tag color="error">失败</Tag>),
  },
  { title: '原因', dataIndex: 'reason', render: (reason?: string) => reason ?? '—' },
]

/** Rows of a result shown at once; a table that draws visible rows alone would hide the rows from screen readers. */
const resultPageSize = 100

/** Returns a function that reports the results of a bulk operation: a message, or a table if rows failed. */
export function useResultReport() {
  const { modal, message } = useFeedback()
  return (verb: string, rows: RowResults, isQuiet = false) => {
    const failedRows = rows.filter(({ ok }) => !ok)
    if (failedRows.length === 0 && isQuiet) return
    if (failedRows.length === 0) return void message.success(`已${verb} ${rows.length} 条`)
    modal.warning({
      title: `${verb}：成功 ${rows.length - failedRows.length} 条，失败 ${failedRows.length} 条`,
      width: 640,
      content: (
        <Table
          size="small"
          rowKey="id"
          columns={resultColumns}
          dataSource={[...failedRows, ...rows.filter(({ ok }) => ok)]}
          pagination={{ pageSize: resultPageSize, hideOnSinglePage: true, showSizeChanger: false }}
          scroll={{ y: 320 }}
        />
      ),
    })
  }
}
