import useInterval from 'ahooks/es/useInterval'
import Button from 'antd/es/button'
import Skeleton from 'antd/es/skeleton'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router-dom'
import type { EdgeHostDetail } from '@iot/shared/contract/device/edgeHost.schema'
import { edgeHostApi } from '@iot/shared/contract/device/edgeHost.api'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { paths } from '@iot/shared/screens/paths'
import { useBatch } from '@iot/shared/ui/batch'
import { lazyDialog, lazyPart } from '@iot/shared/ui/lazyPart'
import { Panel } from '@iot/shared/ui/panel'
import { Can, RowActions } from '@iot/shared/ui/right'
import { DetailHead, DetailTabs, useDetail } from '@iot/shared/ui/useDetail'
import { useSwitchToDeviceProject } from '../device/useSwitchToDeviceProject'
import { HostInfo } from './HostInfo'
import { HostState } from './HostState'
import { getOfflineReason, useHostActions } from './useHostActions'

const renderSkeleton = () => <Skeleton active title={false} paragraph={{ rows: 4 }} />
const EdgeHostForm = lazyDialog(() => import('./EdgeHostForm'))
const ReplaceForm = lazyDialog(() => import('./ReplaceForm'))
const HostChildren = lazyPart(() => import('./HostChildren'), renderSkeleton)
const Commands = lazyPart(() => import('../device/Commands'), renderSkeleton)
const HostConfig = lazyPart(() => import('./HostConfig'), renderSkeleton)
const { setStatus, replaceSecret, remove } = managedDeviceApi
const pollIntervalMs = 5000

export function Component() {
  const { id = '' } = useParams()
  // The key remounts the page when a link leads from a host to its replacement, so that no state is carried over.
  return <Host key={id} id={id} />
}

type HostProps = { id: string }
function Host({ id }: HostProps) {
  const navigate = useNavigate()
  const { row, take: replaceRow, frame: renderLoaded, refresh } = useDetail(edgeHostApi.get, id)
  useInterval(refresh, pollIntervalMs)
  useSwitchToDeviceProject(row, paths.deviceAccess.edgeHost())
  const actions = useHostActions(useBatch(refresh), refresh)
  const [isEditing, setEditing] = useState(false)
  const [isReplacing, setReplacing] = useState(false)

  return (
    <Panel>
      {renderLoaded(
        row && (
          <>
            <DetailHead
              name={row.name}
              code={row.deviceName}
              actions={
                <>
                  <Can
                    to={edgeHostApi.restart}
                    unless={
                      getOfflineReason(row) ||
                      (!row.canRestart && '产品的物模型没有 Restart 服务，不能远程重启')
                    }
                  >
                    <Button onClick={() => actions.restart(row)}>重启</Button>
                  </Can>
                  <Can to={edgeHostApi.update}>
                    <Button onClick={() => setEditing(true)}>编辑</Button>
                  </Can>
                  <RowActions
                    name={row.name}
                    more={[
                      row.state === 'disabled'
                        ? { label: '启用', to: setStatus, onClick: () => actions.enable(row) }
                        : { label: '禁用', to: setStatus, onClick: () => actions.disable(row) },
                      {
                        label: '替换',
                        to: edgeHostApi.replace,
                        unless: row.replacedBy && '已经替换过',
                        onClick: () => setReplacing(true),
                      },
                      {
                        label: '更换密钥',
                        to: replaceSecret,
                        onClick: () => actions.replaceSecret(row),
                      },
                      {
                        label: '删除',
                        to: remove,
                        danger: true,
                        onClick: () =>
                          actions.remove(row, () => void navigate(paths.deviceAccess.edgeHost())),
                      },
                    ]}
                  />
                </>
              }
            >
              <HostState host={row} />
              <Link to={`${paths.deviceAccess.device()}/${id}`}>实时数据和报文</Link>
            </DetailHead>
            <DetailTabs
              items={[
                { key: 'info', label: '概况', children: <HostInfo host={row} /> },
                {
                  key: 'devices',
                  label: `子设备 ${row.childOnline} / ${row.childCount}`,
                  children: <HostChildren host={row} />,
                },
                {
                  key: 'config',
                  label: '配置',
                  children: <HostConfig host={row} onChanged={refresh} />,
                },
                { key: 'commands', label: '下发记录', children: <Commands id={id} /> },
              ]}
            />
            {isEditing && (
              <EdgeHostForm
                projectId={row.projectId}
                host={row}
                onSaved={(savedHost) => replaceRow(savedHost as EdgeHostDetail)}
                onClose={() => setEditing(false)}
              />
            )}
            {isReplacing && (
              <ReplaceForm
                host={row}
                onSaved={({ id }) => void navigate(`${paths.deviceAccess.edgeHost()}/${id}`)}
                onClose={() => setReplacing(false)}
              />
            )}
          </>
        ),
      )}
    </Panel>
  )
}
