import FundProjectionScreenOutlined from '@ant-design/icons/FundProjectionScreenOutlined'
import useKeyPress from 'ahooks/es/useKeyPress'
import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Empty from 'antd/es/empty'
import Flex from 'antd/es/flex'
import Skeleton from 'antd/es/skeleton'
import { useAtomValue, useSetAtom } from 'jotai'
import { useState, type ReactNode } from 'react'
import type { AlarmIncident } from '@iot/shared/contract/alarm/incident.schema'
import { toRowOptions } from '@iot/shared/contract/options'
import type { Space } from '@iot/shared/contract/project/project.schema'
import { ControlTaskList } from '@iot/shared/control/tasks'
import { FloorTabs } from '@iot/shared/plan/floorTabs'
import { useFloors } from '@iot/shared/plan/useBuilding'
import { isEditModeAtom } from '@iot/shared/session/application'
import { projectsAtom } from '@iot/shared/session/project'
import { Card } from '@iot/shared/ui/card'
import { isKeyForInputOrPopup } from '@iot/shared/ui/elsewhere'
import { lazyDialog, lazyPart } from '@iot/shared/ui/lazyPart'
import { Select } from '@iot/shared/ui/select'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { PartBoundary } from '../../layout/PartBoundary'
import { DelayedControlsCard } from './DelayedControlsCard'
import { HomeTools } from './HomeTools'
import { SwitchableFloor } from './SwitchableFloor'
import { StaleBanner } from './StaleBanner'
import { ProblemStrip } from './ProblemStrip'
import { Scenes } from './Scenes'
import { ScopeBar } from './ScopeBar'
import { useGroups, type Groups } from './useGroups'
import { useHoldOffNotes } from './useHoldOffNotes'
import { useHome, type BuildingProps, type Home } from './useHome'
import { useScope, type HomeScope } from './useScope'
import * as styles from './home.module.css'

const FloorMatrix = lazyPart(
  () => import('./FloorMatrix'),
  () => <Skeleton active title={false} paragraph={{ rows: 10 }} />,
)
const GroupView = lazyPart(
  () => import('./GroupView'),
  () => <Skeleton active title={false} paragraph={{ rows: 10 }} />,
)
const HoldOffNotes = lazyPart(() => import('./HoldOffNotes'))
const HeldPlaces = lazyPart(() => import('./HeldPlaces'))
const WallDisplay = lazyDialog(() => import('./WallDisplay'))

type OverviewProps = BuildingProps & {
  /** Renders further actions of edit mode for the floor that is shown. */
  renderEditActions?: (floor?: Space) => ReactNode
}

/** Shows home without cards: incidents, the building floor by floor, scenes and recent control tasks. */
export function Overview({ renderEditActions, ...buildingProps }: OverviewProps) {
  const { projectId, building, tree, counts } = buildingProps
  const projectName = useAtomValue(projectsAtom).find(({ id }) => id === projectId)?.name ?? ''
  const groups = useGroups(projectId)
  const scope = useScope(tree, groups.data)
  // A scene chosen elsewhere stays in the address until its question is answered, so that a remount asks again.
  const home = useHome(buildingProps, () => scope.sceneId && scope.forgetScene())
  const { tasks, problems, busy, ask } = home
  const notes = useHoldOffNotes(projectId, tasks.ended)
  const [openDeviceId, setOpenDeviceId] = useState<string>()
  const floors = useFloors(projectId, scope.floorIds, building.modes)
  const { floor } = scope
  const setEditMode = useSetAtom(isEditModeAtom)
  useKeyPress('esc', (event) => {
    // Escape first clears the selection on the floor plan, and ends edit mode only if there is none.
    if (busy && scope.picked.size === 0 && !isKeyForInputOrPopup(event)) setEditMode(false)
  })
  const locateIncident = ({ floorId, deviceId }: AlarmIncident) => {
    if (!floorId) return
    scope.choose(floorId, deviceId ?? undefined)
    if (deviceId) setOpenDeviceId(deviceId)
  }

  const floorPlan = floor && (
    <SwitchableFloor
      key={floor.id}
      home={home}
      floor={floor}
      devices={floors.devices}
      lights={floors.lights}
      picked={scope.picked}
      onPick={scope.setPicked}
      opened={openDeviceId}
      onOpen={setOpenDeviceId}
      highlighted={scope.deviceId}
      only={scope.only}
    />
  )

  if (!scope.isKnown && !groups.error) return <Skeleton active paragraph={{ rows: 10 }} />
  if (scope.isWall)
    return (
      <WallDisplay
        projectId={projectId}
        projectName={projectName}
        tree={tree}
        floor={floor}
        counts={counts}
        quietReason={problems.quietReason}
        onShow={scope.tour}
        onClose={() => scope.showWall(false)}
      >
        <StaleBanner reads={[building, floors]} />
        <div inert>{floorPlan}</div>
      </WallDisplay>
    )
  return (
    <>
      <StaleBanner reads={[building, floors]} />
      {scope.isLost && (
        <Alert
          type="warning"
          showIcon
          title={`要看的位置或设备组不在这个项目里，或已被删除，请重新选择`}
        />
      )}
      {busy && (
        <Alert
          type="info"
          showIcon
          title="编辑模式：单击灯具只作选择，不下发命令；只有摆放设备时的“闪灯”会让灯动作。"
          action={<PartBoundary>{renderEditActions?.(floor)}</PartBoundary>}
        />
      )}
      <Card>
        <ProblemStrip
          problems={problems}
          projectId={projectId}
          tree={tree}
          busy={busy}
          modes={building.modes}
          onLocate={locateIncident}
          onAsk={ask}
        />
      </Card>
      <div className={styles.columns}>
        <Card>
          <Flex justify="space-between" gap={8}>
            <PlaceChooser home={home} groups={groups} scope={scope} />
            <HomeTools home={home} groups={groups} scope={scope}>
              <Button
                icon={<FundProjectionScreenOutlined />}
                aria-label="大屏"
                title="大屏：全屏巡游各层"
                onClick={() => scope.showWall(true)}
              />
            </HomeTools>
          </Flex>
          <ChosenPlace home={home} scope={scope} floorPlan={floorPlan} />
        </Card>
        <Flex vertical gap={12}>
          <HeldPlacesCard overrides={home.overrides} />
          <DelayedControlsCard delayed={home.delayed} />
          <HoldOffNotesCard notes={notes} />
          <Scenes projectId={projectId} disabled={busy} requestedId={scope.sceneId} onAsk={ask} />
          <PartBoundary>
            <ControlTaskList
              tasks={tasks}
              onLocate={(deviceId, floorId) => scope.choose(floorId, deviceId)}
            />
          </PartBoundary>
        </Flex>
      </div>
      {home.dialog}
    </>
  )
}

const HeldPlacesCard = ({ overrides }: Pick<Home, 'overrides'>) => (
  <PartBoundary>
    {overrides && overrides.length > 0 && <HeldPlaces overrides={overrides} />}
  </PartBoundary>
)

type PlaceChooserProps = { home: Home; groups: Groups; scope: HomeScope }

/** Chooses the building, floor or device group that is shown. */
function PlaceChooser({ home: { tree, counts }, groups, scope }: PlaceChooserProps) {
  return (
    <Flex gap={8} wrap align="center" className={styles.choices}>
      <FloorTabs
        tree={tree}
        space={scope.space}
        isElsewhere={scope.group !== undefined || scope.isLost}
        counts={counts}
        onChoose={scope.choose}
      />
      {groups.data && groups.data.length > 0 && (
        <Select
          aria-label="设备组"
          placeholder="设备组"
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          value={scope.group?.id}
          options={toRowOptions(groups.data)}
          onChange={scope.chooseGroup}
          style={{ width: 144, marginBottom: 10 }}
        />
      )}
      {groups.error && (
        <Button type="link" size="small" onClick={groups.refresh}>
          设备组未读到，重试
        </Button>
      )}
    </Flex>
  )
}

type ChosenPlaceProps = { home: Home; scope: HomeScope; floorPlan: ReactNode }

/** Shows the chosen group, the floor plan of the chosen floor, or all floors with their rooms. */
function ChosenPlace({ home, scope, floorPlan }: ChosenPlaceProps) {
  const { projectId, tree, counts, modes, problems, stopped: staleSince, busy, ask } = home
  if (scope.group)
    return (
      <div className={styles.group}>
        <PartBoundary>
          <GroupView
            key={scope.group.id}
            groupId={scope.group.id}
            scope={scope}
            counts={counts}
            modes={modes}
            busy={busy}
            onAsk={ask}
            onShow={scope.choose}
          />
        </PartBoundary>
      </div>
    )
  if (scope.isLost)
    return (
      <Empty
        className={styles.empty}
        image={Empty.PRESENTED_IMAGE_SIMPLE}
        description="请选择楼栋和楼层"
      />
    )
  return (
    <>
      <div className={styles.bar}>
        <ScopeBar tree={tree} scope={scope} counts={counts} modes={modes} busy={busy} onAsk={ask} />
      </div>
      {floorPlan ?? (
        <PartBoundary>
          <FloorMatrix
            projectId={projectId}
            tree={tree}
            space={scope.space}
            counts={counts}
            incidents={problems.floors}
            modes={modes}
            only={scope.only}
            busy={busy}
            staleSince={staleSince}
            onShow={scope.choose}
            onAsk={ask}
          />
        </PartBoundary>
      )}
    </>
  )
}

type HoldOffNotesCardProps = { notes: ReturnType<typeof useHoldOffNotes> }

/** Lists the hold-off notes; there is no card if there are none. */
function HoldOffNotesCard({ notes: { data, error, refresh } }: HoldOffNotesCardProps) {
  return (
    <>
      {/* A failed first read is shown here, because the code of the list may be unreachable, too. */}
      {error && !data && (
        <Card title="值班备注">
          <LoadErrorAlert why={error.message} hasRows={false} onRetry={refresh} />
        </Card>
      )}
      <PartBoundary>
        {data && data.length > 0 && (
          <HoldOffNotes holds={data} failed={error} onChanged={refresh} />
        )}
      </PartBoundary>
    </>
  )
}
