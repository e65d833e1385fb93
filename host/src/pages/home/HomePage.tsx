import { AudioOutlined, FundProjectionScreenOutlined } from '@ant-design/icons'
import { useMemoizedFn } from 'ahooks'
import { Alert, Button, Card, Empty, Flex, Popover, Result, Skeleton } from 'antd'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import type { MapDevice, Problem, SpaceLights } from '@iot/shared/contract/device'
import { rights } from '@iot/shared/contract/homeRights'
import { managedProjectApi } from '@iot/shared/contract/managedProject'
import { ConfirmControl, type Asked } from '@iot/shared/control/confirmControl'
import { Tasks } from '@iot/shared/control/tasks'
import { useSwitch } from '@iot/shared/control/useSwitch'
import { useTasks } from '@iot/shared/control/useTasks'
import { FloorPlan } from '@iot/shared/plan/floorPlan'
import { FloorTabs } from '@iot/shared/plan/floorTabs'
import type { Room } from '@iot/shared/plan/rooms'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { useBuilding, useFloors } from '@iot/shared/plan/useBuilding'
import { useStopped } from '@iot/shared/plan/useStopped'
import { quietly } from '@iot/shared/ui/batch'
import { buttonSettingAtom, isEditModeAtom } from '@iot/shared/session/application'
import { useCan } from '@iot/shared/session/can'
import { currentProjectIdAtom, projectsAtom } from '@iot/shared/session/project'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { asking, verbOfLights } from './actions'
import { ProblemStrip } from './ProblemStrip'
import { Scenes } from './Scenes'
import { ScopeBar } from './ScopeBar'
import { SelectionBar } from './SelectionBar'
import { useProblems } from './useProblems'
import { useScope } from './useScope'
import * as styles from './home.module.css'

const LampCard = lazyPart(() => import('./LampCard'))
const FloorMatrix = lazyPart(
  () => import('./FloorMatrix'),
  () => <Skeleton active title={false} paragraph={{ rows: 10 }} />,
)
const VoiceCommand = lazyPart(() => import('./VoiceCommand'))
const Wall = lazyPart(() => import('./Wall'))
const FirstProject = lazyPart(() => import('./FirstProject'))

export function Component() {
  const projectId = useAtomValue(currentProjectIdAtom)
  const hasProject = useAtomValue(projectsAtom).length > 0
  const can = useCan()
  const building = useBuilding(projectId)

  if (!can(rights.view))
    return (
      <Result
        status="info"
        title="没有查看设备的权限"
        subTitle="请联系管理员授予“查看设备”权限。"
      />
    )
  if (!hasProject && can(managedProjectApi.create)) return <FirstProject />
  if (!hasProject)
    return (
      <Result
        status="info"
        title="没有可查看的项目"
        subTitle="请联系管理员在用户管理中为您分配项目。"
      />
    )
  if (building.error && !(building.tree && building.counts))
    return (
      <Result
        status="warning"
        title="没有读到设备"
        subTitle={building.error.message}
        extra={
          <Button type="primary" onClick={building.retry}>
            重试
          </Button>
        }
      />
    )
  if (!building.tree || !building.counts) return <Loading />
  if (building.tree.floorsOf().length === 0)
    return (
      <Card>
        <Empty
          className={styles.empty}
          image={Empty.PRESENTED_IMAGE_SIMPLE}
          description="这个项目还没有楼栋和设备。请在右上角切换项目，或在系统管理的项目详情里新建楼栋。"
        />
      </Card>
    )
  const { tree, counts } = building
  return <Building key={projectId} {...{ projectId, building, tree, counts }} />
}

/** As large as a plan, so that nothing moves when it comes. */
const picture = {
  root: { display: 'block', width: '100%' },
  content: { width: '100%', height: 'auto', aspectRatio: '5 / 3' },
}
const Loading = () => (
  <div className={styles.home} aria-busy>
    <Card size="small">
      <Skeleton active title={false} paragraph={{ rows: 1, width: '50%' }} />
    </Card>
    <div className={styles.columns}>
      <Card size="small">
        <Skeleton.Node active styles={picture}>
          <span />
        </Skeleton.Node>
      </Card>
      <Card size="small">
        <Skeleton active title={false} paragraph={{ rows: 4 }} />
      </Card>
    </div>
  </div>
)

type BuildingProps = {
  projectId: number
  building: ReturnType<typeof useBuilding>
  tree: SpaceTree
  counts: ReadonlyMap<string, SpaceLights>
}

function Building({ projectId, building, tree, counts }: BuildingProps) {
  const isEditMode = useAtomValue(isEditModeAtom)
  const projectName = useAtomValue(projectsAtom).find(({ id }) => id === projectId)?.name ?? ''
  const { openVoice } = useAtomValue(buttonSettingAtom)
  const scope = useScope(tree)
  const tasks = useTasks(projectId)
  const problems = useProblems(
    projectId,
    tasks.tasks.filter(({ doneTime }) => doneTime !== null).length,
  )
  const stopped = useStopped()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [opened, setOpened] = useState<string>()
  const [isListening, setListening] = useState(false)
  const ask = (asked: Asked) =>
    asked.confirm === 'none'
      ? void tasks.start(asked.request, asked.spoken).catch(quietly)
      : setAsked(asked)
  const switchLight = useSwitch(projectId, tasks)
  const press = (light: MapDevice) => {
    // Why it cannot be switched stands on its card.
    if (light.state !== 'online') setOpened(light.id)
    switchLight(light)
  }
  const floors = useFloors(projectId, scope.floorIds, building.modes)
  const failed = [building, floors].find(({ error }) => error)
  // A scene that was chosen elsewhere stays in the address until then: whatever is drawn anew meanwhile asks again.
  const close = () => {
    setAsked(null)
    if (scope.sceneId) scope.forgetScene()
  }
  const { floor } = scope
  const onFloor = floors.devices?.filter(({ floorId }) => floorId === floor?.id)
  const openedLight = floors.lights?.find(({ id }) => id === opened)
  const nameOf = useMemoizedFn((spaceId: string) => {
    const space = tree.get(spaceId)
    return space?.type === 'floor' ? undefined : space?.name
  })
  /** A room is small, is seen whole, and can be put back: it asks only where its type wants a tick. */
  const pressRoom = (room: Room, isLit: boolean) => {
    const mode = building.modes.find(
      (one) => verbOfLights(one) && one.actionType === (isLit ? 'all_off' : 'all_on'),
    )
    if (!mode || isEditMode) return
    const action = asking(
      mode,
      projectId,
      { kind: 'space', spaceId: room.id },
      tree.nameOf(room.id),
    )
    ask(mode.confirm === 'strict' ? action : { ...action, confirm: 'none' })
  }
  const show = ({ kind, id, floorId }: Problem) => {
    if (!floorId) return
    scope.choose(floorId, id)
    if (kind !== 'lit' && kind !== 'edge') setOpened(id)
  }

  const plan = floor && (
    <FloorPlan
      key={floor.id}
      floor={floor}
      devices={onFloor}
      lights={floors.lights}
      picked={scope.picked}
      highlighted={scope.deviceId}
      faults={problems.faults}
      only={scope.only}
      picking={isEditMode}
      nameOf={nameOf}
      onSwitch={press}
      onPick={scope.setPicked}
      onOpen={({ id }) => setOpened(id)}
      onRoom={pressRoom}
      stopped={stopped}
    >
      {scope.picked.size > 0 && (
        <SelectionBar
          picked={scope.picked}
          projectId={projectId}
          modes={building.modes}
          busy={isEditMode}
          onAsk={ask}
          onClear={() => scope.setPicked(new Map())}
        />
      )}
      {openedLight && (
        <div className={openedLight.x > 0.6 ? styles.cardLeft : styles.cardRight}>
          <LampCard
            key={openedLight.id}
            light={openedLight}
            place={tree.nameOf(openedLight.spaceId)}
            projectId={projectId}
            tasks={tasks}
            fault={problems.faults.get(openedLight.id)}
            busy={isEditMode}
            onSwitch={switchLight}
            onClose={() => setOpened(undefined)}
          />
        </div>
      )}
    </FloorPlan>
  )

  if (scope.isWall)
    return (
      <Wall
        projectId={projectId}
        projectName={projectName}
        tree={tree}
        floor={floor}
        counts={counts}
        problems={problems}
        onShow={scope.choose}
        onClose={() => scope.showWall(false)}
      >
        <div inert>{plan}</div>
      </Wall>
    )
  return (
    <div className={styles.home}>
      {failed && (
        <Alert
          type="warning"
          showIcon
          title={`没有读到最新数据：${failed.error?.message}`}
          action={
            <Button size="small" onClick={failed.retry}>
              重试
            </Button>
          }
        />
      )}
      {isEditMode && (
        <Alert type="info" showIcon title="编辑模式：点灯和场景不会下发命令，点灯用来选择。" />
      )}
      <Card size="small">
        <ProblemStrip
          problems={problems}
          projectId={projectId}
          tree={tree}
          busy={isEditMode}
          onShow={show}
          onAsk={ask}
        />
      </Card>
      <div className={styles.columns}>
        <Card size="small">
          <Flex justify="space-between" gap={8}>
            <FloorTabs tree={tree} space={scope.space} counts={counts} onChoose={scope.choose} />
            <Flex gap={8}>
              {openVoice && (
                <Popover
                  trigger="click"
                  placement="bottomRight"
                  title="口令"
                  destroyOnHidden
                  open={isListening}
                  onOpenChange={setListening}
                  content={
                    <VoiceCommand
                      projectId={projectId}
                      tree={tree}
                      here={scope.space}
                      modes={building.modes}
                      onAsk={(asked) => {
                        // A question must not be covered.
                        if (asked.confirm !== 'none') setListening(false)
                        ask(asked)
                      }}
                    />
                  }
                >
                  <Button
                    icon={<AudioOutlined />}
                    aria-label="口令"
                    title={isEditMode ? '编辑模式下不下发命令' : '说或输入口令'}
                    disabled={isEditMode}
                  />
                </Popover>
              )}
              <Button
                icon={<FundProjectionScreenOutlined />}
                aria-label="大屏"
                title="大屏：全屏巡游各层"
                onClick={() => scope.showWall(true)}
              />
            </Flex>
          </Flex>
          <div className={styles.bar}>
            <ScopeBar
              tree={tree}
              scope={scope}
              counts={counts}
              modes={building.modes}
              busy={isEditMode}
              onAsk={ask}
            />
          </div>
          {plan ?? (
            <FloorMatrix
              projectId={projectId}
              tree={tree}
              space={scope.space}
              counts={counts}
              problems={problems.floors}
              modes={building.modes}
              only={scope.only}
              busy={isEditMode}
              stopped={stopped}
              onShow={scope.choose}
              onAsk={ask}
            />
          )}
        </Card>
        <Flex vertical gap={12}>
          <Scenes
            projectId={projectId}
            disabled={isEditMode}
            askedFor={scope.sceneId}
            onAsk={setAsked}
          />
          <Tasks tasks={tasks} onLocate={(deviceId, floorId) => scope.choose(floorId, deviceId)} />
        </Flex>
      </div>
      {asked && <ConfirmControl asked={asked} onStart={tasks.start} onClose={close} />}
    </div>
  )
}
