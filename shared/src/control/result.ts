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

export function resultText(task: ControlTask, { kind, name }: Spoken) {
  const { failed, timeout, success } = task.counts
  if (failed + timeout === 0) return `${doneText[kind](name)}，成功 ${success} 盏`
  if (success === 0) return `${name}：${failed + timeout} 盏全部失败`
  return `${doneText[kind](name).replace('全部', '')}，成功 ${success} 盏，失败 ${failed + timeout} 盏`
}

/** `大堂灯光已全部关闭，失败两盏` */
export function spokenResult(task: ControlTask, { kind, name }: Spoken) {
  const failures = task.counts.failed + task.counts.timeout
  const isAlone = task.counts.success === 0 && failures > 0
  if (isAlone) return `${name}，${spokenCount(failures)}盏全部失败`
  return doneText[kind](name) + (failures > 0 ? `，失败${spokenCount(failures)}盏` : '')
}

export const doneCount = ({ counts, total }: Pick<ControlTask, 'counts' | 'total'>) =>
  total - counts.queued - counts.sent - counts.delivered
