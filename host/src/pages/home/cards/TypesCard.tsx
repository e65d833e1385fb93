import useRequest from 'ahooks/es/useRequest'
import Skeleton from 'antd/es/skeleton'
import Table from 'antd/es/table'
import type { TableColumnsType } from 'antd'
import { useAtomValue } from 'jotai'
import { call } from '@iot/shared/client/call'
import type { DeviceState, TypeCount } from '@iot/shared/contract/device/device.schema'
import { deviceApi } from '@iot/shared/contract/device/device.api'
import { deviceStateText } from '@iot/shared/contract/device/managedDevice'
import { TypeIcon } from '@iot/shared/plan/typeIcon'
import { useTypeLooks, type TypeLooks } from '@iot/shared/plan/typeLooks'
import { liveReloadAtom } from '@iot/shared/session/live'
import { Card } from '@iot/shared/ui/card'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'

type TypesCardProps = { title: string; projectId: number; spaceId?: string; groupId?: string }

const pollIntervalMs = 15_000
const createCountColumn = (state: DeviceState) => ({
  title: deviceStateText[state],
  dataIndex: state,
  width: 60,
  align: 'right' as const,
})
const createColumns = (looks: TypeLooks): TableColumnsType<TypeCount> => [
  {
    title: '设备类型',
    dataIndex: 'typeName',
    ellipsis: true,
    render: (name: string, { productType }) => (
      <>
        <TypeIcon look={looks.get(productType)} />
        {name}
      </>
    ),
  },
  createCountColumn('online'),
  createCountColumn('offline'),
  createCountColumn('inactive'),
  createCountColumn('disabled'),
]

/** Shows the number of devices per product type and state. */
export function TypesCard({ title, projectId, spaceId, groupId }: TypesCardProps) {
  const reload = useAtomValue(liveReloadAtom)
  const looks = useTypeLooks()
  const { data, error, refresh } = useRequest(
    () => call(deviceApi.types, { projectId, spaceId, groupId }, { quiet: true }),
    {
      refreshDeps: [projectId, spaceId, groupId, reload],
      pollingInterval: pollIntervalMs,
      pollingWhenHidden: false,
    },
  )
  return (
    <Card title={title}>
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      {!data && !error && <Skeleton active title={false} paragraph={{ rows: 3 }} />}
      {data && (
        <Table<TypeCount>
          size="small"
          rowKey="productType"
          columns={createColumns(looks)}
          dataSource={data}
          pagination={false}
          locale={{
            emptyText: groupId
              ? '这个组现在没有设备，请在“设备管理”的“设备组”里修改'
              : '这里还没有设备，可在设备管理里登记',
          }}
        />
      )}
    </Card>
  )
}
