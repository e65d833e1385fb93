import { Table, type TableColumnsType } from 'antd'
import { useMemo } from 'react'
import { sourceText, type EnergyArea } from '@iot/shared/contract/energy'
import { treeOf } from '@iot/shared/contract/tree'
import { kilowattHours } from './words'

type Row = EnergyArea & { children?: Row[] }

/** Shows the consumption of areas: floors by their meters, rooms by their lamps, and sums above the floors. */
export function Areas({ areas }: { areas: EnergyArea[] }) {
  const rows = useMemo(() => {
    const ids = new Set(areas.map(({ id }) => id))
    const tree = treeOf(
      areas
        .filter(({ id }) => id !== '')
        .map((one) => ({ ...one, parentId: ids.has(one.parentId) ? one.parentId || null : null })),
    )
    const whole = areas.filter(({ id }) => id === '')
    const nested = tree.nested<Row>((area, below) => ({
      ...area,
      parentId: area.parentId ?? '',
      ...(below.length > 0 && { children: below }),
    }))
    return [...whole, ...nested]
  }, [areas])
  return (
    <Table<Row>
      size="small"
      rowKey="id"
      columns={columns}
      dataSource={rows}
      pagination={false}
      defaultExpandedRowKeys={rows.map(({ id }) => id)}
      locale={{ emptyText: '没有上报过开关的灯具，也没有电表' }}
      scroll={{ x: 'max-content' }}
    />
  )
}

const number = { align: 'right' } as const
const columns: TableColumnsType<Row> = [
  { title: '区域', dataIndex: 'name' },
  { title: '用电', dataIndex: 'wattHours', ...number, render: kilowattHours },
  {
    title: '来源',
    dataIndex: 'source',
    width: 96,
    render: (source: EnergyArea['source']) => sourceText[source],
  },
  { title: '其中灯具', dataIndex: 'lampWattHours', ...number, render: kilowattHours },
  { title: '灯（盏）', dataIndex: 'lamps', ...number },
  { title: '亮灯（盏·小时）', dataIndex: 'onHours', ...number },
  { title: '未知（盏·小时）', dataIndex: 'unknownHours', ...number },
]
