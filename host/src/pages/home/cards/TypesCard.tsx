import { useRequest } from 'ahooks'
import { Skeleton, Table, type TableColumnsType } from 'antd'
import { useAtomValue } from 'jotai'
import { call } from '@iot/shared/client/call'
import { deviceApi, type DeviceState, type TypeCount } from '@iot/shared/contract/device'
import { deviceStateText } from '@iot/shared/contract/managedDevice'
import { liveReloadAtom } from '@iot/shared/session/live'
import { FailedLine } from '@iot/shared/ui/usePage'
import { Framed } from './CardBody'

type TypesCardProps = { title: string; projectId: number; spaceId: string | null }

const every = 15_000
const count = (state: DeviceState) => ({
  title: deviceStateText[state],
  dataIndex: state,
  width: 72,
  align: 'right' as const,
})
const columns: TableColumnsType<TypeCount> = [
  { title: '设备类型', dataIndex: 'typeName', ellipsis: true },
  count('online'),
  count('offline'),
  count('inactive'),
  count('disabled'),
]

/** How many devices of each type there are, by state. */
export function TypesCard({ title, projectId, spaceId }: TypesCardProps) {
  const reload = useAtomValue(liveReloadAtom)
  const { data, error, refresh } = useRequest(
    () => call(deviceApi.types, { projectId, ...(spaceId && { spaceId }) }, { quiet: true }),
    {
      refreshDeps: [projectId, spaceId, reload],
      pollingInterval: every,
      pollingWhenHidden: false,
    },
  )
  return (
    <Framed title={title}>
      {error && <FailedLine why={error.message} hasRows={!!data} onRetry={refresh} />}
      {!data && !error && <Skeleton active title={false} paragraph={{ rows: 3 }} />}
      {data && (
        <Table<TypeCount>
          size="small"
          rowKey="productType"
          columns={columns}
          dataSource={data}
          pagination={false}
          locale={{ emptyText: '这里还没有设备，可在设备管理里登记' }}
        />
      )}
    </Framed>
  )
}
