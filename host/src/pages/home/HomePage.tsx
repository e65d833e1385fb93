import { Alert, Button, Card, Empty, Flex, Result, Skeleton } from 'antd'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import type { SpaceLights } from '@iot/shared/contract/device'
import { rights } from '@iot/shared/contract/homeRights'
import { ConfirmControl, type Asked } from '@iot/shared/control/confirmControl'
import { Tasks } from '@iot/shared/control/tasks'
import { useSwitch } from '@iot/shared/control/useSwitch'
import { useTasks } from '@iot/shared/control/useTasks'
import { FloorPlan } from '@iot/shared/plan/floorPlan'
import { FloorTabs } from '@iot/shared/plan/floorTabs'
import type { SpaceTree } from '@iot/shared/plan/spaces'
import { useBuilding, useFloors } from '@iot/shared/plan/useBuilding'
import { quietly } from '@iot/shared/ui/batch'
import { isEditModeAtom } from '@iot/shared/session/application'
import { useCan } from '@iot/shared/session/can'
import { currentProjectIdAtom, projectsAtom } from '@iot/shared/session/project'
import { Scenes } from './Scenes'
import { ScopeBar } from './ScopeBar'
import { useScope } from './useScope'
import * as styles from './home.module.css'

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
          description="这个项目还没有楼栋和设备。请在右上角切换项目，或由实施工程师录入楼栋。"
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
  const scope = useScope(tree)
  const tasks = useTasks(projectId)
  const [asked, setAsked] = useState<Asked | null>(null)
  const ask = (asked: Asked) =>
    asked.confirm === 'none'
      ? void tasks.start(asked.request, asked.spoken).catch(quietly)
      : setAsked(asked)
  const switchLight = useSwitch(projectId, tasks)
  const floors = useFloors(projectId, scope.floorIds, building.modes)
  const failed = [building, floors].find(({ error }) => error)
  // A scene that was chosen elsewhere stays in the address until then: whatever is drawn anew meanwhile asks again.
  const close = () => {
    setAsked(null)
    if (scope.sceneId) scope.forgetScene()
  }
  const { floor } = scope
  const onFloor = floors.devices?.filter(({ floorId }) => floorId === floor?.id)

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
        <ScopeBar
          tree={tree}
          scope={scope}
          counts={counts}
          lights={floors.lights ?? []}
          modes={building.modes}
          busy={isEditMode}
          onAsk={ask}
        />
      </Card>
      <div className={styles.columns}>
        <Card size="small">
          <FloorTabs tree={tree} floor={floor} counts={counts} onShow={scope.showFloor} />
          {floor && (
            <FloorPlan
              key={floor.id}
              floor={floor}
              devices={onFloor}
              lights={floors.lights}
              picked={scope.picked}
              highlighted={scope.deviceId}
              picking={isEditMode}
              onSwitch={switchLight}
              onPick={scope.setPicked}
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
          <Tasks tasks={tasks} />
        </Flex>
      </div>
      {asked && <ConfirmControl asked={asked} onStart={tasks.start} onClose={close} />}
    </div>
  )
}
