import { Button, Flex, Input, Table, type TableColumnsType } from 'antd'
import { useAtomValue } from 'jotai'
import { useMemo, useState } from 'react'
import type { MapDevice } from '../../contract/device'
import { isLight, lookOf } from '../../contract/light'
import { deviceMessageAtom, deviceStateAtom } from '../../session/live'
import { store } from '../../session/store'
import { foldSearch } from '../../contract/text'
import { Dot } from '../dot'
import { isAmong, isWaiting, lookText, onlyText, waitingText, type Only } from '../lights'
import { useNow } from '../useBuilding'
import { useComposed } from '../../ui/composition'

type LampListProps = {
  floor: string
  /** Devices with a switch; those that are no lights are omitted. */
  lights: MapDevice[]
  faults: ReadonlyMap<string, string>
  /** The filter selects the listed lamps. */
  only?: Only
  nameOf: (spaceId: string) => string | undefined
  /** Moves the plan to the lamp and opens its card. */
  onShow: (light: MapDevice) => void
}
const byName = new Intl.Collator('zh-CN', { numeric: true })

/** Lists the lamps of a plan as text, for screen readers and for searching. */
export default function LampList({ floor, lights, faults, only, nameOf, onShow }: LampListProps) {
  const [text, setText] = useState('')
  const composed = useComposed(text)
  const sorted = useMemo(
    () => lights.filter(isLight).sort((a, b) => byName.compare(a.name, b.name)),
    [lights],
  )
  const named = useMemo(() => {
    const words = foldSearch(composed)
    return sorted.filter(({ name, spaceId }) =>
      foldSearch(`${name} ${nameOf(spaceId) ?? ''}`).includes(words),
    )
  }, [sorted, composed, nameOf])
  useAtomValue(deviceMessageAtom)
  const found = only
    ? named.filter((light) => isAmong({ ...light, ...store.get(deviceStateAtom(light.id)) }, only))
    : named
  const state = only && (only === 'protected' ? onlyText[only] : `状态为“${onlyText[only]}”`)
  const sought = [state, text.trim() && `名称含“${text.trim()}”`].filter(Boolean)
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
    { title: '位置', ellipsis: true, render: (_, { spaceId }) => nameOf(spaceId) ?? floor },
    {
      title: '状态',
      width: 96,
      render: (_, light) => <State light={light} isFaulty={faults.has(light.id)} />,
    },
  ]
  return (
    <Flex vertical gap={8}>
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
        dataSource={found}
        locale={{ emptyText: `没有${sought.join('、')}${sought.length > 0 ? '的' : ''}灯` }}
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

function State({ light: known, isFaulty }: { light: MapDevice; isFaulty: boolean }) {
  const light = useNow(known)
  const look = lookOf(light)
  const isPending = isWaiting(light)
  return (
    <>
      <Dot look={isPending ? 'pending' : look === 'unknown' ? 'stale' : look} />{' '}
      {isPending ? waitingText(light) : isFaulty ? '故障' : lookText[look]}
    </>
  )
}
