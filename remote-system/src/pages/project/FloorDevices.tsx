import useRequest from 'ahooks/es/useRequest'
import Badge from 'antd/es/badge'
import Skeleton from 'antd/es/skeleton'
import Tag from 'antd/es/tag'
import { useSetAtom } from 'jotai'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { deviceStateText } from '@iot/shared/contract/device/managedDevice'
import { ManagedDevice } from '@iot/shared/contract/device/managedDevice.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { deviceApi } from '@iot/shared/contract/device/device.api'
import { projectApi } from '@iot/shared/contract/project/project.api'
import type { SpaceDetail } from '@iot/shared/contract/project/space.schema'
import { lookText } from '@iot/shared/plan/lights'
import { createSpaceTree, sumLightCounts } from '@iot/shared/plan/spaces'
import { paths } from '@iot/shared/screens/paths'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { column, renderCode } from '@iot/shared/ui/field'
import { RowLink } from '@iot/shared/ui/right'
import { ActivityTable, useActivity } from '../Activity'

const pageSize = 10
/** The counts and states of this page follow the devices at this interval. */
const pollIntervalMs = 10_000
const polling = { pollingInterval: pollIntervalMs, pollingWhenHidden: false }
type FloorProps = { floor: Pick<SpaceDetail, 'id' | 'projectId' | 'name'> }

const failedText = '未读到'
const loadingText = <Skeleton.Input active size="small" style={{ width: 120, height: 16 }} />

/** Counts the devices on the floor and those of them that are online. */
export function DeviceCount({ floor: { id, projectId } }: FloorProps) {
  const { data, error } = useRequest(
    () => {
      const input = { projectId, spaceId: id, pageNo: 1, pageSize: 1 }
      return Promise.all([
        call(managedDeviceApi.page, input, { quiet: true }),
        call(managedDeviceApi.page, { ...input, state: 'online' }, { quiet: true }),
      ])
    },
    { ...polling, refreshDeps: [id], onError: () => {} },
  )
  if (!data) return error ? failedText : loadingText
  const [all, online] = data
  return `${all.total} 台，${online.total} 台在线`
}

/** Counts the lamps on the floor by their state; the counts add up to all lamps. */
export function LightCount({ floor: { id, projectId } }: FloorProps) {
  const { data, error } = useRequest(
    () =>
      Promise.all([
        call(projectApi.spaces, { projectId }, { quiet: true }),
        call(deviceApi.lights, { projectId }, { quiet: true }),
      ]),
    { ...polling, refreshDeps: [id], onError: () => {} },
  )
  if (!data) return error ? failedText : loadingText
  const [spaces, lights] = data
  const counts = new Map(lights.map((space) => [space.spaceId, space]))
  const sum = sumLightCounts(createSpaceTree(spaces), counts, id)
  const looks = ['on', 'off', 'unknown', 'offline', 'inactive'] as const
  return `${sum.total} 盏：${looks.map((look) => `${lookText[look]} ${sum[look]}`).join('，')}`
}

/** Lists the devices of the floor in pages, because a floor may have hundreds. */
export function FloorDevices({ floor: { id, projectId, name } }: FloorProps) {
  const [pageNo, setPageNo] = useState(1)
  const setProject = useSetAtom(currentProjectIdAtom)
  const activity = useActivity(managedDeviceApi.page, {
    projectId,
    spaceId: id,
    pageNo,
    pageSize,
  })
  return (
    <ActivityTable<ManagedDevice>
      title="设备"
      more={{
        to: paths.deviceAccess.device({ spaceId: id }),
        label: '在设备管理中查看',
        onClick: () => setProject(projectId),
      }}
      activity={activity}
      rowKey="id"
      dataSource={activity.request.data?.list}
      pagination={{
        current: pageNo,
        pageSize,
        total: activity.request.data?.total,
        onChange: setPageNo,
        hideOnSinglePage: true,
        showSizeChanger: false,
      }}
      scroll={{ x: 540 }}
      emptyText={`${name}还没有设备`}
      columns={[
        {
          ...column(ManagedDevice, 'name'),
          render: (deviceName: string, row) => (
            <RowLink
              to={managedDeviceApi.get}
              at={`${paths.deviceAccess.device()}/${row.id}`}
              name={deviceName}
            />
          ),
        },
        {
          ...column(ManagedDevice, 'state'),
          width: 90,
          render: (state: ManagedDevice['state']) => <StateText state={state} />,
        },
        { ...column(ManagedDevice, 'deviceName'), width: 130, render: renderCode },
        { ...column(ManagedDevice, 'productName'), width: 120, ellipsis: true },
      ]}
    />
  )
}

const StateText = ({ state }: Pick<ManagedDevice, 'state'>) =>
  state === 'disabled' ? (
    <Tag>{deviceStateText[state]}</Tag>
  ) : (
    <Badge status={state === 'online' ? 'success' : 'default'} text={deviceStateText[state]} />
  )
