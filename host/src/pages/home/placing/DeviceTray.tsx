import { SearchOutlined } from '@ant-design/icons'
import { useVirtualList } from 'ahooks'
import { Button, Empty, Input, Segmented, Select } from 'antd'
import { useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { Link } from 'react-router-dom'
import {
  deviceStateText,
  managedDeviceApi,
  type FloorDevices,
} from '@iot/shared/contract/managedDevice'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { normalizeForSearch } from '@iot/shared/contract/text'
import type { PlanPosition, MoveTarget } from './arrangement'
import { CopyFromFloor } from './CopyFromFloor'
import * as styles from './placing.module.css'
import { useComposedText } from '@iot/shared/ui/composition'

type FloorDevice = FloorDevices['devices'][number]
type PointerPosition = { clientX: number; clientY: number }
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
/** A press that moves further than this number of pixels becomes a drag. */
const dragThresholdPx = 5
const nameCollator = new Intl.Collator('zh-CN', { numeric: true })

/** Lists the devices of the floor: those not yet on the plan and those on it. The list is one tab stop. */
export function DeviceTray(props: DeviceTrayProps) {
  const { data, at, selected, unsaved, failed, isReadOnly, onSelect, onDrop, onEnter, onPlace } =
    props
  const can = useCan()
  const [activeTab, setActiveTab] = useState<'out' | 'on'>('out')
  const [searchText, setSearchText] = useState('')
  const composed = useComposedText(searchText)
  const [type, setType] = useState<string>()
  const [activeIndex, setActiveIndex] = useState(0)
  const [drag, setDrag] = useState<{ ids: string[]; x: number; y: number }>()
  const pressRef = useRef<{ x: number; y: number; isDrag: boolean }>(undefined)
  const listRef = useRef<HTMLDivElement>(null)
  const innerRef = useRef<HTMLDivElement>(null)
  /** A range selection with Shift starts at this index. */
  const anchorIndexRef = useRef(0)

  const products = useMemo(() => new Map(data.products.map((one) => [one.id, one])), [data])
  const rooms = useMemo(() => new Map(data.spaces.map(({ id, name }) => [id, name])), [data])
  const sortedDevices = useMemo(
    () => [...data.devices].sort((a, b) => nameCollator.compare(a.name, b.name)),
    [data],
  )
  const placedDevices = useMemo(
    () => sortedDevices.filter(({ id }) => at.get(id)),
    [sortedDevices, at],
  )
  const unplacedDevices = useMemo(
    () => sortedDevices.filter(({ id }) => at.has(id) && !at.get(id)),
    [sortedDevices, at],
  )
  const tabDevices = activeTab === 'on' ? placedDevices : unplacedDevices
  const types = useMemo(() => {
    const counts = new Map<string, { label: string; count: number }>()
    for (const { productId } of tabDevices) {
      const { productType = '', typeName = '' } = products.get(productId) ?? {}
      const count = (counts.get(productType)?.count ?? 0) + 1
      counts.set(productType, { label: typeName, count })
    }
    return [...counts].map(([value, { label, count }]) => ({
      value,
      label: `${label}（${count}）`,
    }))
  }, [tabDevices, products])
  const listedDevices = useMemo(() => {
    const words = normalizeForSearch(composed)
    return tabDevices.filter(
      ({ name, deviceName, spaceId, productId }) =>
        (!type || products.get(productId)?.productType === type) &&
        normalizeForSearch(`${name} ${deviceName} ${rooms.get(spaceId ?? '') ?? ''}`).includes(
          words,
        ),
    )
  }, [tabDevices, composed, type, products, rooms])
  const [rows, scrollTo] = useVirtualList(listedDevices, {
    containerTarget: listRef,
    wrapperTarget: innerRef,
    itemHeight: rowHeightPx,
    overscan: 6,
  })
  const currentIndex = Math.min(activeIndex, listedDevices.length - 1)
  const isFiltered = searchText.trim() !== '' || type !== undefined

  const getIdRange = (fromIndex: number, toIndex: number) =>
    listedDevices
      .slice(Math.min(fromIndex, toIndex), Math.max(fromIndex, toIndex) + 1)
      .map(({ id }) => id)
  const moveActive = (toIndex: number, isRange: boolean) => {
    setActiveIndex(toIndex)
    scrollTo(Math.max(0, toIndex - 3))
    if (!isRange) anchorIndexRef.current = toIndex
    onSelect(getIdRange(anchorIndexRef.current, toIndex))
  }
  const listSelectedIds = () =>
    listedDevices.filter(({ id }) => selected.has(id)).map(({ id }) => id)
  const chooseDevice = (
    index: number,
    { shiftKey, ctrlKey, metaKey }: PointerEvent | KeyboardEvent,
  ) => {
    const { id } = listedDevices[index]!
    setActiveIndex(index)
    if (shiftKey) return onSelect(getIdRange(anchorIndexRef.current, index))
    anchorIndexRef.current = index
    if (!ctrlKey && !metaKey) return onSelect([id])
    const before = listSelectedIds()
    onSelect(selected.has(id) ? before.filter((one) => one !== id) : [...before, id])
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    const lastIndex = listedDevices.length - 1
    if (listedDevices.length === 0 || event.altKey) return
    if (key === 'ArrowDown') moveActive(Math.min(lastIndex, currentIndex + 1), event.shiftKey)
    else if (key === 'ArrowUp') moveActive(Math.max(0, currentIndex - 1), event.shiftKey)
    else if (key === 'Home') moveActive(0, event.shiftKey)
    else if (key === 'End') moveActive(lastIndex, event.shiftKey)
    else if (key === ' ') chooseDevice(currentIndex, event)
    else if (key === 'a' && (event.ctrlKey || event.metaKey))
      onSelect(listedDevices.map(({ id }) => id))
    else if (key === 'Enter') {
      const ids = listSelectedIds()
      onEnter(ids.length > 0 ? ids : [listedDevices[currentIndex]!.id])
    } else return
    event.preventDefault()
  }

  const startPress = (event: PointerEvent) => {
    if (event.button !== 0) return
    pressRef.current = { x: event.clientX, y: event.clientY, isDrag: false }
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const continuePress = (id: string, { clientX, clientY }: PointerEvent) => {
    const pressStart = pressRef.current
    if (!pressStart || isReadOnly || activeTab === 'on') return
    if (
      !pressStart.isDrag &&
      Math.hypot(clientX - pressStart.x, clientY - pressStart.y) < dragThresholdPx
    )
      return
    pressStart.isDrag = true
    setDrag({ ids: selected.has(id) ? listSelectedIds() : [id], x: clientX, y: clientY })
  }
  const endPress = (index: number, event: PointerEvent) => {
    const pressStart = pressRef.current
    pressRef.current = undefined
    setDrag(undefined)
    if (drag) onDrop(drag.ids, event)
    else if (pressStart) chooseDevice(index, event)
  }
  const cancelPress = () => {
    pressRef.current = undefined
    setDrag(undefined)
  }

  return (
    <section className={styles.tray} aria-label="设备">
      <Segmented<'out' | 'on'>
        block
        value={activeTab}
        onChange={(next) => {
          setActiveTab(next)
          setActiveIndex(0)
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
          value={searchText}
          onChange={({ target }) => setSearchText(target.value)}
        />
        {(types.length > 1 || type) && (
          <Select
            allowClear
            aria-label="产品类型"
            placeholder="产品类型"
            value={type}
            options={types}
            onChange={setType}
          />
        )}
        {activeTab === 'out' && unplacedDevices.length > 0 && (
          <CopyFromFloor data={data} at={at} selected={selected} onPlace={onPlace} />
        )}
      </div>
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
                !isReadOnly && activeTab === 'out' && styles.draggable,
              ]
                .filter(Boolean)
                .join(' ')}
              onPointerDown={startPress}
              onPointerMove={(event) => continuePress(device.id, event)}
              onPointerUp={(event) => endPress(index, event)}
              onPointerCancel={cancelPress}
              onDoubleClick={() => onEnter([device.id])}
            >
              <div className={styles.name}>
                {device.name}
                {unsaved.has(device.id) && <span className={styles.unsaved}>未保存</span>}
              </div>
              <div className={failed.has(device.id) ? styles.why : styles.about}>
                {failed.get(device.id) ??
                  [
                    deviceStateText[device.state],
                    products.get(device.productId)?.name,
                    describeLocation(device, at.get(device.id), rooms),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
              </div>
            </div>
          ))}
        </div>
        {listedDevices.length === 0 && (
          <Empty
            image={Empty.PRESENTED_IMAGE_SIMPLE}
            description={
              isFiltered
                ? '没有符合条件的设备'
                : activeTab === 'on'
                  ? '图上还没有设备，从“未摆放”拖到图上'
                  : data.devices.length > 0
                    ? '这一层的设备都摆放好了'
                    : '这一层还没有设备，先登记设备并选这一层为位置'
            }
          >
            {isFiltered ? (
              <Button
                onClick={() => {
                  setSearchText('')
                  setType(undefined)
                }}
              >
                清除筛选
              </Button>
            ) : (
              activeTab === 'out' &&
              data.devices.length === 0 &&
              can(managedDeviceApi.create) && (
                <Link to={paths.deviceAccess.device()}>
                  <Button>去登记设备</Button>
                </Link>
              )
            )}
          </Empty>
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

function describeLocation(
  { floorId, spaceId }: FloorDevice,
  position: PlanPosition | null | undefined,
  rooms: ReadonlyMap<string, string>,
) {
  if (position) return `左 ${(position.x * 100).toFixed(1)}%，上 ${(position.y * 100).toFixed(1)}%`
  return floorId === null ? '还没有楼层' : rooms.get(spaceId ?? '')
}
