import Button from 'antd/es/button'
import Descriptions from 'antd/es/descriptions'
import Flex from 'antd/es/flex'
import Table from 'antd/es/table'
import Typography from 'antd/es/typography'
import { useAtomValue } from 'jotai'
import { Link } from 'react-router-dom'
import { deviceStateText } from '@iot/shared/contract/device/managedDevice'
import { ManagedDevice } from '@iot/shared/contract/device/managedDevice.schema'
import type { DeviceLive } from '@iot/shared/contract/device/deviceLive.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { nodeText } from '@iot/shared/contract/product/product'
import { paths } from '@iot/shared/screens/paths'
import { projectsAtom } from '@iot/shared/session/project'
import { buildFieldItems, formatValue } from '@iot/shared/ui/field'
import { DeviceRefusals } from '@iot/shared/ui/refusalList'
import { Can } from '@iot/shared/ui/right'
import { buildEmptyLocale } from '@iot/shared/ui/usePage'
import { getConnectRefusal } from './connectRefusal'

type DeviceInfoProps = {
  device: ManagedDevice
  live?: DeviceLive
  onReplaceSecret: () => void
  onConnect: () => void
  onPosition: () => void
}

const firmwareFailures: Record<number, string> = {
  [-1]: '升级失败',
  [-2]: '下载失败',
  [-3]: '校验失败',
  [-4]: '安装失败',
}
const formatFirmwareStep = (step: number | null) =>
  step === null
    ? formatValue(step)
    : step === 100
      ? '已完成'
      : (firmwareFailures[step] ?? `升级中 ${step}%`)

/** Shows registration data, location and constant properties of a device. */
export default function DeviceInfo({
  device,
  live,
  onReplaceSecret,
  onConnect,
  onPosition,
}: DeviceInfoProps) {
  const projects = useAtomValue(projectsAtom)
  const project = projects.find(({ id }) => id === device.projectId)
  const values = {
    name: device.name,
    deviceName: <CopyableCode text={device.deviceName} />,
    productName: (
      <Link to={`${paths.deviceAccess.config.product()}/${device.productId}`}>
        {device.productName}
      </Link>
    ),
    productKey: <CopyableCode text={device.productKey} />,
    node: nodeText[device.node],
    gatewayName: device.gatewayId ? (
      <Link to={`${paths.deviceAccess.device()}/${device.gatewayId}`}>{device.gatewayName}</Link>
    ) : (
      '—'
    ),
    projectId: project?.fullname ?? project?.name ?? '—',
    place: device.place || '未放置',
    protected: device.protected ? '是，批量操作和场景不会动它' : '否',
    state: deviceStateText[live?.state ?? device.state],
    address: formatValue(device.address),
    onlineTime: formatValue(device.onlineTime),
    reportedTime: formatValue(device.reportedTime),
    createBy: formatValue(device.createBy),
    createTime: formatValue(device.createTime),
    updateTime: formatValue(device.updateTime),
  }
  return (
    <Flex vertical gap={24}>
      {live && <DeviceRefusals {...live} />}
      <Descriptions
        column={{ xs: 1, md: 2 }}
        items={[
          ...buildFieldItems(ManagedDevice, values),
          {
            key: 'position',
            label: '平面图位置',
            children: (
              <Flex gap={12} align="center" style={{ marginBlock: -4 }}>
                {device.x === null ? '未摆放' : '已摆放'}
                <Can
                  to={managedDeviceApi.place}
                  unless={!device.floorId && '还没有楼层，请先选择位置'}
                >
                  <Button size="small" onClick={onPosition}>
                    在平面图上摆放
                  </Button>
                </Can>
              </Flex>
            ),
          },
          {
            key: 'secret',
            label: 'DeviceSecret',
            children: (
              <Flex gap={12} align="center" style={{ marginBlock: -4 }}>
                ••••••••
                <Can to={managedDeviceApi.replaceSecret}>
                  <Button size="small" onClick={onReplaceSecret}>
                    更换密钥
                  </Button>
                </Can>
                <Can
                  to={managedDeviceApi.connectParameters}
                  unless={getConnectRefusal({ ...device, state: live?.state ?? device.state })}
                >
                  <Button size="small" onClick={onConnect}>
                    连接参数
                  </Button>
                </Can>
              </Flex>
            ),
          },
        ]}
      />
      <DeviceTags live={live} />
      <DeviceFirmware live={live} />
    </Flex>
  )
}

function DeviceTags({ live }: Pick<DeviceInfoProps, 'live'>) {
  return (
    <Flex vertical gap={8}>
      <Typography.Text strong>标签</Typography.Text>
      <Table
        rowKey="key"
        size="small"
        pagination={false}
        dataSource={live?.tags}
        locale={buildEmptyLocale(live, '设备没有上报标签')}
        columns={[
          { title: '标签', dataIndex: 'key', width: 200 },
          { title: '值', dataIndex: 'value' },
          { title: '上报时间', dataIndex: 'time', width: 180, render: formatValue },
        ]}
      />
    </Flex>
  )
}

function DeviceFirmware({ live }: Pick<DeviceInfoProps, 'live'>) {
  return (
    <Flex vertical gap={8}>
      <Typography.Text strong>固件版本（OTA）</Typography.Text>
      <Table
        rowKey="module"
        size="small"
        pagination={false}
        dataSource={live?.firmware}
        locale={buildEmptyLocale(live, '设备没有上报版本')}
        columns={[
          {
            title: '模块',
            dataIndex: 'module',
            width: 200,
            render: (module: string) => (module === 'default' ? '主固件' : module),
          },
          { title: '版本', dataIndex: 'version', width: 160, render: formatValue },
          { title: '升级进度', dataIndex: 'step', width: 120, render: formatFirmwareStep },
          { title: '说明', dataIndex: 'description', render: formatValue },
          { title: '上报时间', dataIndex: 'time', width: 180, render: formatValue },
        ]}
      />
    </Flex>
  )
}

const CopyableCode = ({ text }: { text: string }) => (
  <Typography.Text code copyable>
    {text}
  </Typography.Text>
)
