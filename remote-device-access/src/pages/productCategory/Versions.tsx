import { useRequest } from 'ahooks'
import { Empty, Select, Space, Table, type TableColumnsType } from 'antd'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import {
  type CategoryDetail,
  CategoryVersion,
  productCategoryApi,
} from '@iot/shared/contract/category'
import { countOf, differenceOf } from '@iot/shared/contract/modelDifference'
import { column } from '@iot/shared/ui/field'
import { FailedLine } from '@iot/shared/ui/usePage'
import { Difference } from '../thingModel/Difference'

const nothing = { properties: [], services: [], events: [] }
const draft = 0

/** Lists the published versions with their changes; any two versions can be compared. */
export default function Versions({ category }: { category: CategoryDetail }) {
  const { id, model, modelVersion } = category
  const {
    data: versions = [],
    error,
    loading,
    refresh,
  } = useRequest(() => call(productCategoryApi.versions, { id }, { inline: true }), {
    refreshDeps: [id, modelVersion],
  })
  const [from, setFrom] = useState<number>()
  const [to, setTo] = useState(draft)
  const modelOf = (number: number) =>
    number === draft ? model : (versions.find((one) => one.number === number)?.model ?? nothing)
  const older = from ?? versions[0]?.number

  const columns: TableColumnsType<CategoryVersion> = [
    { ...column(CategoryVersion, 'number'), width: 80, render: (number) => `版本 ${number}` },
    { ...column(CategoryVersion, 'note'), ellipsis: true },
    { title: '功能数', width: 80, align: 'right', render: (_, row) => countOf(row.model) },
    {
      title: '变化',
      width: 100,
      render: (_, { number, model }) =>
        `${differenceOf(modelOf(number - 1 || -1), model).length} 处`,
    },
    { ...column(CategoryVersion, 'createBy'), width: 120 },
    { ...column(CategoryVersion, 'createTime'), width: 170 },
  ]
  const numbers = versions.map(({ number }) => ({ value: number, label: `版本 ${number}` }))

  return (
    <>
      {error && <FailedLine why={error.message} hasRows={versions.length > 0} onRetry={refresh} />}
      <Table<CategoryVersion>
        rowKey="number"
        size="small"
        loading={loading}
        columns={columns}
        dataSource={versions}
        pagination={false}
        expandable={{
          expandedRowRender: ({ number, model }) => (
            <Difference changes={differenceOf(modelOf(number - 1 || -1), model)} />
          ),
        }}
        locale={{
          emptyText: error ? (
            ' '
          ) : (
            <Empty
              image={Empty.PRESENTED_IMAGE_SIMPLE}
              description="还没有发布过，在“标准功能”里编辑后点“发布新版本”"
            />
          ),
        }}
      />
      {older !== undefined && (
        <>
          <Space style={{ margin: '16px 0' }}>
            比较
            <Select aria-label="从" value={older} options={numbers} onChange={setFrom} />
            与
            <Select
              aria-label="到"
              value={to}
              options={[{ value: draft, label: '草稿' }, ...numbers]}
              onChange={setTo}
            />
          </Space>
          <Difference changes={differenceOf(modelOf(older), modelOf(to))} />
        </>
      )}
    </>
  )
}
