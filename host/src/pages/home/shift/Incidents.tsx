import { useRequest } from 'ahooks'
import { Button, Checkbox, Empty, Pagination, Segmented, Skeleton } from 'antd'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import {
  incidentKindText,
  shiftApi,
  type Incident,
  type IncidentDevice,
} from '@iot/shared/contract/shift'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { shiftOpenAtom } from '@iot/shared/session/live'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { Right } from '@iot/shared/ui/right'
import { FailedLine } from '@iot/shared/ui/usePage'
import { shortTime } from '@iot/shared/client/zone'
import * as styles from './shift.module.css'

const AckForm = lazyPart(() => import('./AckForm'))
const pageSize = 20

type IncidentsProps = {
  projectId: number
  tree: SpaceTree
  /** Acknowledged incidents are listed from this time on; without it only open ones are. */
  from?: string
  onLocate: (deviceId: string, floorId: string) => void
}

/** Lists incidents by device, to be acknowledged one by one or in bulk, with a note. */
export function Incidents({ projectId, tree, from, onLocate }: IncidentsProps) {
  const told = useAtomValue(shiftOpenAtom)
  const [only, setOnly] = useState<'open' | 'all'>('open')
  const [pageNo, setPageNo] = useState(1)
  const [ticked, setTicked] = useState<ReadonlyMap<string, Incident>>(new Map())
  const [asked, setAsked] = useState<Incident[]>()
  const [note, setNote] = useState('')
  const { data, error, refresh } = useRequest(
    () => call(shiftApi.incidents, { projectId, only, from, pageNo, pageSize }, { quiet: true }),
    {
      refreshDeps: [projectId, only, from, pageNo, told],
      throttleWait: 1000,
      onSuccess: ({ list, total }) => list.length === 0 && total > 0 && setPageNo(1),
    },
  )
  const shown = data?.list.flatMap(({ incidents }) => incidents) ?? []
  const open = shown.filter(({ acknowledgedTime }) => acknowledgedTime === null)
  const tick = (some: Incident[], isTicked: boolean) => {
    const next = new Map(ticked)
    for (const one of some)
      if (isTicked) next.set(one.id, one)
      else next.delete(one.id)
    setTicked(next)
  }
  /** The ticked rows use the latest read, so that the count shown is the count acknowledged. */
  const wanted = [...ticked.values()].map((one) => shown.find(({ id }) => id === one.id) ?? one)

  return (
    <section aria-label="设备事件">
      <div className={styles.bar}>
        {from !== undefined && (
          <Segmented
            value={only}
            onChange={(value: typeof only) => {
              setOnly(value)
              setPageNo(1)
            }}
            options={[
              { value: 'open', label: '未确认' },
              { value: 'all', label: '全部' },
            ]}
          />
        )}
        <Checkbox
          checked={open.length > 0 && open.every(({ id }) => ticked.has(id))}
          indeterminate={ticked.size > 0 && !open.every(({ id }) => ticked.has(id))}
          disabled={open.length === 0}
          onChange={({ target }) => tick(open, target.checked)}
        >
          本页未确认
        </Checkbox>
        <span className={styles.grow} />
        <Right to={shiftApi.acknowledge} unless={ticked.size === 0 && '请先勾选'}>
          <Button size="small" type="primary" onClick={() => setAsked(wanted)}>
            确认{ticked.size > 0 && ` ${ticked.size} 条`}
          </Button>
        </Right>
      </div>
      {error && <FailedLine why={error.message} hasRows={!!data} onRetry={refresh} />}
      {!data && !error && <Skeleton active title={false} paragraph={{ rows: 4 }} />}
      {data?.list.length === 0 && (
        <Empty
          image={Empty.PRESENTED_IMAGE_SIMPLE}
          description={only === 'open' ? '设备事件都已确认' : '这段时间没有设备事件'}
        />
      )}
      {data?.list.map((device) => (
        <Device
          key={device.id}
          device={device}
          place={tree.nameOf(device.spaceId || device.floorId || '')}
          ticked={ticked}
          onTick={tick}
          onAsk={setAsked}
          onLocate={onLocate}
        />
      ))}
      <Pagination
        {...{ current: pageNo, pageSize, total: data?.total ?? 0, size: 'small', align: 'end' }}
        hideOnSinglePage
        showSizeChanger={false}
        onChange={setPageNo}
      />
      {asked && (
        <AckForm
          what={`${asked.length} 条设备事件`}
          isNoteOnly={asked.every(({ acknowledgedTime }) => acknowledgedTime !== null)}
          to={shiftApi.acknowledge}
          send={(draft) =>
            call(shiftApi.acknowledge, {
              projectId,
              ...draft,
              incidents: asked.map(({ id, count }) => ({ id, count })),
            })
          }
          note={note}
          onDone={(acknowledged, left) => {
            setTicked(new Map([...ticked].filter(([id]) => !acknowledged.includes(id))))
            setNote(left)
            refresh()
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  )
}

type DeviceProps = {
  device: IncidentDevice
  place: string
  ticked: ReadonlyMap<string, Incident>
  onTick: (some: Incident[], isTicked: boolean) => void
  onAsk: (incidents: Incident[]) => void
  onLocate: IncidentsProps['onLocate']
}

function Device({ device, place, ticked, onTick, onAsk, onLocate }: DeviceProps) {
  const { id, name, floorId, count, firstTime, lastTime, incidents } = device
  return (
    <article className={styles.device} aria-label={`${name}的事件`}>
      <div className={styles.head}>
        {floorId ? (
          <button type="button" className={styles.name} onClick={() => onLocate(id, floorId)}>
            {name}
          </button>
        ) : (
          <b>{name}</b>
        )}
        <span className={styles.more}>{place}</span>
        <span className={styles.grow} />
        <span className={styles.more}>
          {count} 次，{shortTime(firstTime)}
          {lastTime !== firstTime && ` – ${shortTime(lastTime)}`}
        </span>
      </div>
      {incidents.map((one) => (
        <Line key={one.id} of={one} name={name} ticked={ticked} onTick={onTick} onAsk={onAsk} />
      ))}
    </article>
  )
}

type LineProps = Pick<DeviceProps, 'ticked' | 'onTick' | 'onAsk'> & { of: Incident; name: string }

function Line({ of, name, ticked, onTick, onAsk }: LineProps) {
  const { id, kind, text, count, lastTime, endTime, acknowledgedBy, acknowledgedTime, notes } = of
  const isOpen = acknowledgedTime === null
  const word = incidentKindText[kind]
  const ended = kind === 'offline' ? '恢复' : '后来成功'
  return (
    <div className={styles.line}>
      <Checkbox
        aria-label={`勾选 ${name} ${word}`}
        checked={ticked.has(id)}
        disabled={!isOpen}
        onChange={({ target }) => onTick([of], target.checked)}
      />
      <div className={styles.what}>
        <div>
          <b className={isOpen && !endTime ? styles.bad : undefined}>{word}</b>
          {count > 1 && ` ${count} 次`} <span>{text}</span>
        </div>
        <div className={styles.more}>
          {shortTime(lastTime)}
          {endTime ? `，${shortTime(endTime)} ${ended}` : kind === 'offline' && '，现在仍离线'}
          {!isOpen && ` · ${acknowledgedBy} ${shortTime(acknowledgedTime)} 已确认`}
        </div>
        {notes.map((note, n) => (
          <div key={n} className={styles.note}>
            {note.by} {shortTime(note.time)}：{note.text}
          </div>
        ))}
      </div>
      <Right to={shiftApi.acknowledge}>
        <Button type="link" size="small" onClick={() => onAsk([of])}>
          {isOpen ? '确认' : '加备注'}
        </Button>
      </Right>
    </div>
  )
}
