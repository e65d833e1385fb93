import Table from 'antd/es/table'
import type { TableColumnsType } from 'antd'
import { useMemo } from 'react'
import { energySourceText } from '@iot/shared/contract/control/energy'
import type { EnergyArea } from '@iot/shared/contract/control/energy.schema'
import { createTree } from '@iot/shared/contract/tree'
import { formatWattHours } from './formatEnergy'

type AreaRow = EnergyArea & { children?: AreaRow[] }

/** Shows the consumption of areas: floors by their meters, rooms by their lamps, and sums above the floors. */
export function AreasTable({ areas }: { areas: EnergyArea[] }) {
  const rows = useMemo(() => {
    const ids = new Set(areas.map(({ id }) => id))
    const tree = createTree(
      areas
        .filter(({ id }) => id !== '')
        .map((area) => ({
          ...area,
          parentId: ids.has(area.parentId) ? area.parentId || null : null,
        })),
    )
    const projectRows = areas.filter(({ id }) => id === '')
    const areaRows = tree.nested<AreaRow>((area, childRows) => ({
      ...area,
      parentId: area.parentId ?? '',
      ...(childRows.length > 0 && { children: childRows }),
    }))
    return [...projectRows, ...areaRows]
  }, [areas])
  return (
    <Table<AreaRow>
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

const rightAligned = { align: 'right' } as const
const columns: TableColumnsType<AreaRow> = [
  { title: '区域', dataIndex: 'name' },
  { title: '用电', dataIndex: 'wattHours', ...rightAligned, render: formatWattHours },
  {
    title: '来源',
    dataIndex: 'source',
    width: 96,
    render: (source: EnergyArea['source']) => energySourceText[source],
  },
  { title: '其中灯具', dataIndex: 'lampWattHours', ...rightAligned, render: formatWattHours },
  { title: '灯（盏）', dataIndex: 'lamps', ...rightAligned },
  { title: '亮灯（盏·小时）', dataIndex: 'onHours', ...rightAligned },
  { title: '未知（盏·小时）', dataIndex: 'unknownHours', ...rightAligned },
]
