import {
  ColumnHeightOutlined,
  ColumnWidthOutlined,
  RedoOutlined,
  SelectOutlined,
  UndoOutlined,
  VerticalAlignTopOutlined,
  VerticalRightOutlined,
} from '@ant-design/icons'
import { useKeyPress, useMemoizedFn, useRequest } from 'ahooks'
import { Alert, App, Button, Flex, Space } from 'antd'
import dayjs from 'dayjs'
import { useSetAtom } from 'jotai'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { Link } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { rights } from '@iot/shared/contract/homeRights'
import {
  deviceStateText,
  managedDeviceApi,
  placesMost,
  type FloorDevices,
} from '@iot/shared/contract/managedDevice'
import { lightSwitch } from '@iot/shared/contract/light'
import { spaceApi } from '@iot/shared/contract/space'
import PlacingPlan, { type PlanHandle } from '@iot/shared/plan/placing/placingPlan'
import { paths } from '@iot/shared/screens/paths'
import { dropDraft, keepDraft, readDraft, unfinishedAtom } from '@iot/shared/session/drafts'
import { deviceStateAtom } from '@iot/shared/session/live'
import { store } from '@iot/shared/session/store'
import { useCan } from '@iot/shared/session/can'
import { Right, useRefusal } from '@iot/shared/ui/right'
import { unseen } from '@iot/shared/ui/unseen'
import { FailedLine } from '@iot/shared/ui/usePage'
import { flash } from '../flash'
import {
  aligned,
  alignments,
  back,
  begun,
  forth,
  laidOut,
  moved,
  refreshed,
  settled,
  shifted,
  taken,
  unsaved,
  type Alignment,
  type Arrangement,
  type At,
  type Move,
  type Target,
} from './arrangement'
import { Clashes, type Clash } from './Clashes'
import { Tray } from './Tray'
import { useStaying } from './useStaying'
import * as styles from './placing.module.css'

const { place, live } = managedDeviceApi
type Device = FloorDevices['devices'][number]
type BoardProps = { data: FloorDevices; failure?: string; onRefresh: () => void }

const placesOf = ({ devices }: FloorDevices) =>
  new Map(devices.map(({ id, x, y }) => [id, x === null || y === null ? null : { x, y }]))
const nowhere = { x: null, y: null }
const icons: Record<Alignment, React.ReactNode> = {
  left: <VerticalRightOutlined />,
  top: <VerticalAlignTopOutlined />,
  across: <ColumnWidthOutlined />,
  down: <ColumnHeightOutlined />,
}
const arrows: Record<string, At> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}
/** Of the width of the plan; with Shift ten times as much. */
const nudge = 0.001
/** Between devices that are dropped together. */
const apart = 0.04

/** The plan of a floor, beside it what is not on it yet. What is not saved is kept in this browser. */
export function Board({ data, failure, onRefresh }: BoardProps) {
  const { message } = App.useApp()
  const { floor, projectId } = data
  const can = useCan()
  const refusal = useRefusal()
  const readOnly = refusal(place)
  const plan = useRef<PlanHandle>(null)

  const draft = `placing/${floor.id}`
  const [kept, setKept] = useState(() => (readOnly ? undefined : readDraft(draft, String)))
  const [all, setAll] = useState(() =>
    begun(placesOf(data), kept?.values.moves as Move[] | undefined),
  )
  const [read, setRead] = useState(data)
  if (read !== data) {
    setRead(data)
    setAll(refreshed(all, placesOf(data)))
  }
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isPicking, setPicking] = useState(false)
  const [refused, setRefused] = useState<{ id: string; name: string; why: string }[]>([])
  const failed = useMemo(() => new Map(refused.map(({ id, why }) => [id, why])), [refused])
  const [clashes, setClashes] = useState<Clash[]>([])
  const [said, say] = useState('')

  const byId = useMemo(() => new Map(data.devices.map((one) => [one.id, one])), [data])
  const changes = useMemo(() => unsaved(all), [all])
  const isDirty = changes.length > 0
  const unsavedIds = useMemo(() => new Set(changes.map(({ id }) => id)), [changes])
  const dots = useMemo(
    () =>
      data.devices.flatMap(({ id, name, state }) => {
        const at = all.at.get(id)
        return at ? [{ id, name, state, at }] : []
      }),
    [data, all],
  )
  const chosen = [...selected].flatMap((id) => byId.get(id) ?? [])
  const points = chosen.flatMap(({ id }) => {
    const at = all.at.get(id)
    return at ? [{ id, at }] : []
  })
  const waiting = chosen.filter(({ id }) => !all.at.get(id))

  useEffect(() => {
    if (changes.length > 0) keepDraft(draft, floor.id, { moves: changes })
    else dropDraft(draft)
  }, [draft, floor.id, changes])
  const setUnfinished = useSetAtom(unfinishedAtom)
  useEffect(() => {
    if (!isDirty) return
    setUnfinished((before) => [...before, draft])
    return () => setUnfinished((before) => before.filter((one) => one !== draft))
  }, [isDirty, draft, setUnfinished])
  const leave = useStaying({
    ...{ floorId: floor.id, projectId, isDirty },
    onLeave: () => dropDraft(draft, paths.home()),
  })

  const change = (targets: Target[], isNudge = false) => {
    if (readOnly) return
    setAll((before) => moved(before, targets, isNudge))
    const [first] = targets
    if (targets.length === 1 && first?.to)
      say(`${byId.get(first.id)?.name ?? ''}：${whereText(first.to)}`)
  }
  const drop = (ids: string[], at: At) => {
    const step = { x: apart, y: (apart * (floor.planWidth ?? 1200)) / (floor.planHeight ?? 720) }
    change(laidOut(ids, at, step))
    setSelected(new Set(ids))
    plan.current?.focus()
  }
  const takeOff = () => {
    change(points.map(({ id }) => ({ id, to: null })))
    say(`${points.length} 台移回未摆放`)
  }
  const select = useMemoizedFn((ids: string[], isAdding: boolean) => {
    const [first] = ids
    // What is on the plan and what is not are never chosen together.
    const isAlike = (id: string) => !all.at.get(id) === !all.at.get(first!)
    setSelected((before) => {
      const next = new Set(isAdding ? [...before].filter(isAlike) : [])
      for (const id of ids) {
        if (isAdding && ids.length === 1 && next.has(id)) next.delete(id)
        else next.add(id)
      }
      return next
    })
  })
  const onPress = (at: At) => {
    if (waiting.length > 0 && !readOnly) {
      const ids = waiting.map(({ id }) => id)
      drop(ids, at)
    } else setSelected(new Set())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const way = arrows[event.key]
    if (way && points.length > 0 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const step = nudge * (event.shiftKey ? 10 : 1)
      const across = (floor.planWidth ?? 1200) / (floor.planHeight ?? 720)
      change(shifted(points, { x: way.x * step, y: way.y * step * across }), true)
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && points.length > 0) takeOff()
    else return
    event.preventDefault()
  }

  useKeys(['ctrl.z', 'meta.z'], () => setAll(back))
  useKeys(['ctrl.shift.z', 'meta.shift.z'], () => setAll(forth))
  useKeys(['esc'], () => (selected.size > 0 ? setSelected(new Set()) : leave()))

  const {
    run: save,
    loading: isSaving,
    error: saveError,
  } = useRequest(
    async (from: Arrangement = all) => {
      const moves = unsaved(from)
      const answers = []
      for (let at = 0; at < moves.length; at += placesMost) {
        const some = moves.slice(at, at + placesMost)
        const places = some.map((one) => ({
          ...{ id: one.id, ...(one.to ?? nowhere), was: one.from ?? nowhere },
        }))
        const part = await call(place, { floorId: floor.id, places }, { inline: true })
        const isSaved = new Set(part.filter(({ ok }) => ok).map(({ id }) => id))
        setAll((now) =>
          settled(
            now,
            some.filter(({ id }) => isSaved.has(id)),
          ),
        )
        answers.push(...part)
      }
      return answers
    },
    {
      manual: true,
      onError: () => {},
      onSuccess(answers) {
        const saved = answers.filter(({ ok }) => ok).length
        const moves = new Map(changes.map((one) => [one.id, one]))
        setClashes(
          answers.flatMap(({ id, name, now }) =>
            now ? [{ id, name, now, mine: moves.get(id)?.to ?? null }] : [],
          ),
        )
        setRefused(
          answers.flatMap(({ id, ok, now, reason = '' }) =>
            ok || now ? [] : [{ id, name: byId.get(id)?.name ?? '', why: reason }],
          ),
        )
        setKept(undefined)
        if (saved > 0) void message.success(`已保存 ${saved} 台的位置`)
        onRefresh()
      },
    },
  )
  const resolve = (mine: Target[], theirs: Target[]) => {
    setClashes([])
    // Mine is sent again, this time over what hangs there now.
    const next = settled(taken(all, theirs), mine)
    setAll(next)
    if (mine.length > 0) save(next)
  }

  const lamp = chosen.length === 1 ? chosen[0] : undefined
  const flashOf = ({ productId }: Device) =>
    data.products.find(({ id }) => id === productId)?.flash ?? 'none'
  const whyNoFlash = (): string | undefined => {
    if (!lamp) return chosen.length > 1 ? '一次只能闪一台' : '先选一台设备'
    const state = store.get(deviceStateAtom(lamp.id))?.state ?? lamp.state
    if (flashOf(lamp) === 'none') return '这种设备不会闪灯'
    if (state !== 'online') return `${lamp.name}${deviceStateText[state]}，不能闪灯`
    return flashOf(lamp) === 'switch' ? refusal(live) : undefined
  }
  const { run: blink, loading: isBlinking } = useRequest(
    async (of: Device) => {
      const how = flashOf(of)
      if (how === 'none') return undefined
      const isLit = async () =>
        Number((await call(live, { id: of.id })).reported[lightSwitch]) === 1
      return flash({ ...of, projectId }, how, isLit)
    },
    {
      manual: true,
      onError: () => {},
      onSuccess: (answer) => answer && message[answer.ok ? 'success' : 'error'](answer.text),
    },
  )

  const [only] = points
  return (
    <div className={styles.screen}>
      <Flex className={styles.bar} gap={8} wrap align="center" justify="space-between">
        <Space wrap>
          <strong className={styles.title}>摆放设备：{data.place}</strong>
          <Space.Compact>
            <Button
              icon={<UndoOutlined />}
              aria-label="撤销"
              title="撤销（Ctrl Z）"
              disabled={all.done.length === 0}
              onClick={() => setAll(back)}
            />
            <Button
              icon={<RedoOutlined />}
              aria-label="重做"
              title="重做（Ctrl Shift Z）"
              disabled={all.undone.length === 0}
              onClick={() => setAll(forth)}
            />
          </Space.Compact>
        </Space>
        <Space>
          {isDirty && <span className={styles.hint}>{changes.length} 台未保存</span>}
          <Button onClick={leave}>返回</Button>
          <Right to={place} unless={!isDirty && '没有要保存的修改'}>
            <Button type="primary" loading={isSaving} onClick={() => save()}>
              保存
            </Button>
          </Right>
        </Space>
      </Flex>
      {readOnly && (
        <Alert type="info" showIcon title={`${readOnly}，只能查看；需要时请联系管理员。`} />
      )}
      {failure && <FailedLine why={failure} hasRows onRetry={onRefresh} />}
      {saveError && isDirty && (
        <Alert
          type="error"
          showIcon
          title={`没有保存，修改还在：${saveError.message}`}
          action={
            <Button size="small" loading={isSaving} onClick={() => save()}>
              重试
            </Button>
          }
        />
      )}
      {refused.length > 0 && (
        <Alert
          type="error"
          showIcon
          closable={{ onClose: () => setRefused([]) }}
          title={`${refused.length} 台没有保存：${refused
            .slice(0, 3)
            .map(({ name, why }) => `${name}${why}`)
            .join('；')}${refused.length > 3 ? ' 等' : ''}`}
          action={
            <Button size="small" onClick={() => setSelected(new Set(failed.keys()))}>
              选中它们
            </Button>
          }
        />
      )}
      {kept && isDirty && (
        <Alert
          type="info"
          showIcon
          title={`已恢复 ${dayjs(kept.time).format('M 月 D 日 HH:mm')} 未保存的摆放`}
          action={
            <Button
              size="small"
              onClick={() => {
                setKept(undefined)
                setAll(begun(placesOf(data)))
              }}
            >
              放弃
            </Button>
          }
        />
      )}
      {!floor.plan && (
        <Alert
          type="warning"
          showIcon
          title={
            can(spaceApi.setPlan)
              ? `${floor.name}还没有平面图。可以先按比例摆放，上传后位置不变。`
              : `${floor.name}还没有平面图，请联系管理员在“项目管理 → 空间”里上传。可以先按比例摆放。`
          }
          action={
            can(spaceApi.setPlan) &&
            data.projectRow && (
              <Link to={`${paths.system.project()}/${data.projectRow}?tab=space`}>
                <Button size="small">去上传平面图</Button>
              </Link>
            )
          }
        />
      )}
      <div className={styles.columns}>
        <section className={styles.panel} aria-label="平面图">
          <Flex gap={8} wrap align="center" role="toolbar" aria-label="选中的设备">
            {(Object.keys(alignments) as Alignment[]).map((how) => {
              const { text, least } = alignments[how]
              const few = points.length < least && `先在图上选 ${least} 台以上`
              return (
                <Right key={how} to={place} unless={few}>
                  <Button
                    size="small"
                    icon={icons[how]}
                    onClick={() => change(aligned(points, how))}
                  >
                    {text}
                  </Button>
                </Right>
              )
            })}
            <Right to={place} unless={points.length === 0 && '先在图上选设备'}>
              <Button size="small" onClick={takeOff}>
                移回未摆放
              </Button>
            </Right>
            <Right to={rights.control} unless={whyNoFlash()}>
              <Button size="small" loading={isBlinking} onClick={() => lamp && blink(lamp)}>
                闪灯
              </Button>
            </Right>
            <Button
              size="small"
              type={isPicking ? 'primary' : 'default'}
              icon={<SelectOutlined />}
              aria-pressed={isPicking}
              title="在图上圈选；也可以按住 Shift 圈选、单击"
              onClick={() => setPicking(!isPicking)}
            >
              圈选
            </Button>
            <span className={`${styles.hint} ${styles.line}`}>
              {waiting.length > 0
                ? readOnly
                  ? `已选 ${waiting.length} 台`
                  : `已选 ${waiting.length} 台：点平面图放到那里，或按回车放到中间`
                : points.length === 1
                  ? `${lamp?.name}：${whereText(only!.at)}`
                  : points.length > 1
                    ? `已选 ${points.length} 台`
                    : '拖动、方向键移动；Shift 多选'}
            </span>
          </Flex>
          <PlacingPlan
            ref={plan}
            floor={floor}
            dots={dots}
            selected={selected}
            unsaved={unsavedIds}
            failed={failed}
            isPicking={isPicking}
            isAiming={waiting.length > 0 && !readOnly}
            isReadOnly={!!readOnly}
            onSelect={select}
            onDrag={(by) => change(shifted(points, by))}
            onPress={onPress}
            onKeyDown={onKeyDown}
          />
        </section>
        <Tray
          data={data}
          at={all.at}
          selected={selected}
          unsaved={unsavedIds}
          failed={failed}
          isReadOnly={!!readOnly}
          onSelect={(ids) => setSelected(new Set(ids))}
          onDrop={(ids, client) => {
            const at = plan.current?.pointAt(client)
            if (at) drop(ids, at)
          }}
          onEnter={(ids) => {
            const [first] = ids
            const at = all.at.get(first!)
            if (at) {
              plan.current?.show(at)
              plan.current?.focus()
            } else if (!readOnly) drop(ids, plan.current!.middle())
          }}
        />
      </div>
      <div role="status" style={unseen}>
        {said}
      </div>
      {clashes.length > 0 && (
        <Clashes clashes={clashes} onResolve={resolve} onClose={() => setClashes([])} />
      )}
    </div>
  )
}

function useKeys(keys: string[], act: () => void) {
  const isElsewhere = (event: Event) =>
    (event.target as Element).closest('[role=dialog], input, textarea') !== null
  useKeyPress(
    keys,
    (event) => {
      if (isElsewhere(event)) return
      event.preventDefault()
      act()
    },
    { exactMatch: true },
  )
}

const percent = (share: number) => `${(share * 100).toFixed(1)}%`
const whereText = ({ x, y }: At) => `距左边 ${percent(x)}，距上边 ${percent(y)}`
