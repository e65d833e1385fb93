import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Skeleton from 'antd/es/skeleton'
import Tag from 'antd/es/tag'
import Typography from 'antd/es/typography'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import type { ManagedDevice } from '@iot/shared/contract/device/managedDevice.schema'
import type { DeviceLive } from '@iot/shared/contract/device/deviceLive.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { HeldNotice } from '@iot/shared/control/heldNotice'
import { useManualOverrides } from '@iot/shared/control/useManualOverrides'
import { paths } from '@iot/shared/screens/paths'
import { overrideFinderAtom } from '@iot/shared/session/overrides'
import { useBatch } from '@iot/shared/ui/batch'
import { useRemoveRow } from '@iot/shared/ui/confirmRemove'
import { lazyDialog, lazyPart } from '@iot/shared/ui/lazyPart'
import { OpenIncidents } from '@iot/shared/ui/openIncidents'
import { useOpenIncidents } from '@iot/shared/ui/useOpenIncidents'
import { DeviceRefusals } from '@iot/shared/ui/refusalList'
import { Panel } from '@iot/shared/ui/panel'
import { Can, RowActions, type RowAction } from '@iot/shared/ui/right'
import { DetailHead, DetailTabs, useDetail } from '@iot/shared/ui/useDetail'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { DeviceStateText } from './DeviceStateText'
import { LiveValues } from './LiveValues'
import { useDeviceActions } from './useDeviceActions'
import { useDeviceLive } from './useDeviceLive'
import { useSwitchToDeviceProject } from './useSwitchToDeviceProject'

const renderSkeleton = () => <Skeleton active title={false} paragraph={{ rows: 4 }} />
const DeviceForm = lazyDialog(() => import('./DeviceForm'))
const PositionDialog = lazyDialog(() => import('./PositionDialog'))
const ConnectParametersDialog = lazyDialog(() => import('./ConnectParametersDialog'))
const ChangeProductDialog = lazyDialog(() => import('./ChangeProductDialog'))
const MoveDialog = lazyDialog(() => import('./MoveDialog'))
const Services = lazyPart(() => import('./Services'), renderSkeleton)
const DeviceHistory = lazyPart(() => import('./DeviceHistory'), renderSkeleton)
const DeviceEvents = lazyPart(() => import('./DeviceEvents'), renderSkeleton)
const Commands = lazyPart(() => import('./Commands'), renderSkeleton)
const Messages = lazyPart(() => import('./Messages'), renderSkeleton)
const DeviceInfo = lazyPart(() => import('./DeviceInfo'), renderSkeleton)

export function Component() {
  const { id = '' } = useParams()
  // The key remounts the page when a link leads from a device to its gateway, so that no state is carried over.
  return <Device key={id} id={id} />
}

type DeviceProps = { id: string }
function Device({ id }: DeviceProps) {
  const navigate = useNavigate()
  const {
    row,
    take: replaceRow,
    frame: renderLoaded,
    refresh,
  } = useDetail(managedDeviceApi.get, id)
  const liveRequest = useDeviceLive(id)
  const { live } = liveRequest
  useSwitchToDeviceProject(row)
  const { run: runBatch } = useBatch(refresh)
  const actions = useDeviceActions({ run: runBatch })
  const [openDialog, setOpenDialog] = useState<
    'form' | 'move' | 'position' | 'connect' | 'product'
  >()

  const remove = useRemoveRow(
    managedDeviceApi.remove,
    () => void navigate(paths.deviceAccess.device()),
  )

  return (
    <Panel>
      {renderLoaded(
        row && (
          <>
            <DeviceHeader
              device={row}
              live={live}
              actions={[
                ...actions.more(row, {
                  onMove: () => setOpenDialog('move'),
                  onChangeProduct: () => setOpenDialog('product'),
                }),
                {
                  label: '删除',
                  to: managedDeviceApi.remove,
                  danger: true,
                  onClick: () => remove(row),
                },
              ]}
              onEdit={() => setOpenDialog('form')}
            />
            <DeviceOverride device={row} />
            <DeviceIncidents deviceId={id} />
            <DetailTabs
              items={createTabs(row, liveRequest, {
                onReplaceSecret: () => actions.replaceSecret(row),
                onConnect: () => setOpenDialog('connect'),
                onPosition: () => setOpenDialog('position'),
              })}
            />
            {openDialog === 'form' && (
              <DeviceForm
                projectId={row.projectId}
                device={row}
                onSaved={(savedDevice) => replaceRow(savedDevice as ManagedDevice)}
                onClose={() => setOpenDialog(undefined)}
              />
            )}
            {openDialog === 'position' && row.floorId && (
              <PositionDialog
                device={{ ...row, floorId: row.floorId }}
                onSaved={refresh}
                onClose={() => setOpenDialog(undefined)}
              />
            )}
            {openDialog === 'connect' && (
              <ConnectParametersDialog device={row} onClose={() => setOpenDialog(undefined)} />
            )}
            {openDialog === 'product' && (
              <ChangeProductDialog
                subject={`“${row.name}”`}
                ids={[id]}
                onChange={(productId) =>
                  void runBatch(
                    '更换产品',
                    (ids) => call(managedDeviceApi.changeProduct, { ids, productId }),
                    [id],
                  )
                }
                onClose={() => setOpenDialog(undefined)}
              />
            )}
            {openDialog === 'move' && (
              <MoveDialog
                subject={`“${row.name}”`}
                projectId={row.projectId}
                currentPlace={{ spaceId: row.spaceId, name: row.place }}
                onMove={(target) =>
                  runBatch('移动', (ids) => call(managedDeviceApi.move, { ids, ...target }), [id])
                }
                onClose={() => setOpenDialog(undefined)}
              />
            )}
          </>
        ),
      )}
    </Panel>
  )
}

/** Says that scenes and bulk commands skip the device at present. */
function DeviceOverride({ device }: { device: ManagedDevice }) {
  useManualOverrides(device.projectId)
  const override = useAtomValue(overrideFinderAtom)(device)
  return override && <HeldNotice override={override} />
}

/** Shows the open incidents of the device, also those that it shares with others, above its data. */
function DeviceIncidents({ deviceId }: { deviceId: string }) {
  const incidents = useOpenIncidents({ deviceId })
  return <OpenIncidents incidents={incidents} />
}

type DeviceHeaderProps = {
  device: ManagedDevice
  live: DeviceLive | undefined
  actions: RowAction[]
  onEdit: () => void
}

const DeviceHeader = ({ device, live, actions, onEdit }: DeviceHeaderProps) => (
  <DetailHead
    name={device.name}
    code={device.deviceName}
    actions={
      <>
        <Can to={managedDeviceApi.update}>
          <Button onClick={onEdit}>编辑</Button>
        </Can>
        <RowActions name={device.name} more={actions} />
      </>
    }
  >
    <DeviceStateText
      device={{ ...device, clockOffsetMs: live ? live.clockOffsetMs : device.clockOffsetMs }}
    />
    {device.protected && <Tag>受保护</Tag>}
    <Typography.Text type="secondary">{device.place || '未放置'}</Typography.Text>
  </DetailHead>
)

type TabHandlers = {
  onReplaceSecret: () => void
  onConnect: () => void
  onPosition: () => void
}

function createTabs(
  device: ManagedDevice,
  { live, error, refresh }: ReturnType<typeof useDeviceLive>,
  handlers: TabHandlers,
) {
  // The error is shown only beside live values, because each tab reports its own, usually equal, error.
  const errorLine = error && (
    <LoadErrorAlert why={error.message} hasRows={!!live} onRetry={refresh} />
  )
  return [
    {
      key: 'live',
      label: '实时数据',
      children: (
        <Flex vertical gap={12}>
          {errorLine}
          {/* Refusals of a device that is online are history, so they are hidden. */}
          {live && (
            <DeviceRefusals {...live} refusals={live.state === 'online' ? [] : live.refusals} />
          )}
          {live ? (
            <LiveValues device={device} live={live} refresh={refresh} />
          ) : (
            !errorLine && renderSkeleton()
          )}
        </Flex>
      ),
    },
    {
      key: 'service',
      label: '服务调用',
      children: (
        <Flex vertical gap={12}>
          {errorLine}
          {live ? <Services id={device.id} live={live} /> : !errorLine && renderSkeleton()}
        </Flex>
      ),
    },
    {
      key: 'history',
      label: '历史',
      children: live ? (
        <DeviceHistory id={device.id} model={live.model} />
      ) : (
        (errorLine ?? renderSkeleton())
      ),
    },
    { key: 'events', label: '事件', children: <DeviceEvents id={device.id} model={live?.model} /> },
    {
      key: 'commands',
      label: '下发记录',
      children: <Commands id={device.id} model={live?.model} />,
    },
    { key: 'messages', label: '报文', children: <Messages id={device.id} /> },
    {
      key: 'info',
      label: '基本信息',
      children: (
        <Flex vertical gap={12}>
          {errorLine}
          <DeviceInfo device={device} live={live} {...handlers} />
        </Flex>
      ),
    },
  ]
}
