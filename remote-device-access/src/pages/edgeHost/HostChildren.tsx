import { Flex, Table } from 'antd'
import type { EdgeHostDetail } from '@iot/shared/contract/edgeHost'
import {
  deviceStateText,
  ManagedDevice,
  managedDeviceApi,
} from '@iot/shared/contract/managedDevice'
import { toTextOptions } from '@iot/shared/contract/options'
import { useBatch } from '@iot/shared/ui/batch'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, Filters, textFilter } from '@iot/shared/ui/filters'
import { ExportButton } from '@iot/shared/ui/importExport'
import { Toolbar } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePage } from '@iot/shared/ui/usePage'
import { DeviceBatch } from '../device/DeviceBatch'
import { createDeviceColumns } from '../device/deviceColumns'

const stateOptions = toTextOptions(deviceStateText)

/** Lists the child devices of a host. */
export default function HostChildren({ host }: { host: EdgeHostDetail }) {
  const { id, projectId } = host
  const { table, filters, input, search, refresh, sortable } = usePage(managedDeviceApi.page, {
    empty: '还没有子设备：主机上报拓扑后会出现在这里',
    within: { gatewayId: id, projectId },
  })
  const batch = useBatch(refresh)
  const { name, deviceName, place, state, reportedTime } = createDeviceColumns(sortable)
  const {
    columns,
    size,
    scroll,
    chooser: columnChooser,
  } = useColumns<ManagedDevice>('hostChild', [
    ...[name, deviceName],
    { ...column(ManagedDevice, 'productName'), width: 140, ellipsis: true },
    ...[place, state, reportedTime],
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
              choiceFilter('state', '状态', stateOptions, 100),
            ]}
          />
        }
      >
        {columnChooser}
        <ExportButton from={managedDeviceApi.exportRows} input={input} />
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
