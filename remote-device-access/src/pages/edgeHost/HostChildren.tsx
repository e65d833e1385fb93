import Flex from 'antd/es/flex'
import type { EdgeHostDetail } from '@iot/shared/contract/device/edgeHost.schema'
import { deviceStateText } from '@iot/shared/contract/device/managedDevice'
import { ManagedDevice } from '@iot/shared/contract/device/managedDevice.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { toTextOptions } from '@iot/shared/contract/options'
import { useBatch } from '@iot/shared/ui/batch'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { ExportButton } from '@iot/shared/ui/importExport'
import { ListTable } from '@iot/shared/ui/listTable'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePage } from '@iot/shared/ui/usePage'
import { DeviceBatch } from '../device/DeviceBatch'
import { createDeviceColumns } from '../device/deviceColumns'

const stateOptions = toTextOptions(deviceStateText)

export default function HostChildren({ host }: { host: EdgeHostDetail }) {
  const { id, projectId } = host
  const list = usePage(managedDeviceApi.page, {
    empty: '还没有子设备：主机上报拓扑后会出现在这里',
    within: { gatewayId: id, projectId },
  })
  const batch = useBatch(list)
  const { name, deviceName, place, state, reportedTime } = createDeviceColumns(list.sortable)
  const columns = useColumns<ManagedDevice>('hostChild', [
    ...[name, deviceName],
    { ...column(ManagedDevice, 'productName'), width: 140, ellipsis: true },
    ...[place, state, reportedTime],
  ])

  return (
    <Flex vertical gap={16}>
      <ListTable<ManagedDevice>
        list={list}
        columns={columns}
        filters={[
          textFilter('name', '设备名称或 DeviceName', 200),
          choiceFilter('state', '状态', stateOptions, 100),
        ]}
        selection={batch.selection}
        batchActions={<DeviceBatch batch={batch} projectId={projectId} />}
      >
        <ExportButton from={managedDeviceApi.exportRows} input={list.input} />
      </ListTable>
    </Flex>
  )
}
