import { PlusOutlined, RedoOutlined, UndoOutlined } from '@ant-design/icons'
import { useHistoryTravel, useKeyPress, useMemoizedFn } from 'ahooks'
import { Alert, App, Button, Empty, Flex, Space } from 'antd'
import { useAtom, useSetAtom } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import GridLayout, { useContainerWidth } from 'react-grid-layout'
import { call, CallError, newIdempotencyKey } from '@iot/shared/client/call'
import { responseCodes } from '@iot/shared/contract/endpoint'
import { viewApi, type ViewCards } from '@iot/shared/contract/view'
import {
  cardColumns,
  cardText,
  maxCards,
  type CardKind,
  type ViewCard,
} from '@iot/shared/contract/viewCard'
import { isEditModeAtom } from '@iot/shared/session/application'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { removeDraft, saveDraft, readDraft, unsavedFormPathsAtom } from '@iot/shared/session/drafts'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { ButtonMenu } from '@iot/shared/ui/buttonMenu'
import { ConflictDialog, type StoredRow } from '@iot/shared/ui/conflict'
import { leaveConfirmation, useUnsavedChangesPrompt } from '@iot/shared/ui/leaving'
import { visuallyHidden } from '@iot/shared/ui/unseen'
import { DisabledWithReason, Can } from '@iot/shared/ui/right'
import { toPageZone } from '@iot/shared/client/zone'
import { HomeTools } from '../HomeTools'
import type { BuildingProps } from '../useHome'
import { CardForm } from './CardForm'
import { EditedCard } from './EditedCard'
import { hasOnlyTitle, cardKindSetups } from './kinds'
import {
  appendCard,
  toLayoutItems,
  compactCards,
  gapPx,
  sortByPosition,
  sizeLimits,
  moveCard,
  applyLayout,
  resizeCard,
  rowHeightPx,
  type StepDirection,
} from './layout'
import { getCardsDraftKey } from './draftKey'
import { mergeCards } from './merge'
import { getCardName } from './scope'
import { useCardsData } from './useCardsData'
import 'react-grid-layout/css/styles.css'
import * as styles from './cards.module.css'

type EditorProps = BuildingProps & {
  row: ViewCards
  onSaved: (row: ViewCards) => void
  onLeave: () => void
  hold: (projectId?: number) => void
}
type StoredCards = { base: ViewCards; cards: ViewCard[] }

const callOptions = { handles: [responseCodes.version, responseCodes.fields] }
/** The cards are stacked in one column below this width in pixels. */
const narrowWidthPx = 720
const keyboardHint = '拖动标题移动；选中后方向键移动，Shift 加方向键改大小，回车设置，Delete 移除。'
const menuHint = '用卡片右上角的菜单移动、设置和移除。'
const stepByKey: Record<string, StepDirection> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}
const hasSameCards = (one: ViewCard[], other: ViewCard[]) =>
  JSON.stringify(sortByPosition(one)) === JSON.stringify(sortByPosition(other))

/**
 * Arranges the cards of a view. Unsaved changes are stored in this browser, and the operator is asked before leaving
 * them.
 */
export default function Editor({ row, onSaved, onLeave, hold, ...buildingProps }: EditorProps) {
  const { projectId, tree } = buildingProps
  const { modal, message } = App.useApp()
  const [isEditMode, setEditMode] = useAtom(isEditModeAtom)
  const [currentProjectId, setCurrentProjectId] = useAtom(currentProjectIdAtom)
  const setUnfinished = useSetAtom(unsavedFormPathsAtom)
  const { width, containerRef, mounted } = useContainerWidth()

  const isNarrow = width < narrowWidthPx

  const draftKey = getCardsDraftKey(row.id, projectId)
  const [storedDraft, setStoredDraft] = useState(() => readDraft(draftKey, String))
  const restoredCards = storedDraft?.values as StoredCards | undefined
  const [base, setBase] = useState(restoredCards?.base ?? row)
  const cardHistory = useHistoryTravel(compactCards(restoredCards?.cards ?? row.cards), 100)
  const cards = cardHistory.value!
  const isDirty = !hasSameCards(cards, compactCards(base.cards))
  const [editing, setEditing] = useState<ViewCard>()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const [conflict, setConflict] = useState<{
    current: ViewCards
    merge: ReturnType<typeof mergeCards>
  }>()
  const [announcement, announce] = useState('')
  /** The card with this id gets the focus after the next render, or the add button if there is no id. */
  const [focusTarget, setFocusTarget] = useState<{ id?: string }>()
  const addButton = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!focusTarget) return
    // The timeout lets the grid render first and a closing menu return the focus first.
    const timer = setTimeout(() => {
      const card = `[data-card="${focusTarget.id}"]`
      const element = containerRef.current?.querySelector<HTMLElement>(card)
      ;(element ?? addButton.current)?.focus()
    })
    return () => clearTimeout(timer)
  }, [focusTarget, containerRef])
  const cardsData = useCardsData(buildingProps, cards)

  useEffect(() => {
    if (!isDirty) return
    saveDraft(draftKey, row.id, { base, cards })
    setUnfinished((all) => [...all, draftKey])
    return () => setUnfinished((all) => all.filter((one) => one !== draftKey))
  }, [isDirty, draftKey, row.id, base, cards, setUnfinished])

  // Changes made while saving are refused, because the saved cards would overwrite them.
  const changeCards = (nextCards: ViewCard[]) =>
    isSaving || hasSameCards(nextCards, cards) || cardHistory.setValue(nextCards)
  const dropStoredDraft = useMemoizedFn(() => removeDraft(draftKey, '/home'))
  const leaveEditor = useMemoizedFn(() => {
    dropStoredDraft()
    if (currentProjectId !== projectId) setEditMode(false)
    onLeave()
  })
  useUnsavedChangesPrompt(
    ({ from, to }) =>
      isDirty &&
      (from.pathname !== to.pathname || getViewParam(from.search) !== getViewParam(to.search)),
    leaveEditor,
  )
  const stayInEditor = useMemoizedFn(() => {
    setCurrentProjectId(projectId)
    setEditMode(true)
  })
  useEffect(() => {
    if (!isDirty) return
    hold(projectId)
    return () => hold(undefined)
  }, [isDirty, projectId, hold])
  // All ways to end editing lead here: the switch in the header, another project, Escape and 取消.
  useEffect(() => {
    if (isEditMode && currentProjectId === projectId) return
    if (!isDirty) return leaveEditor()
    return modal.confirm({ ...leaveConfirmation, onOk: leaveEditor, onCancel: stayInEditor })
      .destroy
  }, [isEditMode, currentProjectId, projectId, isDirty, modal, leaveEditor, stayInEditor])

  async function save(nextCards = cards, baseView = base) {
    setSaving(true)
    try {
      const input = {
        id: row.id,
        version: baseView.version,
        projectId,
        cards: sortByPosition(nextCards),
      }
      const savedView = await call(viewApi.arrange, input, callOptions)
      cardHistory.reset(compactCards(savedView.cards))
      setBase(savedView)
      dropStoredDraft()
      onSaved(savedView)
      setEditMode(false)
      message.success(`已保存“${savedView.name}”`)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (error.code === responseCodes.fields) message.error(error.message)
      if (error.code === responseCodes.version) {
        const { current } = error.data as { current: ViewCards }
        const merge = mergeCards(
          compactCards(baseView.cards),
          nextCards,
          compactCards(current.cards),
        )
        if (merge.asked.length > 0) setConflict({ current, merge })
        else await adoptSavedCards(current, merge.with({}))
      }
    } finally {
      setSaving(false)
    }
  }
  /** Adopts a colleague's saved cards as the base of further changes. */
  const adoptSavedCards = (current: ViewCards, mergedCards: ViewCard[]) => {
    setBase(current)
    cardHistory.setValue(mergedCards)
    setConflict(undefined)
    if (mergedCards.length > maxCards) {
      message.warning(`合并后超过 ${maxCards} 张卡片，请移除一些再保存`)
      return Promise.resolve()
    }
    return save(mergedCards, current)
  }

  const addCard = (kind: CardKind) => {
    const { size, config } = cardKindSetups[kind]
    const card: ViewCard = {
      id: newIdempotencyKey(),
      title: '',
      projectId: null,
      x: 0,
      y: 0,
      ...size,
      config: config(tree),
    }
    if (hasOnlyTitle(card.config)) putCard(card)
    else setEditing(card)
  }
  const putCard = (card: ViewCard) => {
    const isNew = !cards.some(({ id }) => id === card.id)
    changeCards(
      isNew ? appendCard(cards, card) : cards.map((one) => (one.id === card.id ? card : one)),
    )
    setEditing(undefined)
    setFocusTarget({ id: card.id })
    if (isNew) announce(`已添加${getCardName(card, tree, cardsData.groups.data)}`)
  }
  const removeCard = (card: ViewCard) => {
    const remainingCards = cards.filter(({ id }) => id !== card.id)
    const orderedCards = sortByPosition(cards)
    const index = orderedCards.findIndex(({ id }) => id === card.id)
    changeCards(compactCards(remainingCards))
    setFocusTarget({ id: (orderedCards[index + 1] ?? orderedCards[index - 1])?.id })
    announce(`已移除${getCardName(card, tree, cardsData.groups.data)}`)
  }
  const stepCard = (card: ViewCard, step: StepDirection, isResize: boolean) => {
    const steppedCards = isResize
      ? resizeCard(cards, card.id, step)
      : moveCard(cards, card.id, step, isNarrow)
    changeCards(steppedCards)
    setFocusTarget({ id: card.id })
    const { x, y, w, h } = steppedCards.find(({ id }) => id === card.id)!
    announce(isResize ? `宽 ${w} 列，高 ${h} 行` : `第 ${x + 1} 列，第 ${y + 1} 行`)
  }
  const onCardKeyDown = (card: ViewCard, event: React.KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey)
      return
    const step = stepByKey[event.key]
    if (step) stepCard(card, step, event.shiftKey)
    else if (event.key === 'Enter') setEditing(card)
    else if (event.key === 'Delete' || event.key === 'Backspace') removeCard(card)
    else return
    event.preventDefault()
  }

  const isInDialogOrInput = (event: Event) =>
    !isEditMode ||
    isSaving ||
    isMenuOpen ||
    (event.target as Element).closest('[role=dialog], input, textarea') !== null
  useKeyPress(
    ['ctrl.z', 'meta.z'],
    (event) => {
      if (isInDialogOrInput(event)) return
      event.preventDefault()
      cardHistory.back()
    },
    { exactMatch: true },
  )
  useKeyPress(
    ['ctrl.shift.z', 'meta.shift.z'],
    (event) => {
      if (isInDialogOrInput(event)) return
      event.preventDefault()
      cardHistory.forward()
    },
    { exactMatch: true },
  )
  useKeyPress('esc', (event) => !isInDialogOrInput(event) && setEditMode(false))

  const isFull = cards.length >= maxCards
  const editedCards = (isNarrow ? sortByPosition(cards) : cards).map((card) => (
    <EditedCard
      key={card.id}
      card={card}
      {...cardsData}
      onKeyDown={(event) => onCardKeyDown(card, event)}
      onMenu={setMenuOpen}
      onEdit={() => setEditing(card)}
      onStep={(step, isResize) => stepCard(card, step, isResize)}
      onRemove={() => removeCard(card)}
    />
  ))

  return (
    <>
      <HomeTools {...cardsData} />
      <Flex
        className={styles.bar}
        gap={8}
        wrap
        justify="space-between"
        role="toolbar"
        aria-label="编排视图"
      >
        <Space wrap>
          <DisabledWithReason why={isFull && `一个视图最多 ${maxCards} 张卡片`}>
            <ButtonMenu
              onOpenChange={setMenuOpen}
              entries={(Object.keys(cardKindSetups) as CardKind[]).map((kind) => ({
                label: cardText[kind],
                icon: cardKindSetups[kind].icon,
                onClick: () => addCard(kind),
              }))}
            >
              <Button ref={addButton} icon={<PlusOutlined />}>
                添加卡片
              </Button>
            </ButtonMenu>
          </DisabledWithReason>
          <Space.Compact>
            <Button
              icon={<UndoOutlined />}
              aria-label="撤销"
              title="撤销（Ctrl Z）"
              disabled={isSaving || cardHistory.backLength === 0}
              onClick={cardHistory.back}
            />
            <Button
              icon={<RedoOutlined />}
              aria-label="重做"
              title="重做（Ctrl Shift Z）"
              disabled={isSaving || cardHistory.forwardLength === 0}
              onClick={cardHistory.forward}
            />
          </Space.Compact>
          <span className={styles.hint}>
            {cards.length} / {maxCards} 张。{isNarrow ? menuHint : keyboardHint}
          </span>
        </Space>
        <Space>
          <Button disabled={isSaving} onClick={() => setEditMode(false)}>
            取消
          </Button>
          <Can to={viewApi.arrange}>
            <Button
              type="primary"
              disabled={!isDirty}
              loading={isSaving}
              onClick={() => void save().catch(ignoreHandled)}
            >
              保存
            </Button>
          </Can>
        </Space>
      </Flex>
      {storedDraft && isDirty && (
        <Alert
          type="info"
          showIcon
          title={`已恢复 ${toPageZone(storedDraft.time).format('M 月 D 日 HH:mm')} 未保存的编排`}
          action={
            <Button
              size="small"
              onClick={() => {
                dropStoredDraft()
                setStoredDraft(undefined)
                setBase(row)
                cardHistory.reset(compactCards(row.cards))
              }}
            >
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
        {announcement}
      </div>
      {editing && (
        <CardForm
          card={editing}
          projectId={projectId}
          tree={tree}
          groups={cardsData.groups}
          onDone={putCard}
          onClose={() => {
            setEditing(undefined)
            setFocusTarget({
              id: cards.some(({ id }) => id === editing.id) ? editing.id : undefined,
            })
          }}
        />
      )}
      {conflict && (
        <ConflictDialog
          schema={conflict.merge.schema}
          asked={conflict.merge.asked}
          base={conflict.merge.base}
          mine={conflict.merge.mine}
          current={{ ...conflict.current, ...conflict.merge.current } as StoredRow}
          show={conflict.merge.show}
          onMerge={(chosenSides) =>
            void adoptSavedCards(conflict.current, conflict.merge.with(chosenSides)).catch(
              ignoreHandled,
            )
          }
          onReload={() => {
            dropStoredDraft()
            setBase(conflict.current)
            cardHistory.reset(compactCards(conflict.current.cards))
            setConflict(undefined)
          }}
          onClose={() => setConflict(undefined)}
        />
      )}
    </>
  )
}

const getViewParam = (search: string) => new URLSearchParams(search).get('view')
