import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Input from 'antd/es/input'
import Segmented from 'antd/es/segmented'
import Table from 'antd/es/table'
import type { TableColumnsType } from 'antd'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { replaceSoonPercent, energySourceText } from '@iot/shared/contract/control/energy'
import { EnergyLamp } from '@iot/shared/contract/control/energy.schema'
import { energyApi } from '@iot/shared/contract/control/energy.api'
import { column } from '@iot/shared/ui/field'
import { ExportButton } from '@iot/shared/ui/importExport'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Can } from '@iot/shared/ui/right'
import { buildEmptyLocale, buildInnerPagination, LoadErrorAlert } from '@iot/shared/ui/usePage'
import { formatPageTime } from '@iot/shared/client/zone'
import { formatWattHours } from './formatEnergy'

const ReplaceForm = lazyDialog(() => import('./ReplaceForm'))
const pageSize = 20
type LifeRange = 'due' | 'soon' | 'all'

type LampsTableProps = {
  projectId: number
  from: string
  to: string
  /** Shows operating hours and remaining life instead of consumption. */
  isLife?: boolean
  /** This number of lamps is near the end of their life. */
  soon?: number
  onReplaced?: () => void
}

/** Returns the selected lamps as the list shows them now; those of other pages are as they were selected. */
function toShownLamps(selectedLamps: EnergyLamp[], shownLamps: EnergyLamp[] = []) {
  const shownById = new Map(shownLamps.map((lamp) => [lamp.id, lamp]))
  return selectedLamps.map((lamp) => shownById.get(lamp.id) ?? lamp)
}

/** Lists each lamp with its consumption and lit time, or with its remaining life. */
export function LampsTable({
  projectId,
  from,
  to,
  isLife = false,
  soon = 0,
  onReplaced,
}: LampsTableProps) {
  const [name, setName] = useState('')
  const [life, setLife] = useState<LifeRange>('due')
  const [sort, setSort] = useState(isLife ? '-used' : '-wattHours')
  const [pageNo, setPageNo] = useState(1)
  const [selectedLamps, setSelectedLamps] = useState<EnergyLamp[]>([])
  const [lampsToReplace, setLampsToReplace] = useState<EnergyLamp[]>()
  const input = {
    projectId,
    from,
    to,
    sort,
    ...(name && { name }),
    ...(isLife && life !== 'all' && { life }),
  }
  const { data, error, loading, refresh } = useRequest(
    () => call(energyApi.lamps, { ...input, pageNo, pageSize }, { quiet: true }),
    { refreshDeps: [JSON.stringify(input), pageNo] },
  )

  return (
    <>
      <Flex gap={12} wrap align="center" style={{ marginBottom: 12 }}>
        <Input.Search
          placeholder="设备名称"
          allowClear
          style={{ width: 200 }}
          onSearch={(text) => {
            setName(text.trim())
            setPageNo(1)
          }}
        />
        {isLife && (
          <LifeFilter
            value={life}
            soon={soon}
            onChange={(value) => {
              setLife(value)
              setPageNo(1)
            }}
          />
        )}
        <span style={{ flex: 1 }} />
        <ExportButton from={energyApi.exportRows} input={input} />
        {isLife && (
          <Can to={energyApi.replace} unless={selectedLamps.length === 0 && '请先勾选换过的灯'}>
            <Button
              type="primary"
              onClick={() => setLampsToReplace(toShownLamps(selectedLamps, data?.list))}
            >
              登记更换{selectedLamps.length > 0 && ` ${selectedLamps.length} 盏`}
            </Button>
          </Can>
        )}
      </Flex>
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      <Table<EnergyLamp>
        size="small"
        rowKey="id"
        columns={isLife ? createLifeColumns(sort) : createConsumptionColumns(sort)}
        dataSource={data?.list}
        loading={loading && !data}
        locale={buildEmptyLocale(
          data,
          name
            ? '没有叫这个名称的灯'
            : isLife && life !== 'all'
              ? '没有到寿命的灯'
              : '没有上报过开关的灯具',
        )}
        scroll={{ x: 'max-content' }}
        rowSelection={
          isLife
            ? {
                selectedRowKeys: selectedLamps.map(({ id }) => id),
                preserveSelectedRowKeys: true,
                onChange: (_, lamps) => setSelectedLamps(lamps),
                getTitleCheckboxProps: () => ({ 'aria-label': '全选本页' }),
                getCheckboxProps: (lamp) => ({ 'aria-label': `选择“${lamp.name}”` }),
              }
            : undefined
        }
        onChange={(_, __, sorter) => {
          if (Array.isArray(sorter) || !sorter.field) return
          const field = String(sorter.field)
          setSort(sorter.order === 'ascend' ? field : `-${field}`)
        }}
        pagination={buildInnerPagination({ pageNo, pageSize, total: data?.total }, setPageNo)}
      />
      {lampsToReplace && (
        <ReplaceForm
          projectId={projectId}
          lamps={lampsToReplace}
          onSaved={() => {
            setSelectedLamps([])
            refresh()
            onReplaced?.()
          }}
          onClose={() => setLampsToReplace(undefined)}
        />
      )}
    </>
  )
}

type LifeFilterProps = {
  value: LifeRange
  soon: number
  onChange: (value: LifeRange) => void
}

/** Limits the lamps to those at the end of their rated life or near it. */
const LifeFilter = ({ value, soon, onChange }: LifeFilterProps) => (
  <Segmented
    value={value}
    onChange={onChange}
    options={[
      { value: 'due', label: '已到额定寿命' },
      {
        value: 'soon',
        label: `达到 ${replaceSoonPercent}%${soon > 0 ? `（${soon}）` : ''}`,
      },
      { value: 'all', label: '全部' },
    ]}
  />
)

const createNumberColumn = (field: keyof EnergyLamp, sort: string) => ({
  ...column(EnergyLamp, field),
  align: 'right' as const,
  sorter: true,
  sortOrder:
    sort === field ? ('ascend' as const) : sort === `-${field}` ? ('descend' as const) : null,
})
const nameColumns: TableColumnsType<EnergyLamp> = [
  { ...column(EnergyLamp, 'name'), ellipsis: true },
  { ...column(EnergyLamp, 'place'), ellipsis: true },
]
const createLifeColumns = (sort: string): TableColumnsType<EnergyLamp> => [
  ...nameColumns,
  createNumberColumn('lifeHours', sort),
  {
    ...column(EnergyLamp, 'ratedLifeHours'),
    align: 'right' as const,
    render: (hours: number | null) => hours ?? '未填写',
  },
  {
    ...createNumberColumn('used', sort),
    render: (usedPercent: number | null) =>
      usedPercent === null ? '未知' : `${usedPercent}%${usedPercent >= 100 ? ' 已到' : ''}`,
  },
  {
    ...column(EnergyLamp, 'replacedTime'),
    render: (time: string | null, { replacedBy }: EnergyLamp) =>
      time ? `${formatPageTime(time, 'YYYY-MM-DD')} ${replacedBy}` : '没有登记',
  },
]
const createConsumptionColumns = (sort: string): TableColumnsType<EnergyLamp> => [
  ...nameColumns,
  {
    ...createNumberColumn('wattHours', sort),
    title: '用电',
    render: (wattHours: number | null, { ratedPower }: EnergyLamp) =>
      wattHours === null && ratedPower === null ? '未填额定功率' : formatWattHours(wattHours),
  },
  {
    ...column(EnergyLamp, 'source'),
    width: 88,
    render: (source: EnergyLamp['source']) => energySourceText[source],
  },
  createNumberColumn('onHours', sort),
  { ...column(EnergyLamp, 'unknownHours'), align: 'right' as const },
]
