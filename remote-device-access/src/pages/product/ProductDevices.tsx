import Flex from 'antd/es/flex'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { deviceImportMax } from '@iot/shared/contract/device/managedDevice'
import { ManagedDevice } from '@iot/shared/contract/device/managedDevice.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import type { ProductDetail } from '@iot/shared/contract/product/product.schema'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { useBatch } from '@iot/shared/ui/batch'
import { column } from '@iot/shared/ui/field'
import { textFilter } from '@iot/shared/ui/filters'
import { ExportButton, ImportButton } from '@iot/shared/ui/importExport'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { ListTable } from '@iot/shared/ui/listTable'
import { CreateButton } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePage } from '@iot/shared/ui/usePage'
import { DeviceBatch } from '../device/DeviceBatch'
import { createDeviceColumns } from '../device/deviceColumns'
import { useNoProjectHint } from '../device/useNoProjectHint'

const DeviceForm = lazyDialog(() => import('../device/DeviceForm'))

type ProductDevicesProps = { product: ProductDetail; onRegistered: () => void }

export default function ProductDevices({ product, onRegistered }: ProductDevicesProps) {
  const projectId = useAtomValue(currentProjectIdAtom)
  const noProjectHint = useNoProjectHint()
  const list = usePage(managedDeviceApi.page, {
    empty: '当前项目里还没有这个产品的设备，点“登记设备”添加',
    create: managedDeviceApi.create,
    within: { productId: product.id, projectId },
    unless: noProjectHint,
  })
  const refresh = () => {
    list.refresh()
    onRegistered()
  }
  const batch = useBatch({ ...list, refresh })
  const [isRegistering, setRegistering] = useState(false)

  const columns = useColumns<ManagedDevice>('productDevice', [
    ...Object.values(createDeviceColumns(list.sortable)),
    { ...column(ManagedDevice, 'createTime'), ...list.sortable('createTime'), width: 170 },
  ])

  return (
    <Flex vertical gap={16}>
      <ListTable<ManagedDevice>
        list={list}
        columns={columns}
        filters={[textFilter('name', '设备名称或 DeviceName', 200)]}
        selection={batch.selection}
        batchActions={<DeviceBatch batch={batch} projectId={projectId} />}
      >
        <ImportButton
          name="设备"
          to={managedDeviceApi.importRows}
          update={managedDeviceApi.update}
          within={{ projectId }}
          unless={noProjectHint}
          note={`产品以表格里的为准；这里只列出“${product.name}”的设备`}
          most={deviceImportMax}
          onImported={() => {
            list.refresh()
            onRegistered()
          }}
        />
        <ExportButton from={managedDeviceApi.exportRows} input={list.input} />
        <CreateButton
          to={managedDeviceApi.create}
          unless={noProjectHint}
          onClick={() => setRegistering(true)}
        />
      </ListTable>
      {isRegistering && (
        <DeviceForm
          projectId={projectId}
          productId={product.id}
          onSaved={(newDevice) => {
            list.saved(newDevice)
            onRegistered()
          }}
          onClose={() => setRegistering(false)}
        />
      )}
    </Flex>
  )
}
