import { useRequest } from 'ahooks'
import { Button, Flex, Input, Segmented, Table, type TableColumnsType } from 'antd'
import { useState, type Key } from 'react'
import { call } from '@iot/shared/client/call'
import { energyApi, EnergyLamp, soonPercent, sourceText } from '@iot/shared/contract/energy'
import { column } from '@iot/shared/ui/field'
import { Export } from '@iot/shared/ui/importExport'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { Right } from '@iot/shared/ui/right'
import { FailedLine, whenEmpty } from '@iot/shared/ui/usePage'
import { zoned } from '@iot/shared/client/zone'
import { kilowattHours } from './words'

const ReplaceForm = lazyPart(() => import('./ReplaceForm'))
const pageSize = 20

type LampsProps = {
  projectId: number
  from: string
  to: string
  /** Shows operating hours and remaining life instead of consumption. */
  isLife?: boolean
  /** This number of lamps is near the end of their life. */
  soon?: number
  onReplaced?: () => void
}

/** Lists each lamp with its consumption and lit time, or with its remaining life. */
export function Lamps({ projectId, from, to, isLife = false, soon = 0, onReplaced }: LampsProps) {
  const [name, setName] = useState('')
  const [life, setLife] = useState<'due' | 'soon' | 'all'>('due')
  const [sort, setSort] = useState(isLife ? '-used' : '-wattHours')
  const [pageNo, setPageNo] = useState(1)
  const [ticked, setTicked] = useState<Key[]>([])
  const [replaced, setReplaced] = useState<string[]>()
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
  const number = (field: keyof EnergyLamp & string) => ({
    ...column(EnergyLamp, field),
    align: 'right' as const,
    sorter: true,
    sortOrder:
      sort === field ? ('ascend' as const) : sort === `-${field}` ? ('descend' as const) : null,
  })
  const columns: TableColumnsType<EnergyLamp> = [
    { ...column(EnergyLamp, 'name'), ellipsis: true },
    { ...column(EnergyLamp, 'place'), ellipsis: true },
    ...(isLife
      ? [
          number('lifeHours'),
          {
            ...column(EnergyLamp, 'ratedLifeHours'),
            align: 'right' as const,
            render: (hours: number | null) => hours ?? '未填写',
          },
          {
            ...number('used'),
            render: (used: number | null) =>
              used === null ? '未知' : `${used}%${used >= 100 ? ' 已到' : ''}`,
          },
          {
            ...column(EnergyLamp, 'replacedTime'),
            render: (time: string | null, { replacedBy }: EnergyLamp) =>
              time ? `${zoned(time).format('YYYY-MM-DD')} ${replacedBy}` : '没有登记',
          },
        ]
      : [
          {
            ...number('wattHours'),
            title: '用电',
            render: (wattHours: number | null, { ratedPower }: EnergyLamp) =>
              wattHours === null && ratedPower === null ? '未填额定功率' : kilowattHours(wattHours),
          },
          {
            ...column(EnergyLamp, 'source'),
            width: 88,
            render: (source: EnergyLamp['source']) => sourceText[source],
          },
          number('onHours'),
          { ...column(EnergyLamp, 'unknownHours'), align: 'right' as const },
        ]),
  ]

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
          <Segmented
            value={life}
            onChange={(value: typeof life) => {
              setLife(value)
              setPageNo(1)
            }}
            options={[
              { value: 'due', label: '已到额定寿命' },
              { value: 'soon', label: `达到 ${soonPercent}%${soon > 0 ? `（${soon}）` : ''}` },
              { value: 'all', label: '全部' },
            ]}
          />
        )}
        <span style={{ flex: 1 }} />
        <Export from={energyApi.exportRows} input={input} />
        {isLife && (
          <Right to={energyApi.replace} unless={ticked.length === 0 && '请先勾选换过的灯'}>
            <Button type="primary" onClick={() => setReplaced(ticked.map(String))}>
              登记更换{ticked.length > 0 && ` ${ticked.length} 盏`}
            </Button>
          </Right>
        )}
      </Flex>
      {error && <FailedLine why={error.message} hasRows={!!data} onRetry={refresh} />}
      <Table<EnergyLamp>
        size="small"
        rowKey="id"
        columns={columns}
        dataSource={data?.list}
        loading={loading && !data}
        locale={whenEmpty(
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
                selectedRowKeys: ticked,
                preserveSelectedRowKeys: true,
                onChange: setTicked,
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
        pagination={{
          current: pageNo,
          pageSize,
          total: data?.total,
          onChange: setPageNo,
          hideOnSinglePage: true,
          showSizeChanger: false,
        }}
      />
      {replaced && (
        <ReplaceForm
          projectId={projectId}
          ids={replaced}
          onSaved={() => {
            setTicked([])
            refresh()
            onReplaced?.()
          }}
          onClose={() => setReplaced(undefined)}
        />
      )}
    </>
  )
}
