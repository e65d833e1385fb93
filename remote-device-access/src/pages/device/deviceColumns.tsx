import { ManagedDevice } from '@iot/shared/contract/device/managedDevice.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { paths } from '@iot/shared/screens/paths'
import { renderCode, column } from '@iot/shared/ui/field'
import { RowLink } from '@iot/shared/ui/right'
import type { usePage } from '@iot/shared/ui/usePage'
import type { TableColumnType } from 'antd'
import { DeviceStateText } from './DeviceStateText'

type Sortable = ReturnType<typeof usePage<typeof managedDeviceApi.page>>['sortable']

/** Returns columns for lists of devices below a parent, such as a product or a host. */
export const createDeviceColumns = (sortable: Sortable) =>
  ({
    name: {
      ...column(ManagedDevice, 'name'),
      ...sortable('name'),
      render: (name: string, { id }) => (
        <RowLink
          to={managedDeviceApi.get}
          at={`${paths.deviceAccess.device()}/${id}`}
          name={name}
        />
      ),
    },
    deviceName: {
      ...column(ManagedDevice, 'deviceName'),
      ...sortable('deviceName'),
      render: renderCode,
    },
    place: { ...column(ManagedDevice, 'place'), width: 220, ellipsis: true },
    state: {
      ...column(ManagedDevice, 'state'),
      ...sortable('state'),
      width: 160,
      render: (_, device) => <DeviceStateText device={device} />,
    },
    reportedTime: {
      ...column(ManagedDevice, 'reportedTime'),
      ...sortable('reportedTime'),
      width: 170,
    },
  }) satisfies Record<string, TableColumnType<ManagedDevice>>
