import useRequest from 'ahooks/es/useRequest'
import Table from 'antd/es/table'
import { call } from '@iot/shared/client/call'
import { productApi } from '@iot/shared/contract/product/product.api'
import { formatValue } from '@iot/shared/ui/field'
import { LoadErrorAlert, buildEmptyLocale } from '@iot/shared/ui/usePage'

type ProductChangesProps = { id: string; version: number }

/** Lists the audit log of a product, newest first. */
export default function ProductChanges({ id, version }: ProductChangesProps) {
  const { data, error, loading, refresh } = useRequest(
    () => call(productApi.changes, { id }, { inline: true }),
    { refreshDeps: [id, version] },
  )
  return (
    <>
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      <Table
        rowKey="id"
        size="small"
        loading={loading}
        dataSource={data}
        pagination={{ pageSize: 20, hideOnSinglePage: true, showSizeChanger: false }}
        locale={buildEmptyLocale(data, '还没有变更')}
        columns={[
          { title: '时间', dataIndex: 'time', width: 170, render: formatValue },
          { title: '用户', dataIndex: 'username', width: 120 },
          { title: '操作', dataIndex: 'verb', width: 140 },
          {
            title: '修改内容',
            render: (_, { ok, reason, changes }) =>
              ok
                ? changes.map(({ field, title, before, after }) => (
                    <div key={field}>
                      {title}：{before || '—'} → {after || '—'}
                    </div>
                  ))
                : `未成功：${reason}`,
          },
        ]}
      />
    </>
  )
}
