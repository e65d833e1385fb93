import { useRequest } from 'ahooks'
import { Button } from 'antd'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { shiftApi, type UnfinishedScene } from '@iot/shared/contract/shift'
import { shiftOpenAtom } from '@iot/shared/session/live'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { Right } from '@iot/shared/ui/right'
import { FailedLine } from '@iot/shared/ui/usePage'
import { shortTime } from '@iot/shared/client/zone'
import * as styles from './shift.module.css'

const AckForm = lazyPart(() => import('./AckForm'))

/**
 * Lists scene runs that were due and did not complete until someone acknowledges them; it renders nothing if there are
 * none.
 */
export function UnfinishedScenes({ projectId }: { projectId: number }) {
  const open = useAtomValue(shiftOpenAtom)
  const [asked, setAsked] = useState<UnfinishedScene[]>()
  const [note, setNote] = useState('')
  const { data, error, refresh } = useRequest(
    () => call(shiftApi.unfinishedScenes, { projectId }, { quiet: true }),
    { refreshDeps: [projectId, open], throttleWait: 1000 },
  )
  if (!error && !data?.length) return null
  return (
    <section aria-label="未执行的定时场景">
      <h2 className={styles.title}>未执行的定时场景</h2>
      {error && <FailedLine why={error.message} hasRows={!!data} onRetry={refresh} />}
      {data && data.length > 1 && (
        <div className={styles.bar}>
          <span className={styles.grow} />
          <Right to={shiftApi.acknowledgeScenes}>
            <Button size="small" type="primary" onClick={() => setAsked(data)}>
              确认 {data.length} 个
            </Button>
          </Right>
        </div>
      )}
      {data?.map((scene) => (
        <Line key={scene.id} scene={scene} onAsk={() => setAsked([scene])} />
      ))}
      {asked && (
        <AckForm
          what={`${asked.length} 个场景`}
          to={shiftApi.acknowledgeScenes}
          send={(draft) =>
            call(shiftApi.acknowledgeScenes, {
              projectId,
              ...draft,
              scenes: asked.map(({ id, count }) => ({ id, count })),
            })
          }
          note={note}
          onDone={(_, left) => {
            setNote(left)
            refresh()
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  )
}

function Line({ scene, onAsk }: { scene: UnfinishedScene; onAsk: () => void }) {
  const { name, count, missed, firstTime, lastTime, reason } = scene
  const counts = [missed && `错过 ${missed} 次`, count - missed && `未完成 ${count - missed} 次`]
  return (
    <article className={styles.device} aria-label={`场景“${name}”未执行`}>
      <div className={styles.head}>
        <b className={styles.bad}>{name}</b>
        <span>{counts.filter(Boolean).join('，')}</span>
        <span className={styles.grow} />
        <span className={styles.more}>
          {shortTime(firstTime)}
          {lastTime !== firstTime && ` – ${shortTime(lastTime)}`}
        </span>
        <Right to={shiftApi.acknowledgeScenes}>
          <Button type="link" size="small" onClick={onAsk}>
            确认
          </Button>
        </Right>
      </div>
      {reason && <div className={styles.more}>{reason}</div>}
    </article>
  )
}
