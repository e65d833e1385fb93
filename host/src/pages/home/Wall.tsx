import { CaretRightOutlined, CloseOutlined, PauseOutlined, SearchOutlined } from '@ant-design/icons'
import { useMemoizedFn } from 'ahooks'
import { Button, ConfigProvider, Input, Select } from 'antd'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { serverNow } from '@iot/shared/client/serverClock'
import { zoned } from '@iot/shared/client/zone'
import type { SpaceLights } from '@iot/shared/contract/device'
import type { Space } from '@iot/shared/contract/project'
import { lightsWithin, type SpaceTree } from '@iot/shared/plan/spaces'
import { maxChoicesWithoutSearch } from '@iot/shared/ui/choiceStrip'
import { useComposed } from '@iot/shared/ui/composition'
import { matchesWords } from '@iot/shared/contract/matchesWords'
import { AlertSettings } from '../../layout/alerts/AlertSettings'
import { Lit, useMeasures } from './FloorMatrix'
import { ageText } from './ProblemStrip'
import { kindText, type Problems } from '../../layout/alerts/useProblems'
import * as styles from './wall.module.css'

type WallProps = {
  projectId: number
  projectName: string
  tree: SpaceTree
  floor?: Space
  counts: ReadonlyMap<string, SpaceLights>
  problems: Problems
  onShow: (floorId: string) => void
  onClose: () => void
  children: ReactNode
}

const paces = [10, 20, 30, 60]
const open = '.ant-popover, .ant-popover-open, .ant-select-open'

/** Shows one floor after another with its incidents on a wall display. Nothing can be switched here. */
export default function Wall({
  projectId,
  projectName,
  tree,
  floor,
  counts,
  problems,
  onShow,
  onClose,
  children,
}: WallProps) {
  const box = useRef<HTMLDivElement>(null)
  const floorList = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const words = useComposed(typed)
  const measures = useMeasures(projectId)
  const [pace, setPace] = useState(20)
  const [isPaused, setPaused] = useState(false)
  const [now, setNow] = useState(serverNow)
  const floors = tree.children(null).flatMap(({ id }) => tree.floorsOf(id))
  const at = floors.findIndex(({ id }) => id === floor?.id)
  const nextId = floors[(at + 1) % floors.length]?.id

  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1000)
    return () => clearInterval(timer)
  }, [])
  const listed = floors.filter(({ id }) => matchesWords(tree.nameOf(id), words))
  useEffect(() => {
    floorList.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [floor?.id])
  const show = useMemoizedFn(onShow)
  useEffect(() => {
    if (at < 0 && nextId) show(nextId)
    if (isPaused || !nextId) return
    const timer = setTimeout(() => show(nextId), pace * 1000)
    return () => clearTimeout(timer)
  }, [at, nextId, pace, isPaused, show])
  // Full screen and the wake lock are optional, because a browser may refuse both.
  useEffect(() => {
    box.current?.focus()
    void box.current?.requestFullscreen?.().catch(() => {})
    const lock = navigator.wakeLock?.request('screen').catch(() => undefined)
    return () => {
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => {})
      void lock?.then((one) => one?.release())
    }
  }, [])
  const close = useMemoizedFn(onClose)
  useEffect(() => {
    let wasFull = false
    const left = () => {
      if (document.fullscreenElement) wasFull = true
      else if (wasFull) close()
    }
    document.addEventListener('fullscreenchange', left)
    return () => document.removeEventListener('fullscreenchange', left)
  }, [close])

  const all = lightsWithin(tree, counts)
  const measure = floor && measures.of(floor.id)
  const { list, error, quietReason } = problems
  const wrong = problems.counts && Object.values(problems.counts).reduce((sum, one) => sum + one, 0)
  const shown = list?.slice(0, 12) ?? []
  const rest = (wrong ?? 0) - shown.length
  const figures = [
    ['亮', `${all.on}/${all.total}`],
    ['未知', all.unknown],
    ['离线', all.offline],
    ['问题', wrong ?? '未知'],
    ['本层温度', measure?.temperature == null ? '未知' : `${measure.temperature} °C`],
    ['本层功率', measure?.power == null ? '未知' : `${measure.power} kW`],
  ] as const

  return (
    <div
      ref={box}
      className={styles.wall}
      role="dialog"
      aria-label="大屏"
      tabIndex={-1}
      onKeyDown={({ key, target }) =>
        // Escape first closes an open popup, and leaves the wall only if there is none.
        key === 'Escape' && !(target as Element).closest(open) && onClose()
      }
    >
      <header className={styles.head}>
        <h2>
          {projectName}
          {floor && <small>{tree.nameOf(floor.id)}</small>}
        </h2>
        <dl>
          {figures.map(([name, value]) => (
            <div
              key={name}
              className={(name === '离线' || name === '问题') && value !== 0 ? styles.bad : ''}
            >
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <time>{zoned(now).format('HH:mm')}</time>
        <Select
          aria-label="每层停留"
          value={pace}
          onChange={setPace}
          getPopupContainer={() => box.current!}
          options={paces.map((value) => ({ value, label: `${value} 秒` }))}
        />
        <Button
          icon={isPaused ? <CaretRightOutlined /> : <PauseOutlined />}
          aria-label={isPaused ? '继续巡游' : '停在这一层'}
          onClick={() => setPaused(!isPaused)}
        />
        <ConfigProvider getPopupContainer={() => box.current!}>
          <AlertSettings />
        </ConfigProvider>
        <Button icon={<CloseOutlined />} aria-label="退出大屏" onClick={onClose} />
      </header>
      <div className={styles.plan}>{children}</div>
      <div className={styles.side}>
        <section aria-label="楼层">
          {floors.length > maxChoicesWithoutSearch && (
            <Input
              className={styles.find}
              allowClear
              prefix={<SearchOutlined />}
              aria-label="查找楼层"
              placeholder={`在 ${floors.length} 层里查找`}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
          <div ref={floorList} className={styles.floors}>
            {listed.map((one) => {
              const lights = lightsWithin(tree, counts, one.id)
              return (
                <button
                  key={one.id}
                  type="button"
                  className={one.id === floor?.id ? styles.here : ''}
                  aria-current={one.id === floor?.id || undefined}
                  onClick={() => onShow(one.id)}
                >
                  <span title={tree.nameOf(one.id)}>{tree.nameOf(one.id)}</span>
                  <Lit {...lights} />
                </button>
              )
            })}
            {listed.length === 0 && <p>没有找到“{typed}”</p>}
          </div>
        </section>
        {/* Many problems scroll, which the keyboard reaches only where the region takes the focus. */}
        <section aria-label="现在有问题" tabIndex={0}>
          <h3>
            {error
              ? '没有读到最新的问题'
              : wrong === 0
                ? quietReason || '现在没有问题'
                : '现在有问题'}
          </h3>
          {error && <p>{error.message}</p>}
          <ul>
            {shown.map(({ kind, id, name, spaceId, reason, since }) => (
              <li key={kind + id}>
                <b>{kind === 'lit' ? tree.nameOf(spaceId) : name}</b> {kindText[kind]}：{reason}{' '}
                <small>{ageText(since, now)}</small>
              </li>
            ))}
            {rest > 0 && <li>还有 {rest} 个</li>}
          </ul>
        </section>
      </div>
    </div>
  )
}
