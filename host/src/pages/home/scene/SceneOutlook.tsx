import useRequest from 'ahooks/es/useRequest'
import Form from 'antd/es/form'
import Skeleton from 'antd/es/skeleton'
import { call } from '@iot/shared/client/call'
import { previewDays } from '@iot/shared/contract/control/scene'
import type { Scene, SceneAction, Trigger } from '@iot/shared/contract/control/scene.schema'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import { describeScene } from '@iot/shared/contract/control/sceneText'
import { formatSkippedDevices } from '@iot/shared/control/confirmControl'
import { Card } from '@iot/shared/ui/card'
import { RetryAlert } from '@iot/shared/ui/retryAlert'
import { SchedulePreview } from './SchedulePreview'
import { useConditionDevices } from './TriggersText'
import type { SceneOptionsRead } from './useSceneOptions'
import * as styles from './scene.module.css'

type SceneOutlookProps = { projectId: number; id?: string; read: SceneOptionsRead }

/** Says what the scene as it is typed means: in one sentence, for the devices now, and for the next days. */
export function SceneOutlook({ projectId, id, read: optionsRead }: SceneOutlookProps) {
  const preflight = useActionPreflight(projectId)
  return (
    <aside className={styles.outlook} aria-label="场景说明">
      <Card>
        <Sentence {...{ projectId, read: optionsRead }} effects={preflight.data?.effects} />
      </Card>
      <Card title="如果现在执行">
        <EffectsNow {...preflight} />
      </Card>
      <Card title={`未来 ${previewDays} 天`}>
        <SchedulePreview {...{ projectId, id }} />
      </Card>
    </aside>
  )
}

/** The states of the devices change without the form. */
const preflightIntervalMs = 10_000
const isComplete = (action: Partial<SceneAction> | undefined): action is SceneAction =>
  !!action?.productType && !!action.scope && Object.keys(action.values ?? {}).length > 0

/** Asks what the typed actions would do now; without data while an action is incomplete. */
function useActionPreflight(projectId: number) {
  const actions = (Form.useWatch('actions', Form.useFormInstance<Scene>()) ??
    []) as Partial<SceneAction>[]
  const completeActions = actions.filter(isComplete)
  const isReady = actions.length > 0 && completeActions.length === actions.length
  const { data, error, refresh } = useRequest(
    () =>
      call(
        sceneApi.preflight,
        // The delay does not matter here, and its field may be empty.
        { projectId, actions: completeActions.map((action) => ({ ...action, delay: 0 })) },
        { quiet: true },
      ),
    {
      refreshDeps: [JSON.stringify(completeActions)],
      debounceWait: 400,
      ready: isReady,
      pollingInterval: preflightIntervalMs,
      pollingWhenHidden: false,
    },
  )
  return { isReady, data: isReady && !error ? data : undefined, error, refresh }
}
type ActionPreflight = ReturnType<typeof useActionPreflight>

type SentenceProps = Omit<SceneOutlookProps, 'id'> & {
  effects: NonNullable<ActionPreflight['data']>['effects'] | undefined
}

function Sentence({ projectId, read: optionsRead, effects }: SentenceProps) {
  const form = Form.useFormInstance<Scene>()
  const timing = Form.useWatch(({ triggers, dayMode, dayTypes, status }: Scene) => {
    return { triggers, dayMode, dayTypes, status }
  }, form) as Partial<Scene> | undefined
  const { triggers = [], dayMode = 'ignore', dayTypes = [], status } = timing ?? {}
  const knownTriggers = (triggers as (Trigger | undefined)[]).filter((trigger) => !!trigger)
  const devices = useConditionDevices({ projectId, read: optionsRead, triggers: knownTriggers })
  return (
    <p className={styles.sentence} role="status" aria-label="场景概要">
      {status === 'disabled' && '已禁用：'}
      {describeScene({ triggers: knownTriggers, dayMode, dayTypes }, effects, devices ?? new Map())}
    </p>
  )
}

function EffectsNow({ isReady, data, error, refresh }: ActionPreflight) {
  if (!isReady) return <span className={styles.hint}>选好每个动作的范围和设置后显示</span>
  if (error) return <RetryAlert type="info" title={error.message} onRetry={refresh} />
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 2 }} />
  const { effects, preflight } = data
  const changes = effects.filter((effect) => effect.changes > 0)
  const skippedText = formatSkippedDevices(preflight)
  return (
    <ul className={styles.effects} aria-label="如果现在执行">
      {changes.length === 0 && <li>没有设备会改变</li>}
      {changes.map(({ action, unit, changes: count, names }) => (
        <li key={action}>
          {action} {count} {unit}
          <div className={styles.hint}>
            {names.join('、')}
            {count > names.length && ' 等'}
          </div>
        </li>
      ))}
      {preflight.already > 0 && (
        <li>
          {preflight.already} {preflight.unit}已是这样
        </li>
      )}
      {skippedText && <li>{skippedText}</li>}
    </ul>
  )
}
