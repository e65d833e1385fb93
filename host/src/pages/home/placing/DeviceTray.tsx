import SearchOutlined from '@ant-design/icons/SearchOutlined'
import useVirtualList from 'ahooks/es/useVirtualList'
import Input from 'antd/es/input'
import Segmented from 'antd/es/segmented'
import { useRef } from 'react'
import { deviceStateText } from '@iot/shared/contract/device/managedDevice'
import type { FloorDevices } from '@iot/shared/contract/device/managedDevice.schema'
import { Select } from '@iot/shared/ui/select'
import type { PlanPosition, MoveTarget } from './arrangement'
import { CopyFromFloor } from './CopyFromFloor'
import { EmptyTray } from './EmptyTray'
import { useTrayDevices, type FloorDevice, type TrayDevices, type TrayTab } from './useTrayDevices'
import { useTrayDrag, type PointerPosition } from './useTrayDrag'
import { useTraySelection } from './useTraySelection'
import * as styles from './placing.module.css'

type DeviceTrayProps = {
  data: FloorDevices
  at: ReadonlyMap<string, PlanPosition | null>
  selected: ReadonlySet<string>
  unsaved: ReadonlySet<string>
  failed: ReadonlyMap<string, string>
  isReadOnly: boolean
  onSelect: (ids: string[]) => void
  /** Runs when devices are released after dragging; `client` is the pointer's position anywhere on the page. */
  onDrop: (ids: string[], client: PointerPosition) => void
  onEnter: (ids: string[]) => void
  onPlace: (targets: MoveTarget[]) => void
}

const rowHeightPx = 48

/** Lists the devices of the floor: those not yet on the plan and those on it. The list is one tab stop. */
export function DeviceTray(props: DeviceTrayProps) {
  const { data, at, selected, isReadOnly, onSelect, onDrop, onEnter } = props
  const listRef = useRef<HTMLDivElement>(null)
  const innerRef = useRef<HTMLDivElement>(null)
  const tray = useTrayDevices(data, at)
  const { activeTab, listedDevices } = tray
  const [rows, scrollTo] = useVirtualList(listedDevices, {
    containerTarget: listRef,
    wrapperTarget: innerRef,
    itemHeight: rowHeightPx,
    overscan: 6,
  })
  const { currentIndex, resetActive, listSelectedIds, chooseDevice, onKeyDown } = useTraySelection({
    listedDevices,
    selected,
    scrollTo,
    onSelect,
    onEnter,
  })
  const canDrag = !isReadOnly && activeTab === 'out'
  const { drag, startPress, continuePress, endPress, cancelPress } = useTrayDrag({
    canDrag,
    listDraggedIds: (id) => (selected.has(id) ? listSelectedIds() : [id]),
    onDrop,
    onPress: chooseDevice,
  })

  return (
    <section className={styles.tray} aria-label="设备">
      <TrayFilters {...props} tray={tray} onTab={resetActive} />
      <div
        ref={listRef}
        className={styles.list}
        role="listbox"
        tabIndex={0}
        aria-label={activeTab === 'out' ? '未摆放的设备' : '图上的设备'}
        aria-multiselectable
        aria-activedescendant={
          listedDevices[currentIndex] && `placing-${listedDevices[currentIndex].id}`
        }
        aria-description={
          activeTab === 'out' ? '回车放到平面图中间，再用方向键移动' : '回车到平面图上找到它'
        }
        onKeyDown={onKeyDown}
      >
        <div ref={innerRef}>
          {rows.map(({ data: device, index }) => (
            <div
              key={device.id}
              id={`placing-${device.id}`}
              role="option"
              aria-selected={selected.has(device.id)}
              className={[
                styles.row,
                selected.has(device.id) && styles.selected,
                index === currentIndex && styles.current,
                canDrag && styles.draggable,
              ]
                .filter(Boolean)
                .join(' ')}
              onPointerDown={startPress}
              onPointerMove={(event) => continuePress(device.id, event)}
              onPointerUp={(event) => endPress(index, event)}
              onPointerCancel={cancelPress}
              onDoubleClick={() => onEnter([device.id])}
            >
              <TrayRowText {...props} device={device} tray={tray} />
            </div>
          ))}
        </div>
        {listedDevices.length === 0 && (
          <EmptyTray tray={tray} hasDevices={data.devices.length > 0} />
        )}
      </div>
      {data.left > 0 && activeTab === 'out' && (
        <div className={styles.about}>
          还有 {data.left} 台没有楼层的设备没有列出，摆放一些后再刷新，或在设备管理里批量移动。
        </div>
      )}
      {drag && (
        <div className={styles.ghost} style={{ left: drag.x, top: drag.y }} aria-hidden>
          {drag.ids.length > 1
            ? `${drag.ids.length} 台`
            : data.devices.find(({ id }) => id === drag.ids[0])?.name}
        </div>
      )}
    </section>
  )
}

type TrayFiltersProps = Pick<
  DeviceTrayProps,
  'data' | 'at' | 'selected' | 'onSelect' | 'onPlace'
> & {
  tray: TrayDevices
  onTab: () => void
}

/** Chooses which devices the tray lists. */
function TrayFilters({ data, at, selected, onSelect, onPlace, tray, onTab }: TrayFiltersProps) {
  const { activeTab, types, type, placedDevices, unplacedDevices } = tray
  return (
    <>
      <Segmented<TrayTab>
        block
        value={activeTab}
        onChange={(next) => {
          tray.setActiveTab(next)
          onTab()
          onSelect([])
        }}
        options={[
          { value: 'out', label: `未摆放 ${unplacedDevices.length}` },
          { value: 'on', label: `图上 ${placedDevices.length}` },
        ]}
      />
      <div className={styles.filters}>
        <Input
          allowClear
          prefix={<SearchOutlined />}
          aria-label="搜索设备"
          placeholder="名称、DeviceName 或房间"
          value={tray.searchText}
          onChange={({ target }) => tray.setSearchText(target.value)}
        />
        {(types.length > 1 || type) && (
          <Select
            allowClear
            aria-label="产品类型"
            placeholder="产品类型"
            value={type}
            options={types}
            onChange={tray.setType}
          />
        )}
        {activeTab === 'out' && unplacedDevices.length > 0 && (
          <CopyFromFloor data={data} at={at} selected={selected} onPlace={onPlace} />
        )}
      </div>
    </>
  )
}

type TrayRowTextProps = Pick<DeviceTrayProps, 'at' | 'unsaved' | 'failed'> & {
  device: FloorDevice
  tray: TrayDevices
}

function TrayRowText({ at, unsaved, failed, device, tray }: TrayRowTextProps) {
  return (
    <>
      <div className={styles.name}>
        {device.name}
        {unsaved.has(device.id) && <span className={styles.unsaved}>未保存</span>}
      </div>
      <div className={failed.has(device.id) ? styles.why : styles.about}>
        {failed.get(device.id) ??
          [
            deviceStateText[device.state],
            tray.products.get(device.productId)?.name,
            describeLocation(device, at.get(device.id), tray.rooms),
          ]
            .filter(Boolean)
            .join(' · ')}
      </div>
    </>
  )
}

function describeLocation(
  { floorId, spaceId }: FloorDevice,
  position: PlanPosition | null | undefined,
  rooms: ReadonlyMap<string, string>,
) {
  if (position) return `左 ${(position.x * 100).toFixed(1)}%，上 ${(position.y * 100).toFixed(1)}%`
  return floorId === null ? '还没有楼层' : rooms.get(spaceId ?? '')
}
