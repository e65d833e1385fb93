import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import type { UnfinishedScene } from '@iot/shared/contract/control/shift.schema'
import { shiftApi } from '@iot/shared/contract/control/shift.api'
import { openIncidentCountAtom } from '@iot/shared/session/live'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Can } from '@iot/shared/ui/right'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { formatShortTime } from '@iot/shared/client/zone'
import * as styles from './shift.module.css'

const AckForm = lazyDialog(() => import('./AckForm'))

/**
 * Lists scene runs that were due and did not complete until someone acknowledges them; it renders nothing if there are
 * none.
 */
export function UnfinishedScenes({ projectId }: { projectId: number }) {
  const liveOpenCount = useAtomValue(openIncidentCountAtom)
  const [scenesToAcknowledge, setScenesToAcknowledge] = useState<UnfinishedScene[]>()
  const [note, setNote] = useState('')
  const { data, error, refresh } = useRequest(
    () => call(shiftApi.unfinishedScenes, { projectId }, { quiet: true }),
    { refreshDeps: [projectId, liveOpenCount], throttleWait: 1000 },
  )
  if (!error && !data?.length) return null
  return (
    <section aria-label="未执行的定时场景">
      <h2 className={styles.title}>未执行的定时场景</h2>
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      {data && data.length > 1 && (
        <div className={styles.bar}>
          <span className={styles.grow} />
          <Can to={shiftApi.acknowledgeScenes}>
            <Button size="small" type="primary" onClick={() => setScenesToAcknowledge(data)}>
              确认 {data.length} 个
            </Button>
          </Can>
        </div>
      )}
      {data?.map((scene) => (
        <SceneLine key={scene.id} scene={scene} onAsk={() => setScenesToAcknowledge([scene])} />
      ))}
      {scenesToAcknowledge && (
        <AckForm
          what={`${scenesToAcknowledge.length} 个场景`}
          to={shiftApi.acknowledgeScenes}
          send={(draft) =>
            call(shiftApi.acknowledgeScenes, {
              projectId,
              ...draft,
              scenes: scenesToAcknowledge.map(({ id, count }) => ({ id, count })),
            })
          }
          note={note}
          onDone={(_, remainingNote) => {
            setNote(remainingNote)
            refresh()
          }}
          onClose={() => setScenesToAcknowledge(undefined)}
        />
      )}
    </section>
  )
}

function SceneLine({ scene, onAsk }: { scene: UnfinishedScene; onAsk: () => void }) {
  const { name, count, missed, firstTime, lastTime, reason } = scene
  const counts = [missed && `错过 ${missed} 次`, count - missed && `未完成 ${count - missed} 次`]
  return (
    <article className={styles.device} aria-label={`场景“${name}”未执行`}>
      <div className={styles.head}>
        <b className={styles.bad}>{name}</b>
        <span>{counts.filter(Boolean).join('，')}</span>
        <span className={styles.grow} />
        <span className={styles.more}>
          {formatShortTime(firstTime)}
          {lastTime !== firstTime && ` – ${formatShortTime(lastTime)}`}
        </span>
        <Can to={shiftApi.acknowledgeScenes}>
          <Button type="link" size="small" onClick={onAsk}>
            确认
          </Button>
        </Can>
      </div>
      {reason && <div className={styles.more}>{reason}</div>}
    </article>
  )
}
