import { Button, Empty, Skeleton } from 'antd'
import { useAtomValue, useSetAtom } from 'jotai'
import { Fragment, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { rights } from '@iot/shared/contract/homeRights'
import { managedProjectApi } from '@iot/shared/contract/managedProject'
import { viewApi } from '@iot/shared/contract/view'
import { useBuilding } from '@iot/shared/plan/useBuilding'
import { isEditModeAtom } from '@iot/shared/session/application'
import { useCan } from '@iot/shared/session/can'
import { currentProjectIdAtom, projectsAtom } from '@iot/shared/session/project'
import { Card } from '@iot/shared/ui/card'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { draftOf } from './cards/draft'
import { Overview } from './Overview'
import { hasDraft as hasPlaced } from './placing/draft'
import { Unfinished } from './Unfinished'
import { useOwnAddress } from './useScope'
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

const UnfinishedPlacing = lazyPart(() => import('./placing/UnfinishedPlacing'))
const Placing = lazyPart(
  () => import('./placing/Placing'),
  () => <Skeleton active paragraph={{ rows: 12 }} />,
)

export function Component() {
  const floorId = useSearchParams()[0].get('placing')
  return floorId ? <Placing key={floorId} floorId={floorId} /> : <Home />
}

function Home() {
  const current = useAtomValue(currentProjectIdAtom)
  /** The cards of this project have unsaved changes, so home stays on it until the operator has decided about them. */
  const [held, hold] = useState<number>()
  const projectId = held ?? current
  const hasProject = useAtomValue(projectsAtom).length > 0
  const can = useCan()
  const building = useBuilding(projectId)
  const views = useViews(projectId, hasProject)
  useOwnAddress(projectId, building.tree)
  const setEditMode = useSetAtom(isEditModeAtom)
  /** The part that offers unsaved placements loads only if there are any. */
  const [isPlaced] = useState(hasPlaced)
  const [bar, setBar] = useState<HTMLElement | null>(null)
  /** This view has no cards, and its first card is being created. */
  const [begun, setBegun] = useState<string>()

  if (!can(rights.view)) return <NoHome why="right" />
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
  if (!building.tree || !building.counts || !views.isKnown) return <Loading />
  if (building.tree.floorsOf().length === 0) return <NoBuilding projectId={projectId} />
  const { tree, counts } = building
  const { chosen } = views
  const of = {
    projectId,
    building,
    tree,
    counts,
    ...(views.tabs.length > 0 && { bar }),
  }
  const hasCards = chosen && (chosen.cardCount > 0 || begun === chosen.id)
  return (
    <div className={`${styles.home} ${views.tabs.length > 0 ? styles.hasViews : ''}`}>
      {(views.tabs.length > 0 || views.missing || views.error) && (
        <ViewTabs views={views} onBar={setBar} />
      )}
      {isPlaced && <UnfinishedPlacing key={`placed ${projectId}`} tree={tree} />}
      {hasCards ? (
        <CardsView
          key={`${projectId} ${chosen.id}`}
          {...of}
          view={chosen}
          onSaved={views.refresh}
          onLeave={() => setBegun(undefined)}
          hold={hold}
        />
      ) : (
        <Fragment key={projectId}>
          {chosen?.isOwn && can(viewApi.arrange) && (
            <Unfinished
              key={chosen.id}
              draft={draftOf(chosen.id, projectId)}
              what={`“${chosen.name}”的编排`}
              onGoOn={() => {
                setBegun(chosen.id)
                setEditMode(true)
              }}
            />
          )}
          <Overview
            {...of}
            editing={(floor) => (
              <EditActions view={chosen} floor={floor} onBegin={() => setBegun(chosen?.id)} />
            )}
          />
        </Fragment>
      )}
    </div>
  )
}

/** The placeholder has the aspect ratio of a floor plan, so that nothing moves when the plan appears. */
const picture = {
  root: { display: 'block', width: '100%' },
  content: { width: '100%', height: 'auto', aspectRatio: '5 / 3' },
}
const Loading = () => (
  <div className={styles.home} aria-busy>
    <Card>
      <Skeleton active title={false} paragraph={{ rows: 1, width: '50%' }} />
    </Card>
    <div className={styles.columns}>
      <Card>
        <Skeleton.Node active styles={picture}>
          <span />
        </Skeleton.Node>
      </Card>
      <Card>
        <Skeleton active title={false} paragraph={{ rows: 4 }} />
      </Card>
    </div>
  </div>
)
