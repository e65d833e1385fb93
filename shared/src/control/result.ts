import type { ControlTask } from '../contract/control'
import { spokenCount } from '../ui/voice'

/** What an operator asked for, as it is said back. `single` is one lamp, said only when it fails. */
export type Spoken = {
  kind: 'all_on' | 'all_off' | 'scene' | 'retry' | 'undo' | 'cancel' | 'single'
  name: string
}

const doneText: Record<Spoken['kind'], (name: string) => string> = {
  all_on: (name) => `${name}灯光已全部打开`,
  all_off: (name) => `${name}灯光已全部关闭`,
  scene: (name) => `场景“${name}”已执行`,
  retry: (name) => `“${name}”已重试`,
  undo: (name) => `“${name}”已恢复原状`,
  cancel: (name) => `“${name}”已取消`,
  single: (name) => name,
}

export function resultText({ counts }: ControlTask, { kind, name }: Spoken) {
  const { success, confirmed, unknown, overridden } = counts
  const failed = counts.failed + counts.timeout
  if (failed > 0 && success + confirmed + unknown === 0) return `${name}：${failed} 盏全部失败`
  const isWhole = failed + unknown + overridden === 0
  const parts = [
    isWhole ? doneText[kind](name) : doneText[kind](name).replace('全部', ''),
    (success > 0 || confirmed === 0) && `成功 ${success} 盏`,
    confirmed > 0 && `已确认（未上报）${confirmed} 盏`,
    failed > 0 && `失败 ${failed} 盏`,
    unknown > 0 && `结果未知 ${unknown} 盏`,
    overridden > 0 && `被后来的操作覆盖 ${overridden} 盏`,
  ]
  return parts.filter(Boolean).join('，')
}

/** `大堂灯光已全部关闭，失败两盏` */
export function spokenResult({ counts }: ControlTask, { kind, name }: Spoken) {
  const { success, confirmed, unknown, overridden } = counts
  const failed = counts.failed + counts.timeout
  if (failed > 0 && success + confirmed + unknown === 0)
    return `${name}，${spokenCount(failed)}盏全部失败`
  const parts = [
    doneText[kind](name),
    failed > 0 && `失败${spokenCount(failed)}盏`,
    confirmed > 0 && `${spokenCount(confirmed)}盏没有上报`,
    unknown > 0 && `${spokenCount(unknown)}盏结果未知`,
    overridden > 0 && `${spokenCount(overridden)}盏被后来的操作覆盖`,
  ]
  return parts.filter(Boolean).join('，')
}

export const doneCount = ({ counts, total }: Pick<ControlTask, 'counts' | 'total'>) =>
  total - counts.queued - counts.sent - counts.delivered
