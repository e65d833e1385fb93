import Empty from 'antd/es/empty'
import Table from 'antd/es/table'
import type { TableColumnsType } from 'antd'
import type { FunctionChange } from '@iot/shared/contract/thingModel/modelDifference'
import { kindText } from '@iot/shared/contract/thingModel/thingText'

const changeText = { added: '＋ 新增', removed: '－ 删除', changed: '改动', order: '改动' }
const columns: TableColumnsType<FunctionChange> = [
  { title: '变化', width: 80, render: (_, { change }) => changeText[change] },
  {
    title: '功能',
    width: 220,
    render: (_, { kind, name, identifier }) => (
      <>
        {kindText[kind]} {name} <code style={{ fontSize: 12 }}>{identifier}</code>
      </>
    ),
  },
  {
    title: '内容',
    render: (_, { changes }) =>
      changes.map(({ title, before, after }) => (
        <div key={title}>
          {title}：{before || '—'} → {after || '—'}
        </div>
      )),
  },
]

type ModelDifferenceProps = { changes: FunctionChange[]; empty?: string }

/** Shows the differences between two thing models per function. */
export const ModelDifference = ({ changes, empty = '没有差异' }: ModelDifferenceProps) =>
  changes.length === 0 ? (
    <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={empty} />
  ) : (
    <Table<FunctionChange>
      size="small"
      rowKey={({ change, kind, identifier }) => `${change}/${kind}/${identifier}`}
      columns={columns}
      dataSource={changes}
      pagination={false}
      scroll={{ y: 320 }}
    />
  )
