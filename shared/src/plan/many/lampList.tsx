import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Input from 'antd/es/input'
import Table from 'antd/es/table'
import type { TableColumnsType } from 'antd'
import { useAtomValue } from 'jotai'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { MapDevice } from '../../contract/device/device.schema'
import { isLight, getLightState } from '../../contract/control/light'
import { deviceMessageAtom, deviceStateAtom } from '../../session/live'
import { store } from '../../session/store'
import { normalizeForSearch } from '../../contract/text'
import { Dot } from '../dot'
import {
  matchesLightFilter,
  isCommandPending,
  lookText,
  lightFilterText,
  formatOverride,
  formatPendingState,
  type LightFilter,
} from '../lights'
import { useLiveDevice } from '../useBuilding'
import { useComposedText } from '../../ui/composition'

type LampListProps = {
  floor: string
  /** Devices with a switch; those that are no lights are omitted. */
  lights: MapDevice[]
  faults: ReadonlyMap<string, string>
  /** The filter selects the listed lamps. */
  only?: LightFilter
  nameOf: (spaceId: string) => string | undefined
  /** Moves the plan to the lamp and opens its card. */
  onShow: (light: MapDevice) => void
}
const nameCollator = new Intl.Collator('zh-CN', { numeric: true })

/** Lists the lamps of a plan as text, for screen readers and for searching. */
export default function LampList({
  floor,
  lights,
  faults,
  only: lightFilter,
  nameOf: getSpaceName,
  onShow,
}: LampListProps) {
  const [text, setText] = useState('')
  const list = useRef<HTMLDivElement>(null)
  // The list opens below the plan, which fills the window, so it is brought into view.
  useEffect(() => list.current?.scrollIntoView?.({ block: 'nearest' }), [])
  const composedText = useComposedText(text)
  const sortedLights = useMemo(
    () => lights.filter(isLight).sort((a, b) => nameCollator.compare(a.name, b.name)),
    [lights],
  )
  const matchingLights = useMemo(() => {
    const searchText = normalizeForSearch(composedText)
    return sortedLights.filter(({ name, spaceId }) =>
      normalizeForSearch(`${name} ${getSpaceName(spaceId) ?? ''}`).includes(searchText),
    )
  }, [sortedLights, composedText, getSpaceName])
  useAtomValue(deviceMessageAtom)
  const listedLights = lightFilter
    ? matchingLights.filter((light) =>
        matchesLightFilter({ ...light, ...store.get(deviceStateAtom(light.id)) }, lightFilter),
      )
    : matchingLights
  const state =
    lightFilter &&
    (lightFilter === 'protected'
      ? lightFilterText[lightFilter]
      : `状态为“${lightFilterText[lightFilter]}”`)
  const filterTexts = [state, text.trim() && `名称含“${text.trim()}”`].filter(Boolean)
  const columns: TableColumnsType<MapDevice> = [
    {
      title: '名称',
      ellipsis: true,
      render: (_, light) => (
        <Button type="link" size="small" style={{ paddingInline: 0 }} onClick={() => onShow(light)}>
          {light.name}
        </Button>
      ),
    },
    { title: '位置', ellipsis: true, render: (_, { spaceId }) => getSpaceName(spaceId) ?? floor },
    {
      title: '状态',
      width: 176,
      render: (_, light) => <LampState light={light} isFaulty={faults.has(light.id)} />,
    },
  ]
  return (
    <Flex ref={list} vertical gap={8}>
      <Input.Search
        allowClear
        aria-label="搜索灯"
        placeholder="灯或房间的名称"
        style={{ maxWidth: 320 }}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Table<MapDevice>
        size="small"
        rowKey="id"
        aria-label={`${floor}的灯`}
        columns={columns}
        dataSource={listedLights}
        locale={{
          emptyText: `没有${filterTexts.join('、')}${filterTexts.length > 0 ? '的' : ''}灯`,
        }}
        pagination={{
          pageSize: 10,
          simple: true,
          showSizeChanger: false,
          hideOnSinglePage: true,
          showTotal: (total) => `共 ${total} 盏`,
        }}
      />
    </Flex>
  )
}

function LampState({ light: initialLight, isFaulty }: { light: MapDevice; isFaulty: boolean }) {
  const light = useLiveDevice(initialLight)
  const look = getLightState(light)
  const isPending = isCommandPending(light)
  return (
    <>
      <Dot look={isPending ? 'pending' : look === 'unknown' ? 'stale' : look} />{' '}
      {isPending ? formatPendingState(light) : isFaulty ? '故障' : lookText[look]}
      {light.override && <div>{formatOverride(light.override)}</div>}
    </>
  )
}
