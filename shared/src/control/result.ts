import type { ControlTask } from '../contract/control'
import { spokenCount } from '../ui/voice'

/** What an operator asked for, as it is said back. `single` is one lamp, said only when it fails. */
export type Spoken = {
  kind: 'all_on' | 'all_off' | 'action' | 'scene' | 'retry' | 'undo' | 'cancel' | 'single'
  name: string
}

const doneText: Record<Spoken['kind'], (name: string) => string> = {
  all_on: (name) => `${name}灯光已全部打开`,
  all_off: (name) => `${name}灯光已全部关闭`,
  action: (name) => `${name} 已执行`,
  scene: (name) => `场景“${name}”已执行`,
  retry: (name) => `“${name}”已重试`,
  undo: (name) => `“${name}”已恢复原状`,
  cancel: (name) => `“${name}”已取消`,
  single: (name) => name,
}

/** What happens to lamps that are told so; nothing where it is not one word for all. */
export const verbOf = (kind: Spoken['kind']) =>
  kind === 'all_off'
    ? { full: '关闭', short: '关' }
    : kind === 'all_on'
      ? { full: '打开', short: '开' }
      : undefined

/** Lamps have a word of their own; an action of another type is for devices of any kind. */
export const unitOf = (kind: Spoken['kind']) => (kind === 'action' ? '台' : '盏')

export function resultText({ counts }: ControlTask, { kind, name }: Spoken) {
  const { success, confirmed, unknown, overridden } = counts
  const failed = counts.failed + counts.timeout
  const unit = unitOf(kind)
  if (failed > 0 && success + confirmed + unknown === 0) return `${name}：${failed} ${unit}全部失败`
  const isWhole = failed + unknown + overridden === 0
  const parts = [
    isWhole ? doneText[kind](name) : doneText[kind](name).replace('全部', ''),
    (success > 0 || confirmed === 0) && `成功 ${success} ${unit}`,
    confirmed > 0 && `已确认（未上报）${confirmed} ${unit}`,
    failed > 0 && `失败 ${failed} ${unit}`,
    unknown > 0 && `结果未知 ${unknown} ${unit}`,
    overridden > 0 && `被后来的操作覆盖 ${overridden} ${unit}`,
  ]
  return parts.filter(Boolean).join('，')
}

/** `大堂灯光已全部关闭，失败两盏` */
export function spokenResult({ counts }: ControlTask, { kind, name }: Spoken) {
  const { success, confirmed, unknown, overridden } = counts
  const failed = counts.failed + counts.timeout
  const unit = unitOf(kind)
  if (failed > 0 && success + confirmed + unknown === 0)
    return `${name}，${spokenCount(failed)}${unit}全部失败`
  const parts = [
    doneText[kind](name),
    failed > 0 && `失败${spokenCount(failed)}${unit}`,
    confirmed > 0 && `${spokenCount(confirmed)}${unit}没有上报`,
    unknown > 0 && `${spokenCount(unknown)}${unit}结果未知`,
    overridden > 0 && `${spokenCount(overridden)}${unit}被后来的操作覆盖`,
  ]
  return parts.filter(Boolean).join('，')
}

export const doneCount = ({ counts, total }: Pick<ControlTask, 'counts' | 'total'>) =>
  total - counts.queued - counts.sent - counts.delivered
