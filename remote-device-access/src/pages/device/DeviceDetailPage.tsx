import { Button, Flex, Skeleton, Space, Tag, Typography } from 'antd'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { type ManagedDevice, managedDeviceApi } from '@iot/shared/contract/managedDevice'
import { paths } from '@iot/shared/screens/paths'
import { useBatch } from '@iot/shared/ui/batch'
import { useConfirmRemove } from '@iot/shared/ui/confirmRemove'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { DeviceRefusals } from '@iot/shared/ui/refusalList'
import { Panel } from '@iot/shared/ui/panel'
import { Right, RowActions } from '@iot/shared/ui/right'
import { DetailTabs, useDetail } from '@iot/shared/ui/useDetail'
import { FailedLine } from '@iot/shared/ui/usePage'
import { DeviceStateText } from './DeviceStateText'
import { LiveValues } from './LiveValues'
import { useDeviceActions } from './useDeviceActions'
import { useDeviceLive } from './useDeviceLive'
import { useItsProject } from './useItsProject'

const skeleton = () => <Skeleton active title={false} paragraph={{ rows: 4 }} />
const DeviceForm = lazyPart(() => import('./DeviceForm'))
const PositionDialog = lazyPart(() => import('./PositionDialog'))
const MoveDialog = lazyPart(() => import('./MoveDialog'))
const Services = lazyPart(() => import('./Services'), skeleton)
const DeviceHistory = lazyPart(() => import('./DeviceHistory'), skeleton)
const DeviceEvents = lazyPart(() => import('./DeviceEvents'), skeleton)
const Commands = lazyPart(() => import('./Commands'), skeleton)
const Messages = lazyPart(() => import('./Messages'), skeleton)
const DeviceInfo = lazyPart(() => import('./DeviceInfo'), skeleton)

export function Component() {
  const { id = '' } = useParams()
  // Of a device and its gateway, to which it leads, nothing of the one is shown or sent for the other.
  return <Device key={id} id={id} />
}

type DeviceProps = { id: string }
function Device({ id }: DeviceProps) {
  const navigate = useNavigate()
  const { row, take, frame, refresh } = useDetail(managedDeviceApi.get, id)
  const { live, ...now } = useDeviceLive(id)
  useItsProject(row)
  const { run } = useBatch(refresh)
  const actions = useDeviceActions({ run })
  const confirmRemove = useConfirmRemove()
  const [open, setOpen] = useState<'form' | 'move' | 'position'>()

  const remove = ({ name }: ManagedDevice) =>
    confirmRemove(name, (options) =>
      call(managedDeviceApi.remove, { id }, options).then(
        () => void navigate(paths.deviceAccess.device()),
      ),
    )
  // Where nothing of it is shown its failure is not told: the tab has its own, mostly the same.
  const failed = now.error && (
    <FailedLine why={now.error.message} hasRows={!!live} onRetry={now.refresh} />
  )
  const tabs = (device: ManagedDevice) => [
    {
      key: 'live',
      label: '实时数据',
      children: (
        <Flex vertical gap={12}>
          {failed}
          {/* Earlier refusals are hidden while the device is online, because its values matter more then. */}
          {live && (
            <DeviceRefusals {...live} refusals={live.state === 'online' ? [] : live.refusals} />
          )}
          {live ? (
            <LiveValues device={device} live={live} refresh={now.refresh} />
          ) : (
            !failed && skeleton()
          )}
        </Flex>
      ),
    },
    {
      key: 'service',
      label: '服务调用',
      children: (
        <Flex vertical gap={12}>
          {failed}
          {live ? <Services id={id} live={live} /> : !failed && skeleton()}
        </Flex>
      ),
    },
    {
      key: 'history',
      label: '历史',
      children: live ? <DeviceHistory id={id} model={live.model} /> : (failed ?? skeleton()),
    },
    { key: 'events', label: '事件', children: <DeviceEvents id={id} model={live?.model} /> },
    { key: 'commands', label: '下发记录', children: <Commands id={id} model={live?.model} /> },
    { key: 'messages', label: '报文', children: <Messages id={id} /> },
    {
      key: 'info',
      label: '基本信息',
      children: (
        <Flex vertical gap={12}>
          {failed}
          <DeviceInfo
            device={device}
            live={live}
            onReplaceSecret={() => actions.replaceSecret(device)}
            onPosition={() => setOpen('position')}
          />
        </Flex>
      ),
    },
  ]

  return (
    <Panel>
      {frame(
        row && (
          <>
            <Flex justify="space-between" align="center" gap={16} wrap>
              <Space size={12} wrap>
                <strong style={{ fontSize: 16 }}>{row.name}</strong>
                <DeviceStateText
                  device={{ ...row, clockOffsetMs: live ? live.clockOffsetMs : row.clockOffsetMs }}
                />
                {row.protected && <Tag>受保护</Tag>}
                <Typography.Text type="secondary">{row.place || '未放置'}</Typography.Text>
                <Typography.Text code copyable type="secondary">
                  {row.deviceName}
                </Typography.Text>
              </Space>
              <Space>
                <Right to={managedDeviceApi.update}>
                  <Button onClick={() => setOpen('form')}>编辑</Button>
                </Right>
                <RowActions
                  name={row.name}
                  more={[
                    ...actions.more(row, () => setOpen('move')),
                    {
                      label: '删除',
                      to: managedDeviceApi.remove,
                      danger: true,
                      onClick: () => remove(row),
                    },
                  ]}
                />
              </Space>
            </Flex>
            <DetailTabs items={tabs(row)} />
            {open === 'form' && (
              <DeviceForm
                projectId={row.projectId}
                device={row}
                onSaved={(saved) => take(saved as ManagedDevice)}
                onClose={() => setOpen(undefined)}
              />
            )}
            {open === 'position' && row.floorId && (
              <PositionDialog
                device={{ ...row, floorId: row.floorId }}
                onSaved={refresh}
                onClose={() => setOpen(undefined)}
              />
            )}
            {open === 'move' && (
              <MoveDialog
                what={`“${row.name}”`}
                projectId={row.projectId}
                at={{ spaceId: row.spaceId, name: row.place }}
                onMove={(to) =>
                  run('移动', (ids) => call(managedDeviceApi.move, { ids, ...to }), [id])
                }
                onClose={() => setOpen(undefined)}
              />
            )}
          </>
        ),
      )}
    </Panel>
  )
}
