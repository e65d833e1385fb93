import useKeyPress from 'ahooks/es/useKeyPress'
import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Empty from 'antd/es/empty'
import { useEffect, useRef, useState, type RefObject } from 'react'
import GridLayout, { useContainerWidth } from 'react-grid-layout'
import type { ViewCards } from '@iot/shared/contract/project/view.schema'
import { cardColumns } from '@iot/shared/contract/project/viewCard'
import type { ViewCard } from '@iot/shared/contract/project/viewCard.schema'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { ConflictDialog, type StoredRow } from '@iot/shared/ui/conflict'
import { visuallyHidden } from '@iot/shared/ui/unseen'
import { formatPageTime } from '@iot/shared/client/zone'
import { HomeTools } from '../HomeTools'
import type { BuildingProps } from '../useHome'
import { CardForm } from './CardForm'
import { EditedCard } from './EditedCard'
import { EditorToolbar } from './EditorToolbar'
import {
  toLayoutItems,
  gapPx,
  sortByPosition,
  sizeLimits,
  applyLayout,
  rowHeightPx,
} from './layout'
import { useCardActions } from './useCardActions'
import { useCardsData } from './useCardsData'
import { hasSameCards, useEditedCards, type EditedCards } from './useEditedCards'
import { useLeaveEditor } from './useLeaveEditor'
import { useSaveCards, type CardsConflict } from './useSaveCards'
import 'react-grid-layout/css/styles.css'
import * as styles from './cards.module.css'

type EditorProps = BuildingProps & {
  row: ViewCards
  onSaved: (row: ViewCards) => void
  onLeave: () => void
  hold: (projectId?: number) => void
}

/** The cards are stacked in one column below this width in pixels. */
const narrowWidthPx = 720

/**
 * Arranges the cards of a view. Unsaved changes are stored in this browser, and the operator is asked before leaving
 * them.
 */
export default function Editor({ row, onSaved, onLeave, hold, ...buildingProps }: EditorProps) {
  const { projectId, tree } = buildingProps
  const { width, containerRef, mounted } = useContainerWidth()
  const isNarrow = width < narrowWidthPx

  const draft = useEditedCards(row, projectId)
  const { cards, history, isDirty, restoredTime } = draft
  const addButton = useRef<HTMLButtonElement>(null)
  const setFocusTarget = useFocusTarget(containerRef, addButton)
  const cardsData = useCardsData(buildingProps, cards)
  const { isEditMode, setEditMode } = useLeaveEditor(projectId, draft, hold, onLeave)
  const saving = useSaveCards(row.id, projectId, draft, (savedView) => {
    onSaved(savedView)
    setEditMode(false)
  })
  const { isSaving, conflict } = saving

  // Changes made while saving are refused, because the saved cards would overwrite them.
  const changeCards = (nextCards: ViewCard[]) =>
    isSaving || hasSameCards(nextCards, cards) || history.setValue(nextCards)
  const actions = useCardActions({
    cards,
    cardsData,
    isNarrow,
    onChange: changeCards,
    onFocus: (id) => setFocusTarget({ id }),
  })
  const { editing, setEditing } = actions
  const [isMenuOpen, setMenuOpen] = useState(false)
  useEditorShortcuts(!isEditMode || isSaving || isMenuOpen, history, () => setEditMode(false))

  const editedCards = (isNarrow ? sortByPosition(cards) : cards).map((card) => (
    <EditedCard
      key={card.id}
      card={card}
      {...cardsData}
      onKeyDown={(event) => actions.onCardKeyDown(card, event)}
      onMenu={setMenuOpen}
      onEdit={() => setEditing(card)}
      onStep={(step, isResize) => actions.stepCard(card, step, isResize)}
      onRemove={() => actions.removeCard(card)}
    />
  ))

  return (
    <>
      <HomeTools {...cardsData} />
      <EditorToolbar
        draft={draft}
        isNarrow={isNarrow}
        isSaving={isSaving}
        addButtonRef={addButton}
        onMenu={setMenuOpen}
        onAdd={actions.addCard}
        onCancel={() => setEditMode(false)}
        onSave={() => void saving.save().catch(ignoreHandled)}
      />
      {restoredTime !== undefined && isDirty && (
        <Alert
          type="info"
          showIcon
          title={`已恢复 ${formatPageTime(restoredTime, 'M 月 D 日 HH:mm')} 未保存的编排`}
          action={
            <Button size="small" onClick={draft.discardStoredDraft}>
              放弃
            </Button>
          }
        />
      )}
      {cards.length === 0 && (
        <Empty
          image={Empty.PRESENTED_IMAGE_SIMPLE}
          description="还没有卡片：按“添加卡片”。没有卡片的视图显示总览。"
        />
      )}
      <div ref={containerRef} className={styles.editor} inert={isSaving}>
        {isNarrow
          ? editedCards
          : mounted && (
              <GridLayout
                width={width}
                layout={toLayoutItems(cards).map((item) => ({ ...item, ...sizeLimits }))}
                gridConfig={{
                  cols: cardColumns,
                  rowHeight: rowHeightPx,
                  margin: [gapPx, gapPx],
                  containerPadding: [0, 0],
                }}
                dragConfig={{ handle: '[data-handle]', cancel: 'button' }}
                onDragStop={(layout) => changeCards(applyLayout(cards, layout))}
                onResizeStop={(layout) => changeCards(applyLayout(cards, layout))}
              >
                {editedCards}
              </GridLayout>
            )}
      </div>
      <div role="status" style={visuallyHidden}>
        {actions.announcement}
      </div>
      {editing && (
        <CardForm
          card={editing}
          projectId={projectId}
          tree={tree}
          groups={cardsData.groups}
          onDone={actions.putCard}
          onClose={() => actions.closeForm(editing)}
        />
      )}
      {conflict && <CardsConflictDialog conflict={conflict} saving={saving} />}
    </>
  )
}

/** Returns a setter for what takes the focus after the next render: the card with this id, or the add button. */
function useFocusTarget(
  containerRef: RefObject<HTMLDivElement | null>,
  addButton: RefObject<HTMLButtonElement | null>,
) {
  const [focusTarget, setFocusTarget] = useState<{ id?: string }>()
  useEffect(() => {
    if (!focusTarget) return
    // The timeout lets the grid render first and a closing menu return the focus first.
    const timer = setTimeout(() => {
      const card = `[data-card="${focusTarget.id}"]`
      const element = containerRef.current?.querySelector<HTMLElement>(card)
      ;(element ?? addButton.current)?.focus()
      if (element) void scrollWhenPlaced(element)
    })
    return () => clearTimeout(timer)
  }, [focusTarget, containerRef, addButton])
  return setFocusTarget
}

/** Scrolls to a card after it has moved: the grid animates the move, and the focus itself does not change. */
async function scrollWhenPlaced(element: HTMLElement) {
  await Promise.allSettled(element.getAnimations?.().map(({ finished }) => finished) ?? [])
  element.scrollIntoView?.({ block: 'nearest' })
}

/** Undoes, redoes and ends editing by keys, but never while the keys belong to a dialog or an input. */
function useEditorShortcuts(
  isBlocked: boolean,
  history: EditedCards['history'],
  endEditing: () => void,
) {
  const isForElsewhere = (event: Event) =>
    isBlocked || (event.target as Element).closest('[role=dialog], input, textarea') !== null
  useKeyPress(
    ['ctrl.z', 'meta.z'],
    (event) => {
      if (isForElsewhere(event)) return
      event.preventDefault()
      history.back()
    },
    { exactMatch: true },
  )
  useKeyPress(
    ['ctrl.shift.z', 'meta.shift.z'],
    (event) => {
      if (isForElsewhere(event)) return
      event.preventDefault()
      history.forward()
    },
    { exactMatch: true },
  )
  useKeyPress('esc', (event) => {
    if (!isForElsewhere(event)) endEditing()
  })
}

type CardsConflictDialogProps = {
  conflict: CardsConflict
  saving: ReturnType<typeof useSaveCards>
}

/** Lets the operator choose between the own and a colleague's version of each card that both changed. */
function CardsConflictDialog({ conflict, saving }: CardsConflictDialogProps) {
  const { current, merge } = conflict
  return (
    <ConflictDialog
      schema={merge.schema}
      asked={merge.asked}
      base={merge.base}
      mine={merge.mine}
      current={{ ...current, ...merge.current } as StoredRow}
      show={merge.show}
      onMerge={(chosenSides) =>
        void saving.adoptSavedCards(current, merge.with(chosenSides)).catch(ignoreHandled)
      }
      onReload={() => saving.discardOwnCards(current)}
      onClose={saving.closeConflict}
    />
  )
}
