import Alert from 'antd/es/alert'
import Flex from 'antd/es/flex'
import Table from 'antd/es/table'
import Tag from 'antd/es/tag'
import type { TableColumnsType } from 'antd'
import { plannedActionText } from '../contract/sheet/sheet'
import type { ImportFailure, PlannedAction, PreviewRow } from '../contract/sheet/sheet.schema'
import type { TaskDetail } from '../contract/sheet/task.schema'

const colorByAction: Record<PlannedAction, string> = {
  create: 'success',
  update: 'processing',
  same: 'default',
  refuse: 'error',
}

/** Returns the number of rows that a confirmation stores. */
export const countStorableRows = ({ counts }: Pick<TaskDetail, 'counts'>) =>
  (counts.create ?? 0) + (counts.update ?? 0)

type PreviewProps = { preview: TaskDetail; notices: string[]; fileName: string }

/** Shows the effects of an import before anything is stored. */
export function ImportPreviewPanel({
  preview: { counts, total, preview, failures = [] },
  notices,
  fileName,
}: PreviewProps) {
  const summaryParts = (Object.keys(plannedActionText) as PlannedAction[])
    .filter((action) => counts[action] || action === 'create' || action === 'refuse')
    .map((action) => `${plannedActionText[action]} ${counts[action] ?? 0} 行`)
  const { titles = [], rows = [], unknown = [] } = preview ?? {}
  const allNotices = [
    ...notices,
    ...(unknown.length > 0 ? [`这些列不导入：${unknown.join('、')}`] : []),
  ]
  const refusedCount = counts.refuse ?? 0
  return (
    <Flex vertical gap={12}>
      <Alert
        showIcon
        type={refusedCount > 0 ? 'warning' : 'info'}
        title={`${summaryParts.join('，')}；还没有导入`}
        description={allNotices.length > 0 && <Notices lines={allNotices} />}
      />
      {failures.length > 0 && (
        <Table<ImportFailure>
          size="small"
          rowKey="line"
          dataSource={failures}
          scroll={{ x: 480 }}
          title={() =>
            refusedCount > failures.length ? `被拒绝的行（前 ${failures.length} 行）` : '被拒绝的行'
          }
          pagination={{ pageSize: 5, hideOnSinglePage: true, showSizeChanger: false }}
          columns={[
            { title: '行号', dataIndex: 'line', width: 64 },
            { title: '名称', dataIndex: 'name', width: 160, ellipsis: true },
            { title: '原因', dataIndex: 'reason' },
          ]}
        />
      )}
      <Table<PreviewRow>
        size="small"
        rowKey="line"
        dataSource={rows}
        scroll={{ x: 'max-content', y: 280 }}
        title={() =>
          `${fileName} 的${total > rows.length ? `前 ${rows.length} 行，共 ${total} 行` : '内容'}`
        }
        pagination={false}
        columns={buildColumns(titles)}
      />
    </Flex>
  )
}

const Notices = ({ lines }: { lines: string[] }) => (
  <ul style={{ margin: 0, paddingInlineStart: 20 }}>
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
)

const buildColumns = (titles: string[]): TableColumnsType<PreviewRow> => [
  { title: '行号', dataIndex: 'line', width: 64, fixed: 'left' },
  {
    title: '结果',
    width: 76,
    fixed: 'left',
    render: (_, { action }) => <Tag color={colorByAction[action]}>{plannedActionText[action]}</Tag>,
  },
  ...titles.map((title, i) => ({
    title,
    key: `${i}`,
    render: (_: unknown, { cells }: PreviewRow) => (
      <span style={{ whiteSpace: 'pre-wrap', wordBreak: 'break-all' }}>{cells[i]}</span>
    ),
    onCell: () => ({ style: { maxWidth: 240 } }),
  })),
  {
    title: '说明',
    dataIndex: 'note',
    width: 280,
    render: (note: string) => <span style={{ whiteSpace: 'pre-wrap' }}>{note}</span>,
  },
]

/** @deprecated Use {@link ImportPreviewPanel}; kept for remotes that were built before. */
export const Preview = ImportPreviewPanel

/** @deprecated Use {@link countStorableRows}; kept for remotes that were built before. */
export const storableCount = countStorableRows
