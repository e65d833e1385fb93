import { useRequest } from 'ahooks'
import { Button, Checkbox, Empty, Pagination, Segmented, Skeleton } from 'antd'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { incidentKindText } from '@iot/shared/contract/shift'
import type { Incident, IncidentDevice } from '@iot/shared/contract/shift.schema'
import { shiftApi } from '@iot/shared/contract/shift.api'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { openIncidentCountAtom } from '@iot/shared/session/live'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Can } from '@iot/shared/ui/right'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { formatShortTime } from '@iot/shared/client/zone'
import * as styles from './shift.module.css'

const AckForm = lazyDialog(() => import('./AckForm'))
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
  const liveOpenCount = useAtomValue(openIncidentCountAtom)
  const [incidentFilter, setIncidentFilter] = useState<'open' | 'all'>('open')
  const [pageNo, setPageNo] = useState(1)
  const [tickedIncidents, setTickedIncidents] = useState<ReadonlyMap<string, Incident>>(new Map())
  const [incidentsToAcknowledge, setIncidentsToAcknowledge] = useState<Incident[]>()
  const [note, setNote] = useState('')
  const { data, error, refresh } = useRequest(
    () =>
      call(
        shiftApi.incidents,
        { projectId, only: incidentFilter, from, pageNo, pageSize },
        { quiet: true },
      ),
    {
      refreshDeps: [projectId, incidentFilter, from, pageNo, liveOpenCount],
      throttleWait: 1000,
      onSuccess: ({ list, total }) => list.length === 0 && total > 0 && setPageNo(1),
    },
  )
  const listedIncidents = data?.list.flatMap(({ incidents }) => incidents) ?? []
  const openIncidents = listedIncidents.filter(({ acknowledgedTime }) => acknowledgedTime === null)
  const tickIncidents = (incidents: Incident[], isTicked: boolean) => {
    const nextIncidents = new Map(tickedIncidents)
    for (const incident of incidents)
      if (isTicked) nextIncidents.set(incident.id, incident)
      else nextIncidents.delete(incident.id)
    setTickedIncidents(nextIncidents)
  }
  /** The ticked rows use the latest read, so that the count shown is the count acknowledged. */
  const latestTickedIncidents = [...tickedIncidents.values()].map(
    (incident) => listedIncidents.find(({ id }) => id === incident.id) ?? incident,
  )

  return (
    <section aria-label="设备事件">
      <div className={styles.bar}>
        {from !== undefined && (
          <Segmented
            value={incidentFilter}
            onChange={(value: typeof incidentFilter) => {
              setIncidentFilter(value)
              setPageNo(1)
            }}
            options={[
              { value: 'open', label: '未确认' },
              { value: 'all', label: '全部' },
            ]}
          />
        )}
        <Checkbox
          checked={
            openIncidents.length > 0 && openIncidents.every(({ id }) => tickedIncidents.has(id))
          }
          indeterminate={
            tickedIncidents.size > 0 && !openIncidents.every(({ id }) => tickedIncidents.has(id))
          }
          disabled={openIncidents.length === 0}
          onChange={({ target }) => tickIncidents(openIncidents, target.checked)}
        >
          本页未确认
        </Checkbox>
        <span className={styles.grow} />
        <Can to={shiftApi.acknowledge} unless={tickedIncidents.size === 0 && '请先勾选'}>
          <Button
            size="small"
            type="primary"
            onClick={() => setIncidentsToAcknowledge(latestTickedIncidents)}
          >
            确认{tickedIncidents.size > 0 && ` ${tickedIncidents.size} 条`}
          </Button>
        </Can>
      </div>
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      {!data && !error && <Skeleton active title={false} paragraph={{ rows: 4 }} />}
      {data?.list.length === 0 && (
        <Empty
          image={Empty.PRESENTED_IMAGE_SIMPLE}
          description={incidentFilter === 'open' ? '设备事件都已确认' : '这段时间没有设备事件'}
        />
      )}
      {data?.list.map((device) => (
        <DeviceIncidents
          key={device.id}
          device={device}
          place={tree.nameOf(device.spaceId || device.floorId || '')}
          ticked={tickedIncidents}
          onTick={tickIncidents}
          onAsk={setIncidentsToAcknowledge}
          onLocate={onLocate}
        />
      ))}
      <Pagination
        {...{ current: pageNo, pageSize, total: data?.total ?? 0, size: 'small', align: 'end' }}
        hideOnSinglePage
        showSizeChanger={false}
        onChange={setPageNo}
      />
      {incidentsToAcknowledge && (
        <AcknowledgeForm
          projectId={projectId}
          incidents={incidentsToAcknowledge}
          note={note}
          onDone={(acknowledged, remainingNote) => {
            setTickedIncidents(
              new Map([...tickedIncidents].filter(([id]) => !acknowledged.includes(id))),
            )
            setNote(remainingNote)
            refresh()
          }}
          onClose={() => setIncidentsToAcknowledge(undefined)}
        />
      )}
    </section>
  )
}

type AcknowledgeFormProps = {
  projectId: number
  incidents: Incident[]
  note: string
  onDone: (acknowledged: string[], remainingNote: string) => void
  onClose: () => void
}

/** Acknowledges these incidents with a note; for acknowledged ones only the note is added. */
const AcknowledgeForm = ({ projectId, incidents, ...formProps }: AcknowledgeFormProps) => (
  <AckForm
    what={`${incidents.length} 条设备事件`}
    isNoteOnly={incidents.every(({ acknowledgedTime }) => acknowledgedTime !== null)}
    to={shiftApi.acknowledge}
    send={(draft) =>
      call(shiftApi.acknowledge, {
        projectId,
        ...draft,
        incidents: incidents.map(({ id, count }) => ({ id, count })),
      })
    }
    {...formProps}
  />
)

type DeviceIncidentsProps = {
  device: IncidentDevice
  place: string
  ticked: ReadonlyMap<string, Incident>
  onTick: (incidents: Incident[], isTicked: boolean) => void
  onAsk: (incidents: Incident[]) => void
  onLocate: IncidentsProps['onLocate']
}

function DeviceIncidents({ device, place, ticked, onTick, onAsk, onLocate }: DeviceIncidentsProps) {
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
          {count} 次，{formatShortTime(firstTime)}
          {lastTime !== firstTime && ` – ${formatShortTime(lastTime)}`}
        </span>
      </div>
      {incidents.map((item) => (
        <IncidentLine
          key={item.id}
          incident={item}
          name={name}
          ticked={ticked}
          onTick={onTick}
          onAsk={onAsk}
        />
      ))}
    </article>
  )
}

type IncidentLineProps = Pick<DeviceIncidentsProps, 'ticked' | 'onTick' | 'onAsk'> & {
  incident: Incident
  name: string
}

function IncidentLine({ incident, name, ticked, onTick, onAsk }: IncidentLineProps) {
  const { id, kind, text, count, lastTime, endTime, acknowledgedBy, acknowledgedTime, notes } =
    incident
  const isOpen = acknowledgedTime === null
  const kindWord = incidentKindText[kind]
  const endedText = kind === 'offline' ? '恢复' : '后来成功'
  return (
    <div className={styles.line}>
      <Checkbox
        aria-label={`勾选 ${name} ${kindWord}`}
        checked={ticked.has(id)}
        disabled={!isOpen}
        onChange={({ target }) => onTick([incident], target.checked)}
      />
      <div className={styles.what}>
        <div>
          <b className={isOpen && !endTime ? styles.bad : undefined}>{kindWord}</b>
          {count > 1 && ` ${count} 次`} <span>{text}</span>
        </div>
        <div className={styles.more}>
          {formatShortTime(lastTime)}
          {endTime
            ? `，${formatShortTime(endTime)} ${endedText}`
            : kind === 'offline' && '，现在仍离线'}
          {!isOpen && ` · ${acknowledgedBy} ${formatShortTime(acknowledgedTime)} 已确认`}
        </div>
        {notes.map((note, n) => (
          <div key={n} className={styles.note}>
            {note.by} {formatShortTime(note.time)}：{note.text}
          </div>
        ))}
      </div>
      <Can to={shiftApi.acknowledge}>
        <Button type="link" size="small" onClick={() => onAsk([incident])}>
          {isOpen ? '确认' : '加备注'}
        </Button>
      </Can>
    </div>
  )
}
