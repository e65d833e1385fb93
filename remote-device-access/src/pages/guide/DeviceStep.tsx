import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Table from 'antd/es/table'
import Typography from 'antd/es/typography'
import type { TableColumnsType } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { ManagedDevice } from '@iot/shared/contract/device/managedDevice.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { paths } from '@iot/shared/screens/paths'
import { renderCode } from '@iot/shared/ui/field'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Can, RowLink } from '@iot/shared/ui/right'
import { getConnectRefusal } from '../device/connectRefusal'
import { DeviceStateText } from '../device/DeviceStateText'
import { GuideStep } from './GuideStep'
import { TryControl } from './TryControl'
import type { Guide } from './useGuide'

const DeviceForm = lazyDialog(() => import('../device/DeviceForm'))
const ConnectParametersDialog = lazyDialog(() => import('../device/ConnectParametersDialog'))

/** Registers devices, shows how they connect, and tries them out. */
export function DeviceStep({ guide }: { guide: Guide }) {
  const { product, devices = [], spaces, projectId } = guide
  const [isRegistering, setRegistering] = useState(false)
  const [connected, setConnected] = useState<ManagedDevice>()
  const floor = spaces.data?.find(({ type }) => type === 'floor')
  const onlineCount = devices.filter(({ state }) => state === 'online').length
  const isReady = product?.status === 'published' && !!floor
  return (
    <GuideStep
      number={4}
      title="设备"
      isDone={onlineCount > 0}
      summary={
        devices.length > 0
          ? `已登记 ${devices.length} 台，在线 ${onlineCount} 台`
          : '登记后得到密钥和连接参数'
      }
    >
      {isReady && (
        <>
          <Flex gap={12} align="center" wrap>
            <Can to={managedDeviceApi.create}>
              <Button
                type={devices.length > 0 ? 'default' : 'primary'}
                onClick={() => setRegistering(true)}
              >
                登记设备
              </Button>
            </Can>
            <Link to={`${paths.deviceAccess.config.product()}/${product.id}?tab=access`}>
              示例代码和 Topic
            </Link>
            {product.node === 'sub' && (
              <Typography.Text type="secondary">
                子设备经网关接入，请先在“<Link to={paths.deviceAccess.edgeHost()}>边缘主机</Link>
                ”登记网关
              </Typography.Text>
            )}
          </Flex>
          {devices.length > 0 && (
            <Table<ManagedDevice>
              rowKey="id"
              size="middle"
              pagination={false}
              scroll={{ x: 'max-content' }}
              dataSource={devices}
              columns={createColumns(setConnected)}
            />
          )}
        </>
      )}
      {isRegistering && product && (
        <DeviceForm
          projectId={projectId}
          productId={product.id}
          spaceId={floor?.id}
          onSaved={guide.refreshDevices}
          onClose={() => setRegistering(false)}
        />
      )}
      {connected && (
        <ConnectParametersDialog device={connected} onClose={() => setConnected(undefined)} />
      )}
    </GuideStep>
  )
}

const createColumns = (
  onConnect: (device: ManagedDevice) => void,
): TableColumnsType<ManagedDevice> => [
  {
    title: '设备名称',
    width: 180,
    render: (_, { id, name }) => (
      <RowLink to={managedDeviceApi.get} at={`${paths.deviceAccess.device()}/${id}`} name={name} />
    ),
  },
  { title: 'DeviceName', dataIndex: 'deviceName', width: 160, render: renderCode },
  { title: '状态', width: 120, render: (_, device) => <DeviceStateText device={device} /> },
  {
    title: '连接',
    width: 120,
    render: (_, device) => (
      <Can to={managedDeviceApi.connectParameters} unless={getConnectRefusal(device)}>
        <Button size="small" onClick={() => onConnect(device)}>
          连接参数
        </Button>
      </Can>
    ),
  },
  { title: '试一下', render: (_, device) => <TryControl device={device} /> },
]
