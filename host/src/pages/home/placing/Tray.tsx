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
import { foldSearch } from '@iot/shared/contract/text'
import type { At, Target } from './arrangement'
import { LikeFloor } from './LikeFloor'
import * as styles from './placing.module.css'
import { useComposed } from '@iot/shared/ui/composition'

type Device = FloorDevices['devices'][number]
type Client = { clientX: number; clientY: number }
type TrayProps = {
  data: FloorDevices
  at: ReadonlyMap<string, At | null>
  selected: ReadonlySet<string>
  unsaved: ReadonlySet<string>
  failed: ReadonlyMap<string, string>
  isReadOnly: boolean
  onSelect: (ids: string[]) => void
  /** Runs when devices are released after dragging; `client` is the pointer's position anywhere on the page. */
  onDrop: (ids: string[], client: Client) => void
  onEnter: (ids: string[]) => void
  onPlace: (targets: Target[]) => void
}

const rowHeight = 48
/** A press that moves further than this number of pixels becomes a drag. */
const slack = 5
const byName = new Intl.Collator('zh-CN', { numeric: true })

/** Lists the devices of the floor: those not yet on the plan and those on it. The list is one tab stop. */
export function Tray(props: TrayProps) {
  const { data, at, selected, unsaved, failed, isReadOnly, onSelect, onDrop, onEnter, onPlace } =
    props
  const can = useCan()
  const [shown, setShown] = useState<'out' | 'on'>('out')
  const [text, setText] = useState('')
  const composed = useComposed(text)
  const [type, setType] = useState<string>()
  const [active, setActive] = useState(0)
  const [drag, setDrag] = useState<{ ids: string[]; x: number; y: number }>()
  const press = useRef<{ x: number; y: number; isDrag: boolean }>(undefined)
  const box = useRef<HTMLDivElement>(null)
  const inner = useRef<HTMLDivElement>(null)
  /** A range selection with Shift starts at this index. */
  const anchor = useRef(0)

  const products = useMemo(() => new Map(data.products.map((one) => [one.id, one])), [data])
  const rooms = useMemo(() => new Map(data.spaces.map(({ id, name }) => [id, name])), [data])
  const sorted = useMemo(
    () => [...data.devices].sort((a, b) => byName.compare(a.name, b.name)),
    [data],
  )
  const onPlan = useMemo(() => sorted.filter(({ id }) => at.get(id)), [sorted, at])
  const out = useMemo(() => sorted.filter(({ id }) => at.has(id) && !at.get(id)), [sorted, at])
  const here = shown === 'on' ? onPlan : out
  const types = useMemo(() => {
    const counts = new Map<string, { label: string; count: number }>()
    for (const { productId } of here) {
      const { productType = '', typeName = '' } = products.get(productId) ?? {}
      const count = (counts.get(productType)?.count ?? 0) + 1
      counts.set(productType, { label: typeName, count })
    }
    return [...counts].map(([value, { label, count }]) => ({
      value,
      label: `${label}（${count}）`,
    }))
  }, [here, products])
  const list = useMemo(() => {
    const words = foldSearch(composed)
    return here.filter(
      ({ name, deviceName, spaceId, productId }) =>
        (!type || products.get(productId)?.productType === type) &&
        foldSearch(`${name} ${deviceName} ${rooms.get(spaceId ?? '') ?? ''}`).includes(words),
    )
  }, [here, composed, type, products, rooms])
  const [rows, scrollTo] = useVirtualList(list, {
    containerTarget: box,
    wrapperTarget: inner,
    itemHeight: rowHeight,
    overscan: 6,
  })
  const current = Math.min(active, list.length - 1)
  const isFiltered = text.trim() !== '' || type !== undefined

  const range = (from: number, to: number) =>
    list.slice(Math.min(from, to), Math.max(from, to) + 1).map(({ id }) => id)
  const go = (to: number, isRange: boolean) => {
    setActive(to)
    scrollTo(Math.max(0, to - 3))
    if (!isRange) anchor.current = to
    onSelect(range(anchor.current, to))
  }
  const chosen = () => list.filter(({ id }) => selected.has(id)).map(({ id }) => id)
  const choose = (n: number, { shiftKey, ctrlKey, metaKey }: PointerEvent | KeyboardEvent) => {
    const { id } = list[n]!
    setActive(n)
    if (shiftKey) return onSelect(range(anchor.current, n))
    anchor.current = n
    if (!ctrlKey && !metaKey) return onSelect([id])
    const before = chosen()
    onSelect(selected.has(id) ? before.filter((one) => one !== id) : [...before, id])
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    const last = list.length - 1
    if (list.length === 0 || event.altKey) return
    if (key === 'ArrowDown') go(Math.min(last, current + 1), event.shiftKey)
    else if (key === 'ArrowUp') go(Math.max(0, current - 1), event.shiftKey)
    else if (key === 'Home') go(0, event.shiftKey)
    else if (key === 'End') go(last, event.shiftKey)
    else if (key === ' ') choose(current, event)
    else if (key === 'a' && (event.ctrlKey || event.metaKey)) onSelect(list.map(({ id }) => id))
    else if (key === 'Enter') {
      const ids = chosen()
      onEnter(ids.length > 0 ? ids : [list[current]!.id])
    } else return
    event.preventDefault()
  }

  const onDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    press.current = { x: event.clientX, y: event.clientY, isDrag: false }
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const onMoved = (id: string, { clientX, clientY }: PointerEvent) => {
    const from = press.current
    if (!from || isReadOnly || shown === 'on') return
    if (!from.isDrag && Math.hypot(clientX - from.x, clientY - from.y) < slack) return
    from.isDrag = true
    setDrag({ ids: selected.has(id) ? chosen() : [id], x: clientX, y: clientY })
  }
  const onUp = (n: number, event: PointerEvent) => {
    const from = press.current
    press.current = undefined
    setDrag(undefined)
    if (drag) onDrop(drag.ids, event)
    else if (from) choose(n, event)
  }
  const onCancel = () => {
    press.current = undefined
    setDrag(undefined)
  }

  return (
    <section className={styles.tray} aria-label="设备">
      <Segmented<'out' | 'on'>
        block
        value={shown}
        onChange={(next) => {
          setShown(next)
          setActive(0)
          onSelect([])
        }}
        options={[
          { value: 'out', label: `未摆放 ${out.length}` },
          { value: 'on', label: `图上 ${onPlan.length}` },
        ]}
      />
      <div className={styles.filters}>
        <Input
          allowClear
          prefix={<SearchOutlined />}
          aria-label="搜索设备"
          placeholder="名称、DeviceName 或房间"
          value={text}
          onChange={({ target }) => setText(target.value)}
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
        {shown === 'out' && out.length > 0 && (
          <LikeFloor data={data} at={at} selected={selected} onPlace={onPlace} />
        )}
      </div>
      <div
        ref={box}
        className={styles.list}
        role="listbox"
        tabIndex={0}
        aria-label={shown === 'out' ? '未摆放的设备' : '图上的设备'}
        aria-multiselectable
        aria-activedescendant={list[current] && `placing-${list[current].id}`}
        aria-description={
          shown === 'out' ? '回车放到平面图中间，再用方向键移动' : '回车到平面图上找到它'
        }
        onKeyDown={onKeyDown}
      >
        <div ref={inner}>
          {rows.map(({ data: device, index }) => (
            <div
              key={device.id}
              id={`placing-${device.id}`}
              role="option"
              aria-selected={selected.has(device.id)}
              className={[
                styles.row,
                selected.has(device.id) && styles.selected,
                index === current && styles.current,
                !isReadOnly && shown === 'out' && styles.draggable,
              ]
                .filter(Boolean)
                .join(' ')}
              onPointerDown={onDown}
              onPointerMove={(event) => onMoved(device.id, event)}
              onPointerUp={(event) => onUp(index, event)}
              onPointerCancel={onCancel}
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
                    whereOf(device, at.get(device.id), rooms),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
              </div>
            </div>
          ))}
        </div>
        {list.length === 0 && (
          <Empty
            image={Empty.PRESENTED_IMAGE_SIMPLE}
            description={
              isFiltered
                ? '没有符合条件的设备'
                : shown === 'on'
                  ? '图上还没有设备，从“未摆放”拖到图上'
                  : data.devices.length > 0
                    ? '这一层的设备都摆放好了'
                    : '这一层还没有设备，先登记设备并选这一层为位置'
            }
          >
            {isFiltered ? (
              <Button
                onClick={() => {
                  setText('')
                  setType(undefined)
                }}
              >
                清除筛选
              </Button>
            ) : (
              shown === 'out' &&
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
      {data.left > 0 && shown === 'out' && (
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

function whereOf(
  { floorId, spaceId }: Device,
  at: At | null | undefined,
  rooms: ReadonlyMap<string, string>,
) {
  if (at) return `左 ${(at.x * 100).toFixed(1)}%，上 ${(at.y * 100).toFixed(1)}%`
  return floorId === null ? '还没有楼层' : rooms.get(spaceId ?? '')
}
