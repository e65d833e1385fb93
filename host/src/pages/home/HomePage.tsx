import Button from 'antd/es/button'
import Empty from 'antd/es/empty'
import Skeleton from 'antd/es/skeleton'
import { useAtomValue, useSetAtom } from 'jotai'
import { Fragment, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import { managedProjectApi } from '@iot/shared/contract/project/managedProject.api'
import { viewApi } from '@iot/shared/contract/project/view.api'
import { useBuilding } from '@iot/shared/plan/useBuilding'
import { isEditModeAtom } from '@iot/shared/session/application'
import { useCan } from '@iot/shared/session/can'
import { currentProjectIdAtom, projectsAtom } from '@iot/shared/session/project'
import { Card } from '@iot/shared/ui/card'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { getCardsDraftKey } from './cards/draftKey'
import { Overview } from './Overview'
import { hasPlacingDraft as hasPlaced } from './placing/placingDraft'
import { UnsavedDraftNotice } from './UnsavedDraftNotice'
import { useProjectParamReset } from './useScope'
import { useViews } from './useViews'
import type { ViewTabsProps } from './ViewTabs'
import * as styles from './home.module.css'

const FirstProject = lazyPart(() => import('./FirstProject'))
const NoHome = lazyPart(() => import('./NoHome'))
const NoBuilding = lazyPart(() => import('./NoBuilding'))
const ViewTabs = lazyPart(
  () => import('./ViewTabs'),
  ({ views }: ViewTabsProps) => views.tabs.length > 0 && <div className={styles.views} />,
)
const CardsView = lazyPart(
  () => import('./cards/CardsView'),
  () => <Skeleton active title={false} paragraph={{ rows: 10 }} />,
)
const EditActions = lazyPart(() => import('./EditActions'))

const UnsavedPlacingNotice = lazyPart(() => import('./placing/UnsavedPlacingNotice'))
const PlacingScreen = lazyPart(
  () => import('./placing/Placing'),
  () => <Skeleton active paragraph={{ rows: 12 }} />,
)

export function Component() {
  const floorId = useSearchParams()[0].get('placing')
  return floorId ? <PlacingScreen key={floorId} floorId={floorId} /> : <Home />
}

function Home() {
  const currentProjectId = useAtomValue(currentProjectIdAtom)
  /** The cards of this project have unsaved changes, so home stays on it until the operator has decided about them. */
  const [heldProjectId, holdProject] = useState<number>()
  const projectId = heldProjectId ?? currentProjectId
  const hasProject = useAtomValue(projectsAtom).length > 0
  const can = useCan()
  const building = useBuilding(projectId)
  const views = useViews(projectId, hasProject)
  useProjectParamReset(projectId, building.tree)
  const setEditMode = useSetAtom(isEditModeAtom)
  /** The part that offers unsaved placements loads only if there are any. */
  const [hasUnsavedPlacing] = useState(hasPlaced)
  const [toolbarElement, setToolbarElement] = useState<HTMLElement | null>(null)
  /** This view has no cards, and its first card is being created. */
  const [newCardsViewId, setNewCardsViewId] = useState<string>()

  if (!can(devicePermissions.view)) return <NoHome why="right" />
  if (!hasProject && can(managedProjectApi.create)) return <FirstProject />
  if (!hasProject) return <NoHome why="project" />
  if (building.error && !(building.tree && building.counts))
    return (
      <Card>
        <Empty
          className={styles.empty}
          image={Empty.PRESENTED_IMAGE_SIMPLE}
          description={`没有读到设备：${building.error.message}`}
        >
          <Button type="primary" onClick={building.retry}>
            重试
          </Button>
        </Empty>
      </Card>
    )
  if (!building.tree || !building.counts || !views.isKnown) return <HomeSkeleton />
  if (building.tree.floorsOf().length === 0) return <NoBuilding projectId={projectId} />
  const { tree, counts } = building
  const { selectedView } = views
  const buildingProps = {
    projectId,
    building,
    tree,
    counts,
    ...(views.tabs.length > 0 && { bar: toolbarElement }),
  }
  const hasCards =
    selectedView && (selectedView.cardCount > 0 || newCardsViewId === selectedView.id)
  return (
    <div className={`${styles.home} ${views.tabs.length > 0 ? styles.hasViews : ''}`}>
      {(views.tabs.length > 0 || views.missing || views.error) && (
        <ViewTabs views={views} onBar={setToolbarElement} />
      )}
      {hasUnsavedPlacing && <UnsavedPlacingNotice key={`placed ${projectId}`} tree={tree} />}
      {hasCards ? (
        <CardsView
          key={`${projectId} ${selectedView.id}`}
          {...buildingProps}
          view={selectedView}
          onSaved={views.refresh}
          onLeave={() => setNewCardsViewId(undefined)}
          hold={holdProject}
        />
      ) : (
        <Fragment key={projectId}>
          {selectedView?.isOwn && can(viewApi.arrange) && (
            <UnsavedDraftNotice
              key={selectedView.id}
              draftKey={getCardsDraftKey(selectedView.id, projectId)}
              what={`“${selectedView.name}”的编排`}
              onContinue={() => {
                setNewCardsViewId(selectedView.id)
                setEditMode(true)
              }}
            />
          )}
          <Overview
            {...buildingProps}
            renderEditActions={(floor) => (
              <EditActions
                view={selectedView}
                floor={floor}
                onBegin={() => setNewCardsViewId(selectedView?.id)}
              />
            )}
          />
        </Fragment>
      )}
    </div>
  )
}

/** The placeholder has the aspect ratio of a floor plan, so that nothing moves when the plan appears. */
const planPlaceholderStyles = {
  root: { display: 'block', width: '100%' },
  content: { width: '100%', height: 'auto', aspectRatio: '5 / 3' },
}
const HomeSkeleton = () => (
  <div className={styles.home} aria-busy>
    <Card>
      <Skeleton active title={false} paragraph={{ rows: 1, width: '50%' }} />
    </Card>
    <div className={styles.columns}>
      <Card>
        <Skeleton.Node active styles={planPlaceholderStyles}>
          <span />
        </Skeleton.Node>
      </Card>
      <Card>
        <Skeleton active title={false} paragraph={{ rows: 4 }} />
      </Card>
    </div>
  </div>
)
