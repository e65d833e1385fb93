import { Flex, Table } from 'antd'
import type { EdgeHostDetail } from '@iot/shared/contract/edgeHost'
import {
  deviceStateText,
  ManagedDevice,
  managedDeviceApi,
} from '@iot/shared/contract/managedDevice'
import { optionsOf } from '@iot/shared/contract/options'
import { paths } from '@iot/shared/screens/paths'
import { useBatch } from '@iot/shared/ui/batch'
import { asCode, column } from '@iot/shared/ui/field'
import { choiceFilter, Filters, textFilter } from '@iot/shared/ui/filters'
import { Export } from '@iot/shared/ui/importExport'
import { RowLink } from '@iot/shared/ui/right'
import { Toolbar } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePage } from '@iot/shared/ui/usePage'
import { DeviceBatch } from '../device/DeviceBatch'
import { DeviceStateText } from '../device/DeviceStateText'

const states = optionsOf(deviceStateText)

/** What hangs on a host. */
export default function HostChildren({ host }: { host: EdgeHostDetail }) {
  const { id, projectId } = host
  const { table, filters, input, search, refresh, sortable } = usePage(managedDeviceApi.page, {
    empty: '还没有子设备：主机上报拓扑后会出现在这里',
    within: { gatewayId: id, projectId },
  })
  const batch = useBatch(refresh)
  const { columns, size, scroll, chooser } = useColumns<ManagedDevice>('hostChild', [
    {
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
    { ...column(ManagedDevice, 'deviceName'), ...sortable('deviceName'), render: asCode },
    { ...column(ManagedDevice, 'productName'), width: 140, ellipsis: true },
    { ...column(ManagedDevice, 'place'), width: 220, ellipsis: true },
    {
      ...column(ManagedDevice, 'state'),
      ...sortable('state'),
      width: 100,
      render: (_, device) => <DeviceStateText device={device} />,
    },
    { ...column(ManagedDevice, 'reportedTime'), ...sortable('reportedTime'), width: 170 },
  ])

  return (
    <Flex vertical gap={16}>
      <Toolbar
        batch={<DeviceBatch batch={batch} projectId={projectId} />}
        filters={
          <Filters
            filters={filters}
            search={search}
            of={[
              textFilter('name', '设备名称或 DeviceName', 200),
              choiceFilter('state', '状态', states, 100),
            ]}
          />
        }
      >
        {chooser}
        <Export from={managedDeviceApi.exportRows} input={input} />
      </Toolbar>
      <Table<ManagedDevice>
        {...table}
        size={size}
        columns={columns}
        rowSelection={batch.selection}
        scroll={scroll}
      />
    </Flex>
  )
}
