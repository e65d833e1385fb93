import Button from 'antd/es/button'
import Empty from 'antd/es/empty'
import { Link } from 'react-router-dom'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import type { TrayDevices } from './useTrayDevices'

type EmptyTrayProps = { tray: TrayDevices; hasDevices: boolean }

/** Explains why no device is listed, and offers the next step. */
export function EmptyTray({ tray, hasDevices }: EmptyTrayProps) {
  const can = useCan()
  const { activeTab, isFiltered, clearFilters } = tray
  return (
    <Empty
      image={Empty.PRESENTED_IMAGE_SIMPLE}
      description={
        isFiltered
          ? '没有符合条件的设备'
          : activeTab === 'on'
            ? '图上还没有设备，从“未摆放”拖到图上'
            : hasDevices
              ? '这一层的设备都摆放好了'
              : '这一层还没有设备，先登记设备并选这一层为位置'
      }
    >
      {isFiltered ? (
        <Button onClick={clearFilters}>清除筛选</Button>
      ) : (
        activeTab === 'out' &&
        !hasDevices &&
        can(managedDeviceApi.create) && (
          <Link to={paths.deviceAccess.device()}>
            <Button>去登记设备</Button>
          </Link>
        )
      )}
    </Empty>
  )
}
