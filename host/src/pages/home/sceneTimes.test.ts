import type { SceneButton } from '@iot/shared/contract/control/scene.schema'
import { store } from '@iot/shared/session/store'
import { timeZonesAtom } from '@iot/shared/session/timeZone'
import { formatMoment, describeNextRun, describeScene } from './sceneTimes'

const now = Date.parse('2026-11-23T18:16:00+08:00')
const createSceneButton = (more: Partial<SceneButton>) =>
  ({
    name: '下班',
    status: 'enabled',
    deviceCount: 3,
    triggerTexts: ['周一至周五 18:30'],
    isTimed: true,
    held: '',
    nextRun: null,
    lastRun: null,
    ...more,
  }) as SceneButton

it.each<[Partial<SceneButton>, string]>([
  [{ nextRun: { time: '2026-11-23T10:30:00.000Z', reason: '' } }, '18:30 · 14 分钟后'],
  [{}, '60 天内不执行'],
  [{ isTimed: false }, '按条件'],
  [{ isTimed: false, triggerTexts: [] }, '手动'],
  [{ held: '项目已停用，场景不自动执行' }, '不自动执行'],
  [{ held: '项目已停用，场景不自动执行', triggerTexts: [] }, '手动'],
  [{ status: 'disabled' }, '已禁用'],
  [{ isTimed: false, deadCondition: '条件里的“照度计”已禁用，不会按条件触发' }, '不会触发'],
])('formats %j as %s', (more, text) =>
  expect(describeNextRun(createSceneButton(more), now)).toBe(text),
)

it('shows times in the time zone of the project', () => {
  store.set(timeZonesAtom, { 1: 'Europe/Berlin' })
  history.replaceState(null, '', '/home')
  // The current time at the site is 11:16.
  expect(formatMoment('2026-11-23T10:30:00.000Z', now)).toBe('11:30')
  expect(formatMoment('2026-11-23T23:30:00.000Z', now)).toBe('明天 00:30')
  expect(formatMoment('2026-11-22T22:30:00.000Z', now)).toBe('昨天 23:30')
  expect(formatMoment('2026-11-25T22:30:00.000Z', now)).toBe('11-25 23:30')
  store.set(timeZonesAtom, {})
  history.replaceState(null, '', '/')
})

it('shows in the tooltip why a scene does not start automatically', () => {
  const blockReason = '项目已停用，场景不自动执行'
  expect(describeScene(createSceneButton({ held: blockReason }), now)).toBe(
    `3 台设备\n周一至周五 18:30\n${blockReason}`,
  )
})
