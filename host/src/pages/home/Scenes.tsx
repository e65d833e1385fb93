import { PlusOutlined, SearchOutlined } from '@ant-design/icons'
import { useInterval, useRequest } from 'ahooks'
import { Button, Empty, Input, Skeleton } from 'antd'
import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { rights } from '@iot/shared/contract/homeRights'
import { type Scene, sceneApi, type SceneButton } from '@iot/shared/contract/scene'
import type { Asked } from '@iot/shared/control/confirmControl'
import { buttonSettingAtom } from '@iot/shared/session/application'
import { useCan } from '@iot/shared/session/can'
import { Card } from '@iot/shared/ui/card'
import { quietly } from '@iot/shared/ui/batch'
import { maxChoicesWithoutSearch } from '@iot/shared/ui/choiceStrip'
import { useConfirmRemove } from '@iot/shared/ui/confirmRemove'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { matchesWords } from '@iot/shared/contract/matchesWords'
import { Right, RowActions } from '@iot/shared/ui/right'
import { useEditing } from '@iot/shared/ui/useDraft'
import { FailedLine } from '@iot/shared/ui/usePage'
import { serverNow } from '@iot/shared/client/serverClock'
import { useComposed } from '@iot/shared/ui/composition'
import { PartBoundary } from '../../layout/PartBoundary'
import { draftOf } from './scene/draft'
import { SceneIcon } from './SceneIcon'
import { lastText, nextText, titleText } from './sceneTimes'
import * as styles from './scenes.module.css'

const SceneForm = lazyPart(() => import('./scene/SceneForm'))
const RunLog = lazyPart(() => import('./scene/RunLog'))

type ScenesProps = {
  projectId: number
  disabled: boolean
  title?: string
  /** The list shows the scenes with these ids; an empty list shows all. */
  only?: string[]
  /** The scene with this id was chosen elsewhere, such as in the search. */
  askedFor?: string
  onAsk: (asked: Asked) => void
}

export function Scenes({
  projectId,
  disabled,
  title = '场景',
  only = [],
  askedFor,
  onAsk,
}: ScenesProps) {
  const { size } = useAtomValue(buttonSettingAtom)
  const can = useCan()
  const confirmRemove = useConfirmRemove()
  const { data, error, refresh } = useRequest(
    () => call(sceneApi.page, { pageNo: 1, pageSize: 999, projectId }, { quiet: true }),
    { refreshDeps: [projectId], pollingInterval: 30_000, pollingWhenHidden: false },
  )
  const scenes = (data?.list ?? []).filter(({ id }) => only.length === 0 || only.includes(id))
  const [typed, setTyped] = useState('')
  const words = useComposed(typed)
  const hasSearch = scenes.length > maxChoicesWithoutSearch
  const shown = hasSearch ? scenes.filter(({ name }) => matchesWords(name, words)) : scenes
  const [now, setNow] = useState(serverNow)
  useInterval(() => setNow(serverNow()), 10_000)
  const [editing, setEditing, unsaved] = useEditing<Scene | 'new'>(draftOf(projectId), '场景')
  const [log, setLog] = useState<SceneButton>()

  const ask = ({ id, name }: Pick<Scene, 'id' | 'name'>, trial?: true) =>
    onAsk({
      title: trial ? `试运行场景“${name}”` : `执行场景“${name}”`,
      okText: trial ? '试运行' : '执行',
      request: { kind: 'scene', projectId, sceneId: id, trial },
      spoken: { kind: 'scene', name },
    })
  const edit = ({ id }: SceneButton) => call(sceneApi.get, { id }).then(setEditing).catch(quietly)
  const toggle = ({ id, status }: SceneButton) =>
    call(sceneApi.setStatus, {
      ids: [id],
      status: status === 'enabled' ? 'disabled' : 'enabled',
    })
      .then(refresh)
      .catch(quietly)
  const remove = ({ id, name }: SceneButton) =>
    confirmRemove(name, (options) => call(sceneApi.remove, { id }, options).then(refresh))

  const chosen = data?.list.find(({ id }) => id === askedFor)
  const chosenId = chosen?.id
  // The key tells two choices of the same scene apart, because a quick second choice may replace the address before it
  // was rendered without the scene.
  const { key: choice } = useLocation()
  useEffect(() => {
    if (chosen) ask(chosen)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each choice; `ask` is the same function anew.
  }, [chosenId, choice])

  const next = scenes
    .filter(({ nextRun }) => nextRun)
    .sort((one, other) => one.nextRun!.time.localeCompare(other.nextRun!.time))[0]
  const create = (
    <Right to={sceneApi.create}>
      <Button type="text" size="small" icon={<PlusOutlined />} onClick={() => setEditing('new')}>
        新建场景
      </Button>
    </Right>
  )

  return (
    <Card title={title} extra={only.length === 0 && create}>
      {only.length === 0 && unsaved}
      {error && <FailedLine why={error.message} hasRows={!!data} onRetry={refresh} />}
      {!data ? (
        !error && <Skeleton active title={false} paragraph={{ rows: 2 }} />
      ) : scenes.length === 0 ? (
        <Empty
          image={Empty.PRESENTED_IMAGE_SIMPLE}
          description={
            only.length > 0
              ? '所选场景已被删除，请在编辑模式里重新选择'
              : can(sceneApi.create)
                ? '这个项目还没有场景：按“新建场景”，取灯的当前值存下来'
                : '这个项目还没有场景，请联系实施工程师'
          }
        />
      ) : (
        <>
          {next && (
            <div className={styles.next}>
              下一个：{next.name} {nextText(next, now)}
            </div>
          )}
          {hasSearch && (
            <Input
              size="small"
              allowClear
              className={styles.search}
              prefix={<SearchOutlined />}
              aria-label="查找场景"
              placeholder={`在 ${scenes.length} 个场景里查找`}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
          {shown.length === 0 && (
            <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={`没有找到场景“${typed}”`}>
              <Button size="small" onClick={() => setTyped('')}>
                清除筛选
              </Button>
            </Empty>
          )}
          <ul className={`${styles.grid} ${styles[size]}`} aria-label="场景">
            {shown.map((scene) => (
              <li key={scene.id} className={styles.tile}>
                <Right
                  to={rights.scene}
                  unless={
                    disabled ? '编辑模式下不执行场景' : scene.status === 'disabled' && '场景已禁用'
                  }
                >
                  <Button
                    size={size}
                    className={styles.run}
                    title={titleText(scene, now)}
                    onClick={() => ask(scene)}
                  >
                    <span className={styles.text}>
                      <span className={styles.name}>
                        <SceneIcon name={scene.icon} /> {scene.name}
                      </span>
                      <span className={styles.when}>{nextText(scene, now)}</span>
                      {scene.deadCondition && (
                        <span className={`${styles.when} ${styles.failed}`}>
                          {scene.deadCondition}
                        </span>
                      )}
                      <span
                        className={`${styles.when} ${scene.lastRun?.failed ? styles.failed : ''}`}
                      >
                        {lastText(scene, now)}
                      </span>
                    </span>
                  </Button>
                </Right>
                <span className={styles.more}>
                  <RowActions
                    name={`场景“${scene.name}”`}
                    more={[
                      { label: '编辑', to: sceneApi.update, onClick: () => edit(scene) },
                      { label: '执行记录', to: rights.view, onClick: () => setLog(scene) },
                      {
                        label: scene.status === 'enabled' ? '禁用' : '启用',
                        to: sceneApi.setStatus,
                        onClick: () => toggle(scene),
                      },
                      {
                        label: '删除',
                        to: sceneApi.remove,
                        danger: true,
                        onClick: () => remove(scene),
                      },
                    ]}
                  />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      <PartBoundary onClose={() => setEditing(undefined)}>
        {editing && (
          <SceneForm
            projectId={projectId}
            scene={editing === 'new' ? undefined : editing}
            sort={Math.max(0, ...(data?.list ?? []).map(({ sort }) => sort)) + 1}
            onSaved={refresh}
            onTry={(scene) => (setEditing(undefined), ask(scene, true))}
            onClose={() => setEditing(undefined)}
          />
        )}
      </PartBoundary>
      <PartBoundary onClose={() => setLog(undefined)}>
        {log && <RunLog scene={log} onClose={() => setLog(undefined)} />}
      </PartBoundary>
    </Card>
  )
}
