import useRequest from 'ahooks/es/useRequest'
import { call } from '@iot/shared/client/call'
import type { FloorDevices } from '@iot/shared/contract/device/managedDevice.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { projectApi } from '@iot/shared/contract/project/project.api'
import { createTree } from '@iot/shared/contract/tree'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { useFeedback } from '@iot/shared/ui/feedback'
import { Can } from '@iot/shared/ui/right'
import { Select } from '@iot/shared/ui/select'
import type { PlanPosition, MoveTarget } from './arrangement'
import { matchPositions } from './matchPositions'

const { onFloor, place } = managedDeviceApi
type CopyFromFloorProps = {
  data: FloorDevices
  at: ReadonlyMap<string, PlanPosition | null>
  selected: ReadonlySet<string>
  onPlace: (targets: MoveTarget[]) => void
}

const withProductTypes = ({ devices, products }: FloorDevices) => {
  const types = new Map(products.map(({ id, productType }) => [id, productType]))
  return devices.map((device) => ({ ...device, productType: types.get(device.productId) ?? '' }))
}

/**
 * Copies positions from a similar floor: the selected devices of the tray, or all of them, hang like the devices of
 * that floor.
 */
export function CopyFromFloor({ data, at, selected, onPlace }: CopyFromFloorProps) {
  const { message } = useFeedback()
  const { projectId, floor } = data
  const unplacedDevices = withProductTypes(data).filter(({ id }) => !at.get(id))
  const selectedUnplaced = unplacedDevices.filter(({ id }) => selected.has(id))
  const devicesToPlace =
    selectedUnplaced.length > 0
      ? selectedUnplaced
      : unplacedDevices.filter(({ floorId }) => floorId === floor.id)
  const {
    data: spaces,
    error,
    run: readSpaces,
  } = useRequest(() => call(projectApi.spaces, { projectId }), {
    manual: true,
    onError: ignoreHandled,
  })
  const tree = createTree(spaces ?? [])
  const floors = tree
    .ordered()
    .filter(({ id, type }) => type === 'floor' && id !== floor.id)
    .map(({ id, name, parentId }) => ({
      value: id,
      label: parentId ? `${tree.get(parentId)?.name} / ${name}` : name,
    }))
  const { run: copyPositions, loading } = useRequest(
    async (floorId: string) => {
      const sourceFloor = await call(onFloor, { floorId })
      const sourceDevices = withProductTypes(sourceFloor).flatMap(({ x, y, ...one }) =>
        x === null || y === null ? [] : [{ ...one, at: { x, y } }],
      )
      const targets = matchPositions(devicesToPlace, sourceDevices)
      if (targets.length === 0)
        return message.warning(
          sourceDevices.length
            ? `${sourceFloor.place}没有同类型的设备`
            : `${sourceFloor.place}还没有摆放设备`,
        )
      onPlace(targets)
      const unmatchedCount = devicesToPlace.length - targets.length
      return message.success(
        `已照${sourceFloor.place}摆放 ${targets.length} 台${unmatchedCount ? `，${unmatchedCount} 台没有对应的位置` : ''}，保存后生效`,
      )
    },
    { manual: true, onError: ignoreHandled },
  )
  return (
    <Can to={place} unless={devicesToPlace.length === 0 && '先选设备'}>
      <Select
        style={{ width: '100%' }}
        aria-label="照其他楼层摆放"
        placeholder="照其他楼层摆放"
        value={null}
        loading={loading}
        showSearch={{ optionFilterProp: 'label' }}
        popupMatchSelectWidth={false}
        options={floors}
        notFoundContent={spaces ? '没有其他楼层' : error ? '没有读到楼层' : '正在读取…'}
        onOpenChange={(isOpen) => isOpen && readSpaces()}
        onChange={(floorId: string | null) => floorId && copyPositions(floorId)}
      />
    </Can>
  )
}
