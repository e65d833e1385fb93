import useRequest from 'ahooks/es/useRequest'
import Empty from 'antd/es/empty'
import Space from 'antd/es/space'
import Table from 'antd/es/table'
import type { TableColumnsType } from 'antd'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { type CategoryDetail, CategoryVersion } from '@iot/shared/contract/product/category.schema'
import { productCategoryApi } from '@iot/shared/contract/product/category.api'
import { countFunctions, compareModels } from '@iot/shared/contract/thingModel/modelDifference'
import { column } from '@iot/shared/ui/field'
import { Select } from '@iot/shared/ui/select'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { ModelDifference } from '../thingModel/ModelDifference'

const emptyModel = { properties: [], services: [], events: [] }
const draftNumber = 0

/** Lists the published versions with their changes; any two versions can be compared. */
export default function CategoryVersions({ category }: { category: CategoryDetail }) {
  const { id, model, modelVersion } = category
  const {
    data: versions = [],
    error,
    loading,
    refresh,
  } = useRequest(() => call(productCategoryApi.versions, { id }, { inline: true }), {
    refreshDeps: [id, modelVersion],
  })
  const [olderNumber, setOlderNumber] = useState<number>()
  const [newerNumber, setNewerNumber] = useState(draftNumber)
  const getVersionModel = (number: number) =>
    number === draftNumber
      ? model
      : (versions.find((version) => version.number === number)?.model ?? emptyModel)
  const comparedNumber = olderNumber ?? versions[0]?.number

  const columns: TableColumnsType<CategoryVersion> = [
    { ...column(CategoryVersion, 'number'), width: 80, render: (number) => `版本 ${number}` },
    { ...column(CategoryVersion, 'note'), ellipsis: true },
    { title: '功能数', width: 80, align: 'right', render: (_, row) => countFunctions(row.model) },
    {
      title: '变化',
      width: 100,
      render: (_, { number, model }) =>
        `${compareModels(getVersionModel(number - 1 || -1), model).length} 处`,
    },
    { ...column(CategoryVersion, 'createBy'), width: 120 },
    { ...column(CategoryVersion, 'createTime'), width: 170 },
  ]
  const versionOptions = versions.map(({ number }) => ({ value: number, label: `版本 ${number}` }))

  return (
    <>
      {error && (
        <LoadErrorAlert why={error.message} hasRows={versions.length > 0} onRetry={refresh} />
      )}
      <Table<CategoryVersion>
        rowKey="number"
        size="small"
        loading={loading}
        columns={columns}
        dataSource={versions}
        pagination={false}
        expandable={{
          expandedRowRender: ({ number, model }) => (
            <ModelDifference changes={compareModels(getVersionModel(number - 1 || -1), model)} />
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
      {comparedNumber !== undefined && (
        <>
          <Space style={{ margin: '16px 0' }}>
            比较
            <Select
              aria-label="从"
              value={comparedNumber}
              options={versionOptions}
              onChange={setOlderNumber}
            />
            与
            <Select
              aria-label="到"
              value={newerNumber}
              options={[{ value: draftNumber, label: '草稿' }, ...versionOptions]}
              onChange={setNewerNumber}
            />
          </Space>
          <ModelDifference
            changes={compareModels(getVersionModel(comparedNumber), getVersionModel(newerNumber))}
          />
        </>
      )}
    </>
  )
}
