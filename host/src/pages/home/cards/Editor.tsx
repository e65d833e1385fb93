import { PlusOutlined, RedoOutlined, UndoOutlined } from '@ant-design/icons'
import { useHistoryTravel, useKeyPress, useMemoizedFn } from 'ahooks'
import { Alert, App, Button, Empty, Flex, Space } from 'antd'
import { useAtom, useSetAtom } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import GridLayout, { useContainerWidth } from 'react-grid-layout'
import { call, CallError, newPress } from '@iot/shared/client/call'
import { codes } from '@iot/shared/contract/endpoint'
import { viewApi, type ViewCards } from '@iot/shared/contract/view'
import {
  cardColumns,
  cardText,
  mostCards,
  type CardKind,
  type ViewCard,
} from '@iot/shared/contract/viewCard'
import { isEditModeAtom } from '@iot/shared/session/application'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { dropDraft, keepDraft, readDraft, unfinishedAtom } from '@iot/shared/session/drafts'
import { quietly } from '@iot/shared/ui/batch'
import { ButtonMenu } from '@iot/shared/ui/buttonMenu'
import { Conflict, type Stored } from '@iot/shared/ui/conflict'
import { leaving, useLeaving } from '@iot/shared/ui/leaving'
import { unseen } from '@iot/shared/ui/unseen'
import { Because, Right } from '@iot/shared/ui/right'
import { zoned } from '@iot/shared/client/zone'
import { HomeTools } from '../HomeTools'
import type { BuildingProps } from '../useHome'
import { CardForm } from './CardForm'
import { EditedCard } from './EditedCard'
import { isPlain, kinds } from './kinds'
import {
  added,
  asLayout,
  compacted,
  gap,
  inOrder,
  limits,
  moved,
  placed,
  resized,
  rowHeight,
  type Step,
} from './layout'
import { draftOf } from './draft'
import { mergeCards } from './merge'
import { nameOf } from './scope'
import { useCards } from './useCards'
import 'react-grid-layout/css/styles.css'
import * as styles from './cards.module.css'

type EditorProps = BuildingProps & {
  row: ViewCards
  onSaved: (row: ViewCards) => void
  onLeave: () => void
  hold: (projectId?: number) => void
}
type Kept = { base: ViewCards; cards: ViewCard[] }

const handled = { handles: [codes.version, codes.fields] }
/** The cards are stacked in one column below this width in pixels. */
const narrow = 720
const byKeys = '拖动标题移动；选中后方向键移动，Shift 加方向键改大小，回车设置，Delete 移除。'
const byMenu = '用卡片右上角的菜单移动、设置和移除。'
const steps: Record<string, Step> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}
const same = (one: ViewCard[], other: ViewCard[]) =>
  JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other))

/**
 * Arranges the cards of a view. Unsaved changes are stored in this browser, and the operator is asked before leaving
 * them.
 */
export default function Editor({ row, onSaved, onLeave, hold, ...of }: EditorProps) {
  const { projectId, tree } = of
  const { modal, message } = App.useApp()
  const [isEditMode, setEditMode] = useAtom(isEditModeAtom)
  const [current, goTo] = useAtom(currentProjectIdAtom)
  const setUnfinished = useSetAtom(unfinishedAtom)
  const { width, containerRef, mounted } = useContainerWidth()

  const isNarrow = width < narrow

  const draft = draftOf(row.id, projectId)
  const [kept, setKept] = useState(() => readDraft(draft, String))
  const restored = kept?.values as Kept | undefined
  const [base, setBase] = useState(restored?.base ?? row)
  const history = useHistoryTravel(compacted(restored?.cards ?? row.cards), 100)
  const cards = history.value!
  const isDirty = !same(cards, compacted(base.cards))
  const [editing, setEditing] = useState<ViewCard>()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const [conflict, setConflict] = useState<{
    current: ViewCards
    merge: ReturnType<typeof mergeCards>
  }>()
  const [said, say] = useState('')
  /** The card with this id gets the focus after the next render, or the add button if there is no id. */
  const [wanted, want] = useState<{ id?: string }>()
  const adder = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!wanted) return
    // The timeout lets the grid render first and a closing menu return the focus first.
    const timer = setTimeout(() => {
      const card = `[data-card="${wanted.id}"]`
      const element = containerRef.current?.querySelector<HTMLElement>(card)
      ;(element ?? adder.current)?.focus()
    })
    return () => clearTimeout(timer)
  }, [wanted, containerRef])
  const shown = useCards(of, cards)

  useEffect(() => {
    if (!isDirty) return
    keepDraft(draft, row.id, { base, cards })
    setUnfinished((all) => [...all, draft])
    return () => setUnfinished((all) => all.filter((one) => one !== draft))
  }, [isDirty, draft, row.id, base, cards, setUnfinished])

  // Changes made while saving are refused, because the saved cards would overwrite them.
  const change = (next: ViewCard[]) => isSaving || same(next, cards) || history.setValue(next)
  const forget = useMemoizedFn(() => dropDraft(draft, '/home'))
  const leave = useMemoizedFn(() => {
    forget()
    if (current !== projectId) setEditMode(false)
    onLeave()
  })
  useLeaving(
    ({ from, to }) =>
      isDirty && (from.pathname !== to.pathname || viewIn(from.search) !== viewIn(to.search)),
    leave,
  )
  const stay = useMemoizedFn(() => {
    goTo(projectId)
    setEditMode(true)
  })
  useEffect(() => {
    if (!isDirty) return
    hold(projectId)
    return () => hold(undefined)
  }, [isDirty, projectId, hold])
  // All ways to end editing lead here: the switch in the header, another project, Escape and 取消.
  useEffect(() => {
    if (isEditMode && current === projectId) return
    if (!isDirty) return leave()
    return modal.confirm({ ...leaving, onOk: leave, onCancel: stay }).destroy
  }, [isEditMode, current, projectId, isDirty, modal, leave, stay])

  async function save(next = cards, from = base) {
    setSaving(true)
    try {
      const asked = { id: row.id, version: from.version, projectId, cards: inOrder(next) }
      const answer = await call(viewApi.arrange, asked, handled)
      history.reset(compacted(answer.cards))
      setBase(answer)
      forget()
      onSaved(answer)
      setEditMode(false)
      message.success(`已保存“${answer.name}”`)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (error.code === codes.fields) message.error(error.message)
      if (error.code === codes.version) {
        const { current } = error.data as { current: ViewCards }
        const merge = mergeCards(compacted(from.cards), next, compacted(current.cards))
        if (merge.asked.length > 0) setConflict({ current, merge })
        else await takeOver(current, merge.with({}))
      }
    } finally {
      setSaving(false)
    }
  }
  /** Adopts a colleague's saved cards as the base of further changes. */
  const takeOver = (current: ViewCards, next: ViewCard[]) => {
    setBase(current)
    history.setValue(next)
    setConflict(undefined)
    if (next.length > mostCards) {
      message.warning(`合并后超过 ${mostCards} 张卡片，请移除一些再保存`)
      return Promise.resolve()
    }
    return save(next, current)
  }

  const add = (kind: CardKind) => {
    const { size, config } = kinds[kind]
    const card: ViewCard = {
      id: newPress(),
      title: '',
      projectId: null,
      x: 0,
      y: 0,
      ...size,
      config: config(tree),
    }
    if (isPlain(card.config)) put(card)
    else setEditing(card)
  }
  const put = (card: ViewCard) => {
    const isNew = !cards.some(({ id }) => id === card.id)
    change(isNew ? added(cards, card) : cards.map((one) => (one.id === card.id ? card : one)))
    setEditing(undefined)
    want({ id: card.id })
    if (isNew) say(`已添加${nameOf(card, tree, shown.groups.data)}`)
  }
  const remove = (card: ViewCard) => {
    const left = cards.filter(({ id }) => id !== card.id)
    const order = inOrder(cards)
    const at = order.findIndex(({ id }) => id === card.id)
    change(compacted(left))
    want({ id: (order[at + 1] ?? order[at - 1])?.id })
    say(`已移除${nameOf(card, tree, shown.groups.data)}`)
  }
  const go = (card: ViewCard, step: Step, isSize: boolean) => {
    const next = isSize ? resized(cards, card.id, step) : moved(cards, card.id, step, isNarrow)
    change(next)
    want({ id: card.id })
    const { x, y, w, h } = next.find(({ id }) => id === card.id)!
    say(isSize ? `宽 ${w} 列，高 ${h} 行` : `第 ${x + 1} 列，第 ${y + 1} 行`)
  }
  const press = (card: ViewCard, event: React.KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey)
      return
    const step = steps[event.key]
    if (step) go(card, step, event.shiftKey)
    else if (event.key === 'Enter') setEditing(card)
    else if (event.key === 'Delete' || event.key === 'Backspace') remove(card)
    else return
    event.preventDefault()
  }

  const isElsewhere = (event: Event) =>
    !isEditMode ||
    isSaving ||
    isMenuOpen ||
    (event.target as Element).closest('[role=dialog], input, textarea') !== null
  useKeyPress(
    ['ctrl.z', 'meta.z'],
    (event) => {
      if (isElsewhere(event)) return
      event.preventDefault()
      history.back()
    },
    { exactMatch: true },
  )
  useKeyPress(
    ['ctrl.shift.z', 'meta.shift.z'],
    (event) => {
      if (isElsewhere(event)) return
      event.preventDefault()
      history.forward()
    },
    { exactMatch: true },
  )
  useKeyPress('esc', (event) => !isElsewhere(event) && setEditMode(false))

  const isFull = cards.length >= mostCards
  const edited = (isNarrow ? inOrder(cards) : cards).map((card) => (
    <EditedCard
      key={card.id}
      card={card}
      {...shown}
      onKeyDown={(event) => press(card, event)}
      onMenu={setMenuOpen}
      onEdit={() => setEditing(card)}
      onStep={(step, isSize) => go(card, step, isSize)}
      onRemove={() => remove(card)}
    />
  ))

  return (
    <>
      <HomeTools {...shown} />
      <Flex
        className={styles.bar}
        gap={8}
        wrap
        justify="space-between"
        role="toolbar"
        aria-label="编排视图"
      >
        <Space wrap>
          <Because why={isFull && `一个视图最多 ${mostCards} 张卡片`}>
            <ButtonMenu
              onOpenChange={setMenuOpen}
              entries={(Object.keys(kinds) as CardKind[]).map((kind) => ({
                label: cardText[kind],
                icon: kinds[kind].icon,
                onClick: () => add(kind),
              }))}
            >
              <Button ref={adder} icon={<PlusOutlined />}>
                添加卡片
              </Button>
            </ButtonMenu>
          </Because>
          <Space.Compact>
            <Button
              icon={<UndoOutlined />}
              aria-label="撤销"
              title="撤销（Ctrl Z）"
              disabled={isSaving || history.backLength === 0}
              onClick={history.back}
            />
            <Button
              icon={<RedoOutlined />}
              aria-label="重做"
              title="重做（Ctrl Shift Z）"
              disabled={isSaving || history.forwardLength === 0}
              onClick={history.forward}
            />
          </Space.Compact>
          <span className={styles.hint}>
            {cards.length} / {mostCards} 张。{isNarrow ? byMenu : byKeys}
          </span>
        </Space>
        <Space>
          <Button disabled={isSaving} onClick={() => setEditMode(false)}>
            取消
          </Button>
          <Right to={viewApi.arrange}>
            <Button
              type="primary"
              disabled={!isDirty}
              loading={isSaving}
              onClick={() => void save().catch(quietly)}
            >
              保存
            </Button>
          </Right>
        </Space>
      </Flex>
      {kept && isDirty && (
        <Alert
          type="info"
          showIcon
          title={`已恢复 ${zoned(kept.time).format('M 月 D 日 HH:mm')} 未保存的编排`}
          action={
            <Button
              size="small"
              onClick={() => {
                forget()
                setKept(undefined)
                setBase(row)
                history.reset(compacted(row.cards))
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
          ? edited
          : mounted && (
              <GridLayout
                width={width}
                layout={asLayout(cards).map((item) => ({ ...item, ...limits }))}
                gridConfig={{
                  cols: cardColumns,
                  rowHeight,
                  margin: [gap, gap],
                  containerPadding: [0, 0],
                }}
                dragConfig={{ handle: '[data-handle]', cancel: 'button' }}
                onDragStop={(layout) => change(placed(cards, layout))}
                onResizeStop={(layout) => change(placed(cards, layout))}
              >
                {edited}
              </GridLayout>
            )}
      </div>
      <div role="status" style={unseen}>
        {said}
      </div>
      {editing && (
        <CardForm
          card={editing}
          projectId={projectId}
          tree={tree}
          groups={shown.groups}
          onDone={put}
          onClose={() => {
            setEditing(undefined)
            want({ id: cards.some(({ id }) => id === editing.id) ? editing.id : undefined })
          }}
        />
      )}
      {conflict && (
        <Conflict
          schema={conflict.merge.schema}
          asked={conflict.merge.asked}
          base={conflict.merge.base}
          mine={conflict.merge.mine}
          current={{ ...conflict.current, ...conflict.merge.current } as Stored}
          show={conflict.merge.show}
          onMerge={(chosen) =>
            void takeOver(conflict.current, conflict.merge.with(chosen)).catch(quietly)
          }
          onReload={() => {
            forget()
            setBase(conflict.current)
            history.reset(compacted(conflict.current.cards))
            setConflict(undefined)
          }}
          onClose={() => setConflict(undefined)}
        />
      )}
    </>
  )
}

const viewIn = (search: string) => new URLSearchParams(search).get('view')
