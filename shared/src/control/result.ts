import type { ControlTask } from '../contract/control'
import { lightsOf } from '../contract/light'
import { spokenCount } from '../ui/voice'

/** A requested operation, for its announcement. `single` is one lamp, which is announced only if it fails. */
export type Spoken = {
  kind: 'all_on' | 'all_off' | 'action' | 'scene' | 'retry' | 'undo' | 'cancel' | 'single'
  name: string
  /** Number of lamps if lamps are named and no place. */
  lamps?: number
}

const allOf = (name: string, lamps?: number) =>
  `${lightsOf(name, lamps)}已${lamps === 1 ? '' : '全部'}`

const doneText: Record<Spoken['kind'], (name: string, lamps?: number) => string> = {
  all_on: (name, lamps) => `${allOf(name, lamps)}打开`,
  all_off: (name, lamps) => `${allOf(name, lamps)}关闭`,
  action: (name) => `${name} 已执行`,
  scene: (name) => `场景“${name}”已执行`,
  retry: (name) => `“${name}”已重试`,
  undo: (name) => `“${name}”已恢复原状`,
  cancel: (name) => `“${name}”已取消`,
  single: (name) => name,
}

const bareTitle = (title: string) => title.replace(/^(重试|恢复原状)：/, '')
/** Describes the request before its result is known. */
export function commandText({ kind, name, lamps }: Spoken) {
  if (kind === 'all_on' || kind === 'all_off')
    return verbOf(kind)!.full + lightsOf(name, lamps, '的灯')
  if (kind === 'scene') return `执行场景“${name}”`
  if (kind === 'retry' || kind === 'undo')
    return `${kind === 'retry' ? '重试' : '恢复原状'}：${bareTitle(name)}`
  return kind === 'cancel' ? `取消：${name}` : kind === 'single' ? `控制${name}` : name
}

/** Returns the verb for switched lamps; undefined for operations without a common verb. */
export const verbOf = (kind: Spoken['kind']) =>
  kind === 'all_off'
    ? { full: '关闭', short: '关' }
    : kind === 'all_on'
      ? { full: '打开', short: '开' }
      : undefined

/** Returns the Chinese unit word: 盏 for lamps, 台 for devices of any other type. */
export const unitOf = (kind: Spoken['kind']) => (kind === 'action' ? '台' : '盏')

type Ended = Pick<ControlTask, 'counts'>
/** The text says 全部 only if no entry was left out, and does not report success if no entry succeeded. */
function headOf({ counts }: Ended, { kind, name, lamps }: Spoken) {
  const { success, confirmed, unknown, overridden, skipped, cancelled, failed, timeout } = counts
  if (kind !== 'cancel' && success + confirmed + unknown === 0) return `${name}没有完成`
  const left = failed + timeout + unknown + overridden + skipped + cancelled
  const done = doneText[kind](name, lamps)
  return left === 0 ? done : done.replace('全部', '')
}
const areAllFailed = ({ success, confirmed, unknown, ...counts }: ControlTask['counts']) =>
  counts.failed + counts.timeout > 0 &&
  success + confirmed + unknown + counts.overridden + counts.cancelled === 0

export function resultText({ counts }: Ended, spoken: Spoken) {
  const { success, confirmed, unknown, overridden, skipped, cancelled } = counts
  const failed = counts.failed + counts.timeout
  const unit = unitOf(spoken.kind)
  if (areAllFailed(counts)) return `${spoken.name}：${failed} ${unit}全部失败`
  const parts = [
    headOf({ counts }, spoken),
    spoken.lamps !== 1 && (success > 0 || confirmed === 0) && `成功 ${success} ${unit}`,
    confirmed > 0 && `已确认（未上报）${confirmed} ${unit}`,
    failed > 0 && `失败 ${failed} ${unit}`,
    unknown > 0 && `结果未知 ${unknown} ${unit}`,
    overridden > 0 && `被后来的操作覆盖 ${overridden} ${unit}`,
    skipped > 0 && `跳过 ${skipped} ${unit}`,
    cancelled > 0 && `取消 ${cancelled} ${unit}`,
  ]
  return parts.filter(Boolean).join('，')
}

/** Formats the result as `大堂灯光已全部关闭` or `大堂灯光已关闭27盏，失败两盏`; skipped devices were announced earlier. */
export function spokenResult({ counts }: Ended, spoken: Spoken) {
  const { success, confirmed, unknown, overridden, cancelled } = counts
  const failed = counts.failed + counts.timeout
  const unit = unitOf(spoken.kind)
  const count = (some: number) => `${spokenCount(some)}${unit}`
  if (areAllFailed(counts)) return `${spoken.name}，${count(failed)}全部失败`
  const head = headOf({ counts }, spoken)
  const done = doneText[spoken.kind](spoken.name, spoken.lamps)
  const isPart = spoken.lamps !== 1 && head === done.replace('全部', '')
  const parts = [
    isPart && verbOf(spoken.kind) && success > 0 ? head + count(success) : head,
    failed > 0 && `失败${count(failed)}`,
    confirmed > 0 && `${count(confirmed)}没有上报`,
    unknown > 0 && `${count(unknown)}结果未知`,
    overridden > 0 && `${count(overridden)}被后来的操作覆盖`,
    cancelled > 0 && `取消${count(cancelled)}`,
  ]
  return parts.filter(Boolean).join('，')
}

export const doneCount = ({ counts, total }: Pick<ControlTask, 'counts' | 'total'>) =>
  total - counts.queued - counts.sent - counts.delivered
