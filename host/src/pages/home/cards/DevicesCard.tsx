import useRequest from 'ahooks/es/useRequest'
import Empty from 'antd/es/empty'
import Table from 'antd/es/table'
import type { TableColumnsType } from 'antd'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { deviceStateText } from '@iot/shared/contract/device/managedDevice'
import { ManagedDevice } from '@iot/shared/contract/device/managedDevice.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { getCardScope } from '@iot/shared/contract/project/viewCard'
import type { CardConfig } from '@iot/shared/contract/project/viewCard.schema'
import { TypeIcon } from '@iot/shared/plan/typeIcon'
import { useTypeLooks } from '@iot/shared/plan/typeLooks'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { liveReloadAtom } from '@iot/shared/session/live'
import { Card } from '@iot/shared/ui/card'
import { column } from '@iot/shared/ui/field'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { toScopeParams } from './scope'

type DevicesCardProps = {
  title: string
  projectId: number
  config: Extract<CardConfig, { kind: 'devices' }>
}
const pageSize = 20
/** The card polls at this interval in ms, because the live channel does not carry presence. */
const pollIntervalMs = 15_000

export function DevicesCard({ title, projectId, config }: DevicesCardProps) {
  const { state } = config
  const { spaceId, groupId } = toScopeParams(getCardScope(config))
  const can = useCan()
  const looks = useTypeLooks()
  const reload = useAtomValue(liveReloadAtom)
  const [pageNo, setPageNo] = useState(1)
  const canListDevices = can(managedDeviceApi.page)
  const { data, error, loading, refresh } = useRequest(
    () =>
      call(
        managedDeviceApi.page,
        {
          projectId,
          pageNo,
          pageSize,
          sort: 'name',
          spaceId,
          groupId,
          ...(state && { state }),
        },
        { quiet: true },
      ),
    {
      ready: canListDevices,
      refreshDeps: [projectId, spaceId, groupId, state, pageNo, reload],
      pollingInterval: pollIntervalMs,
      pollingWhenHidden: false,
    },
  )
  const columns: TableColumnsType<ManagedDevice> = [
    {
      ...column(ManagedDevice, 'name'),
      ellipsis: true,
      render: (name: string, { id, state, productType }) => (
        <>
          <TypeIcon look={looks.get(productType)} variant={state === 'online' ? 'on' : 'offline'} />
          {can(managedDeviceApi.get) ? (
            <Link to={`${paths.deviceAccess.device()}/${id}`}>{name}</Link>
          ) : (
            name
          )}
        </>
      ),
    },
    {
      ...column(ManagedDevice, 'state'),
      width: 72,
      render: (item: ManagedDevice['state']) => deviceStateText[item],
    },
    { ...column(ManagedDevice, 'place'), ellipsis: true },
  ]

  return (
    <Card title={title}>
      {!canListDevices && (
        <Empty
          image={Empty.PRESENTED_IMAGE_SIMPLE}
          description="缺少权限：设备列表，请联系管理员"
        />
      )}
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      {canListDevices && (data || !error) && (
        <Table<ManagedDevice>
          size="small"
          rowKey="id"
          columns={columns}
          dataSource={data?.list}
          loading={loading && !data}
          locale={{
            emptyText: state
              ? `没有${deviceStateText[state]}的设备`
              : groupId
                ? '这个组现在没有设备，请在“设备管理”的“设备组”里修改'
                : '这里还没有设备，可在设备管理里登记',
          }}
          pagination={{
            current: pageNo,
            pageSize,
            total: data?.total,
            simple: true,
            hideOnSinglePage: true,
            showSizeChanger: false,
            onChange: setPageNo,
          }}
        />
      )}
    </Card>
  )
}
