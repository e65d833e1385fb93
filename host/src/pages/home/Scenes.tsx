import PlusOutlined from '@ant-design/icons/PlusOutlined'
import SearchOutlined from '@ant-design/icons/SearchOutlined'
import useInterval from 'ahooks/es/useInterval'
import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import Button from 'antd/es/button'
import Empty from 'antd/es/empty'
import Input from 'antd/es/input'
import Skeleton from 'antd/es/skeleton'
import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import type { Scene, SceneButton } from '@iot/shared/contract/control/scene.schema'
import { sceneApi } from '@iot/shared/contract/control/scene.api'
import type { ControlConfirmation } from '@iot/shared/control/confirmControl'
import { buttonSettingAtom } from '@iot/shared/session/application'
import { useCan } from '@iot/shared/session/can'
import { Card } from '@iot/shared/ui/card'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { maxChoicesWithoutSearch } from '@iot/shared/ui/choiceStrip'
import { useRemoveRow } from '@iot/shared/ui/confirmRemove'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { matchesWords } from '@iot/shared/contract/matchesWords'
import { Can, RowActions, type RowAction } from '@iot/shared/ui/right'
import { useDraftNotice } from '@iot/shared/ui/useDraft'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { usePolling } from '@iot/shared/ui/usePolling'
import { serverNow } from '@iot/shared/client/serverClock'
import { useComposedText } from '@iot/shared/ui/composition'
import { getSceneAddress, getSceneDraftKey, scenesAddress } from './scene/sceneAddress'
import { SceneIcon } from './SceneIcon'
import { describeLastRun, describeNextRun, describeScene } from './sceneTimes'
import * as styles from './scenes.module.css'

const RunLog = lazyDialog(() => import('./scene/RunLog'))

type ScenesProps = {
  projectId: number
  disabled: boolean
  title?: string
  /** The list shows the scenes with these ids; an empty list shows all. */
  only?: string[]
  /** The scene with this id was chosen elsewhere, such as in the search. */
  requestedId?: string
  onAsk: (action: ControlConfirmation) => void
}

export function Scenes({
  projectId,
  disabled,
  title = '场景',
  only = [],
  requestedId,
  onAsk,
}: ScenesProps) {
  const { size } = useAtomValue(buttonSettingAtom)
  const { data, error, refresh } = usePolling(
    sceneApi.page,
    { pageNo: 1, pageSize: 999, projectId },
    { intervalMs: 30_000 },
  )
  const scenes = (data?.list ?? []).filter(({ id }) => only.length === 0 || only.includes(id))
  const [searchText, setSearchText] = useState('')
  const searchWords = useComposedText(searchText)
  const hasSearch = scenes.length > maxChoicesWithoutSearch
  const filteredScenes = hasSearch
    ? scenes.filter(({ name }) => matchesWords(name, searchWords))
    : scenes
  const [now, setNow] = useState(serverNow)
  useInterval(() => setNow(serverNow()), 10_000)
  const navigate = useNavigate()
  const openEditor = (scene: 'new' | { id: string }) =>
    void navigate(getSceneAddress(projectId, scene))
  const { notice: draftNotice } = useDraftNotice<Scene | 'new'>(
    getSceneDraftKey(projectId),
    '场景',
    openEditor,
    scenesAddress,
  )
  const [loggedScene, setLoggedScene] = useState<SceneButton>()

  const { askToRun, listRowActions } = useSceneActions({
    projectId,
    onAsk,
    onEdit: openEditor,
    onOpenLog: setLoggedScene,
    onChanged: refresh,
  })

  const requestedScene = data?.list.find(({ id }) => id === requestedId)
  const requestedSceneId = requestedScene?.id
  // The key tells two choices of the same scene apart, because a quick second choice may replace the address before it
  // was rendered without the scene.
  const { key: locationKey } = useLocation()
  const askForRequested = useMemoizedFn(() => requestedScene && askToRun(requestedScene))
  useEffect(() => {
    if (requestedSceneId !== undefined) askForRequested()
  }, [requestedSceneId, locationKey, askForRequested])

  const nextScene = scenes
    .filter(({ nextRun }) => nextRun)
    .sort((a, b) => a.nextRun!.time.localeCompare(b.nextRun!.time))[0]
  const createButton = (
    <Can to={sceneApi.create}>
      <Button type="text" size="small" icon={<PlusOutlined />} onClick={() => openEditor('new')}>
        新建场景
      </Button>
    </Can>
  )

  return (
    <Card title={title} extra={only.length === 0 && createButton}>
      {only.length === 0 && draftNotice}
      {error && <LoadErrorAlert why={error.message} hasRows={!!data} onRetry={refresh} />}
      {!data ? (
        !error && <Skeleton active title={false} paragraph={{ rows: 2 }} />
      ) : scenes.length === 0 ? (
        <NoScenes isSelection={only.length > 0} />
      ) : (
        <>
          {nextScene && (
            <div className={styles.next}>
              下一个：{nextScene.name} {describeNextRun(nextScene, now)}
            </div>
          )}
          {hasSearch && (
            <SceneSearch
              sceneCount={scenes.length}
              hasMatch={filteredScenes.length > 0}
              value={searchText}
              onChange={setSearchText}
            />
          )}
          <div className={styles.scroller}>
            <ul className={`${styles.grid} ${styles[size]}`} aria-label="场景">
              {filteredScenes.map((scene) => (
                <SceneTile
                  key={scene.id}
                  scene={scene}
                  now={now}
                  disabled={disabled}
                  onRun={() => askToRun(scene)}
                  actions={listRowActions(scene)}
                />
              ))}
            </ul>
          </div>
        </>
      )}
      {loggedScene && <RunLog scene={loggedScene} onClose={() => setLoggedScene(undefined)} />}
    </Card>
  )
}

type SceneActionsOptions = Pick<ScenesProps, 'projectId' | 'onAsk'> & {
  onEdit: (scene: SceneButton) => void
  onOpenLog: (scene: SceneButton) => void
  onChanged: () => void
}

/** Returns how to run a scene, after a confirmation, and the further actions of its tile. */
function useSceneActions({ projectId, onAsk, onEdit, onOpenLog, onChanged }: SceneActionsOptions) {
  const askToRun = ({ id, name }: SceneButton) =>
    onAsk({
      title: `执行场景“${name}”`,
      okText: '执行',
      request: { kind: 'scene', projectId, sceneId: id },
      spoken: { kind: 'scene', name },
    })
  const toggle = ({ id, status }: SceneButton) =>
    call(sceneApi.setStatus, {
      ids: [id],
      status: status === 'enabled' ? 'disabled' : 'enabled',
    })
      .then(onChanged)
      .catch(ignoreHandled)
  const remove = useRemoveRow(sceneApi.remove, onChanged)
  const listRowActions = (scene: SceneButton): RowAction[] => [
    { label: '编辑', to: sceneApi.update, onClick: () => onEdit(scene) },
    {
      label: '执行记录',
      to: devicePermissions.view,
      onClick: () => onOpenLog(scene),
    },
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
  ]
  return { askToRun, listRowActions }
}

type SceneTileProps = {
  scene: SceneButton
  now: number
  disabled: boolean
  onRun: () => void
  actions: RowAction[]
}

/** Runs a scene, and shows when it runs next and how it ran last. */
function SceneTile({ scene, now, disabled, onRun, actions }: SceneTileProps) {
  const { size } = useAtomValue(buttonSettingAtom)
  return (
    <li className={styles.tile}>
      <Can
        to={devicePermissions.scene}
        unless={disabled ? '编辑模式下不执行场景' : scene.status === 'disabled' && '场景已禁用'}
      >
        <Button
          size={size}
          className={styles.run}
          title={describeScene(scene, now)}
          onClick={onRun}
        >
          <span className={styles.text}>
            <span className={styles.name}>
              <SceneIcon name={scene.icon} /> {scene.name}
            </span>
            <span className={styles.when}>{describeNextRun(scene, now)}</span>
            {scene.deadCondition && (
              <span className={`${styles.when} ${styles.failed}`}>{scene.deadCondition}</span>
            )}
            <span className={`${styles.when} ${scene.lastRun?.failed ? styles.failed : ''}`}>
              {describeLastRun(scene, now)}
            </span>
          </span>
        </Button>
      </Can>
      <span className={styles.more}>
        <RowActions name={`场景“${scene.name}”`} more={actions} />
      </span>
    </li>
  )
}

type SceneSearchProps = {
  sceneCount: number
  hasMatch: boolean
  value: string
  onChange: (searchText: string) => void
}

/** Searches in many scenes, and says so if none matches. */
const SceneSearch = ({ sceneCount, hasMatch, value, onChange }: SceneSearchProps) => (
  <>
    <Input
      size="small"
      allowClear
      className={styles.search}
      prefix={<SearchOutlined />}
      aria-label="查找场景"
      placeholder={`在 ${sceneCount} 个场景里查找`}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
    {!hasMatch && (
      <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={`没有找到场景“${value}”`}>
        <Button size="small" onClick={() => onChange('')}>
          清除筛选
        </Button>
      </Empty>
    )}
  </>
)

function NoScenes({ isSelection }: { isSelection: boolean }) {
  const can = useCan()
  return (
    <Empty
      image={Empty.PRESENTED_IMAGE_SIMPLE}
      description={
        isSelection
          ? '所选场景已被删除，请在编辑模式里重新选择'
          : can(sceneApi.create)
            ? '这个项目还没有场景：按“新建场景”，取灯的当前值存下来'
            : '这个项目还没有场景，请联系实施工程师'
      }
    />
  )
}
