import { useRequest } from 'ahooks'
import { App, Select } from 'antd'
import { call } from '@iot/shared/client/call'
import { managedDeviceApi, type FloorDevices } from '@iot/shared/contract/managedDevice'
import { projectApi } from '@iot/shared/contract/project'
import { treeOf } from '@iot/shared/contract/tree'
import { quietly } from '@iot/shared/ui/batch'
import { Right } from '@iot/shared/ui/right'
import type { At, Target } from './arrangement'
import { like } from './like'

const { onFloor, place } = managedDeviceApi
type LikeFloorProps = {
  data: FloorDevices
  at: ReadonlyMap<string, At | null>
  selected: ReadonlySet<string>
  onPlace: (targets: Target[]) => void
}

const typed = ({ devices, products }: FloorDevices) => {
  const types = new Map(products.map(({ id, productType }) => [id, productType]))
  return devices.map((one) => ({ ...one, productType: types.get(one.productId) ?? '' }))
}

/**
 * Copies positions from a similar floor: the selected devices of the tray, or all of them, hang like the devices of
 * that floor.
 */
export function LikeFloor({ data, at, selected, onPlace }: LikeFloorProps) {
  const { message } = App.useApp()
  const { projectId, floor } = data
  const out = typed(data).filter(({ id }) => !at.get(id))
  const chosen = out.filter(({ id }) => selected.has(id))
  const free = chosen.length > 0 ? chosen : out.filter(({ floorId }) => floorId === floor.id)
  const {
    data: spaces,
    error,
    run: readSpaces,
  } = useRequest(() => call(projectApi.spaces, { projectId }), { manual: true, onError: quietly })
  const tree = treeOf(spaces ?? [])
  const floors = tree
    .ordered()
    .filter(({ id, type }) => type === 'floor' && id !== floor.id)
    .map(({ id, name, parentId }) => ({
      value: id,
      label: parentId ? `${tree.get(parentId)?.name} / ${name}` : name,
    }))
  const { run: hang, loading } = useRequest(
    async (floorId: string) => {
      const other = await call(onFloor, { floorId })
      const there = typed(other).flatMap(({ x, y, ...one }) =>
        x === null || y === null ? [] : [{ ...one, at: { x, y } }],
      )
      const targets = like(free, there)
      if (targets.length === 0)
        return message.warning(
          there.length ? `${other.place}没有同类型的设备` : `${other.place}还没有摆放设备`,
        )
      onPlace(targets)
      const left = free.length - targets.length
      return message.success(
        `已照${other.place}摆放 ${targets.length} 台${left ? `，${left} 台没有对应的位置` : ''}，保存后生效`,
      )
    },
    { manual: true, onError: quietly },
  )
  return (
    <Right to={place} unless={free.length === 0 && '先选设备'}>
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
        onChange={(floorId: string | null) => floorId && hang(floorId)}
      />
    </Right>
  )
}
