import useRequest from 'ahooks/es/useRequest'
import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Empty from 'antd/es/empty'
import Skeleton from 'antd/es/skeleton'
import { useAtom } from 'jotai'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { platformOnlyReason } from '@iot/shared/contract/access/ownership'
import type { ViewCards } from '@iot/shared/contract/project/view.schema'
import { viewApi } from '@iot/shared/contract/project/view.api'
import { isEditModeAtom } from '@iot/shared/session/application'
import { useCan } from '@iot/shared/session/can'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { PartBoundary } from '../../../layout/PartBoundary'
import { DelayedControlsCard } from '../DelayedControlsCard'
import { HomeTools } from '../HomeTools'
import { StaleBanner } from '../StaleBanner'
import { UnsavedDraftNotice } from '../UnsavedDraftNotice'
import type { BuildingProps } from '../useHome'
import type { ViewTab } from '../useViews'
import { CardBody } from './CardBody'
import { getCardsDraftKey } from './draftKey'
import { compactCards, sortByPosition } from './layout'
import { useCardsData } from './useCardsData'
import * as styles from './cards.module.css'

const renderSkeleton = () => <Skeleton active title={false} paragraph={{ rows: 10 }} />
const Editor = lazyPart(() => import('./Editor'), renderSkeleton)

export type CardsViewProps = BuildingProps & {
  view: ViewTab
  onSaved: () => void
  /** Runs when editing has ended. */
  onLeave: () => void
  /** Keeps home on this project when another one is chosen; without an id home follows the choice. */
  hold: (projectId?: number) => void
}

const notOwnText = `这个视图也用于其他项目，${platformOnlyReason}；可以在“视图管理”为本项目新建视图。`

/** Shows a view as a grid of cards, which users with the permission can arrange in edit mode. */
export default function CardsView({
  view,
  onSaved,
  onLeave,
  hold,
  ...buildingProps
}: CardsViewProps) {
  const { projectId } = buildingProps
  const canArrange = useCan()(viewApi.arrange) && view.isOwn
  const [isEditMode, setEditMode] = useAtom(isEditModeAtom)
  // The editor stays mounted after edit mode is switched off, until the operator has decided about unsaved changes.
  const [isEditing, setEditing] = useState(false)
  const { data, error, refresh, mutate } = useRequest(
    () => call(viewApi.cards, { id: view.id, projectId }, { quiet: true }),
    { refreshOnWindowFocus: true },
  )
  if (!data)
    return error ? (
      <LoadErrorAlert why={error.message} hasRows={false} onRetry={refresh} />
    ) : (
      renderSkeleton()
    )
  if (isEditMode && canArrange && !isEditing) setEditing(true)
  const stopEditing = () => {
    setEditing(false)
    onLeave()
  }
  if (isEditing)
    return (
      <Editor
        {...buildingProps}
        row={data}
        onSaved={(row: ViewCards) => {
          mutate(row)
          onSaved()
        }}
        onLeave={stopEditing}
        hold={hold}
      />
    )
  return (
    <>
      {isEditMode && (
        <Alert
          type="info"
          showIcon
          title={`编辑模式：不下发命令。${view.isOwn ? '您没有编排视图的权限，需要时请联系管理员。' : notOwnText}`}
        />
      )}
      {canArrange && (
        <UnsavedDraftNotice
          draftKey={getCardsDraftKey(view.id, projectId)}
          what="编排"
          onContinue={() => setEditMode(true)}
        />
      )}
      <CardGrid {...buildingProps} row={data} onRetry={refresh} />
    </>
  )
}

type CardGridProps = BuildingProps & { row: ViewCards; onRetry: () => void }

function CardGrid({ row, onRetry, ...buildingProps }: CardGridProps) {
  const cardsData = useCardsData(buildingProps, row.cards)
  return (
    <>
      <StaleBanner reads={[buildingProps.building, cardsData.floors]} />
      {row.cards.length === 0 && (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="这个视图的卡片已被移除">
          <Button onClick={onRetry}>刷新</Button>
        </Empty>
      )}
      <DelayedControlsCard delayed={cardsData.home.delayed} />
      <div className={styles.grid}>
        {sortByPosition(compactCards(row.cards)).map((card) => (
          <div
            key={card.id}
            className={styles.cell}
            style={{ gridArea: `${card.y + 1} / ${card.x + 1} / span ${card.h} / span ${card.w}` }}
          >
            <PartBoundary>
              <CardBody card={card} {...cardsData} />
            </PartBoundary>
          </div>
        ))}
      </div>
      <HomeTools {...cardsData} />
      {cardsData.home.dialog}
    </>
  )
}
