import type { ControlTask } from '../contract/control/control.schema'
import { describeLights } from '../contract/control/light'
import { formatSpokenCount } from '../ui/voice'

/** A requested operation, for its announcement. `single` is one lamp, which is announced only if it fails. */
export type Announcement = {
  kind: 'all_on' | 'all_off' | 'action' | 'scene' | 'retry' | 'undo' | 'cancel' | 'single'
  name: string
  /** Number of lamps if lamps are named and no place. */
  lamps?: number
  /** Replaces the sentence that this kind of command shows after success. */
  done?: string
}

const formatAllLights = (name: string, lamps?: number) =>
  `${describeLights(name, lamps)}已${lamps === 1 ? '' : '全部'}`

const doneTextByKind: Record<Announcement['kind'], (name: string, lamps?: number) => string> = {
  all_on: (name, lamps) => `${formatAllLights(name, lamps)}打开`,
  all_off: (name, lamps) => `${formatAllLights(name, lamps)}关闭`,
  action: (name) => `${name} 已执行`,
  scene: (name) => `场景“${name}”已执行`,
  retry: (name) => `“${name}”已重试`,
  undo: (name) => `“${name}”已恢复原状`,
  cancel: (name) => `“${name}”已取消`,
  single: (name) => name,
}

const formatDone = ({ kind, name, lamps, done }: Announcement) =>
  done ?? doneTextByKind[kind](name, lamps)

const stripTitlePrefix = (title: string) => title.replace(/^(重试|恢复原状)：/, '')
/** Describes the request before its result is known. */
export function formatCommand({ kind, name, lamps }: Announcement) {
  if (kind === 'all_on' || kind === 'all_off')
    return getSwitchVerb(kind)!.full + describeLights(name, lamps, '的灯')
  if (kind === 'scene') return `执行场景“${name}”`
  if (kind === 'retry' || kind === 'undo')
    return `${kind === 'retry' ? '重试' : '恢复原状'}：${stripTitlePrefix(name)}`
  return kind === 'cancel' ? `取消：${name}` : kind === 'single' ? `控制${name}` : name
}

/** Returns the verb for switched lamps; undefined for operations without a common verb. */
export const getSwitchVerb = (kind: Announcement['kind']) =>
  kind === 'all_off'
    ? { full: '关闭', short: '关' }
    : kind === 'all_on'
      ? { full: '打开', short: '开' }
      : undefined

/** Returns the Chinese unit word: 盏 for lamps, 台 for devices of any other type or of several types. */
export const getUnitWord = (kind: Announcement['kind']) => (kind === 'action' ? '台' : '盏')

type EndedTask = Pick<ControlTask, 'counts'> & Partial<Pick<ControlTask, 'unit' | 'held'>>

/** Says how many of the skipped devices are held: `跳过 3 盏（手动保持）`, `跳过 5 盏（手动保持 3）`. */
export function formatSkipped(skippedCount: number, unit: string, heldCount = 0) {
  const detail = heldCount === skippedCount ? '（手动保持）' : `（手动保持 ${heldCount}）`
  return `跳过 ${skippedCount} ${unit}${heldCount > 0 ? detail : ''}`
}

/** The text says 全部 only if no entry was left out, and does not report success if no entry succeeded. */
function formatHead({ counts }: EndedTask, announcement: Announcement) {
  const { kind, name } = announcement
  const { success, confirmed, unknown, overridden, skipped, cancelled, failed, timeout } = counts
  if (kind !== 'cancel' && success + confirmed + unknown === 0) return `${name}没有完成`
  const unfinishedCount = failed + timeout + unknown + overridden + skipped + cancelled
  const fullText = formatDone(announcement)
  return unfinishedCount === 0 ? fullText : fullText.replace('全部', '')
}
const hasOnlyFailures = ({ success, confirmed, unknown, ...counts }: ControlTask['counts']) =>
  counts.failed + counts.timeout > 0 &&
  success + confirmed + unknown + counts.overridden + counts.cancelled === 0

export function formatResult({ counts, ...task }: EndedTask, announcement: Announcement) {
  const { success, confirmed, unknown, overridden, skipped, cancelled } = counts
  const failed = counts.failed + counts.timeout
  const unit = task.unit ?? getUnitWord(announcement.kind)
  if (hasOnlyFailures(counts)) return `${announcement.name}：${failed} ${unit}全部失败`
  const parts = [
    formatHead({ counts }, announcement),
    announcement.lamps !== 1 && (success > 0 || confirmed === 0) && `成功 ${success} ${unit}`,
    confirmed > 0 && `已确认（未上报）${confirmed} ${unit}`,
    failed > 0 && `失败 ${failed} ${unit}`,
    unknown > 0 && `结果未知 ${unknown} ${unit}`,
    overridden > 0 && `被覆盖 ${overridden} ${unit}`,
    skipped > 0 && formatSkipped(skipped, unit, task.held),
    cancelled > 0 && `取消 ${cancelled} ${unit}`,
  ]
  return parts.filter(Boolean).join('，')
}

/** Formats the result as `大堂灯光已全部关闭` or `大堂灯光已关闭27盏，失败两盏`; skipped devices were announced earlier. */
export function formatSpokenResult({ counts, ...task }: EndedTask, announcement: Announcement) {
  const { success, confirmed, unknown, overridden, cancelled } = counts
  const failed = counts.failed + counts.timeout
  const unit = task.unit ?? getUnitWord(announcement.kind)
  const formatCount = (amount: number) => `${formatSpokenCount(amount)}${unit}`
  if (hasOnlyFailures(counts)) return `${announcement.name}，${formatCount(failed)}全部失败`
  const head = formatHead({ counts }, announcement)
  const fullText = formatDone(announcement)
  const isPartial = announcement.lamps !== 1 && head === fullText.replace('全部', '')
  const parts = [
    isPartial && getSwitchVerb(announcement.kind) && success > 0
      ? head + formatCount(success)
      : head,
    failed > 0 && `失败${formatCount(failed)}`,
    confirmed > 0 && `${formatCount(confirmed)}没有上报`,
    unknown > 0 && `${formatCount(unknown)}结果未知`,
    overridden > 0 && `${formatCount(overridden)}被覆盖`,
    cancelled > 0 && `取消${formatCount(cancelled)}`,
  ]
  return parts.filter(Boolean).join('，')
}

export const countFinishedEntries = ({ counts, total }: Pick<ControlTask, 'counts' | 'total'>) =>
  total - counts.queued - counts.sent - counts.delivered

/** @deprecated Use {@link Announcement}; kept for remotes that were built before. */
export type Spoken = Announcement

/** @deprecated Use {@link getSwitchVerb}; kept for remotes that were built before. */
export const verbOf = getSwitchVerb

/** @deprecated Use {@link getUnitWord}; kept for remotes that were built before. */
export const unitOf = getUnitWord

/** @deprecated Use {@link formatSpokenResult}; kept for remotes that were built before. */
export const spokenResult = formatSpokenResult

/** @deprecated Use {@link countFinishedEntries}; kept for remotes that were built before. */
export const doneCount = countFinishedEntries

/** @deprecated Use {@link formatCommand}; kept for remotes that were built before. */
export const commandText = formatCommand

/** @deprecated Use {@link formatResult}; kept for remotes that were built before. */
export const resultText = formatResult
