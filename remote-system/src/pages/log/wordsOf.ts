import type { FieldChange } from '@iot/shared/contract/actionLog'
import { shown } from '@iot/shared/ui/field'

/** Describes a field diff: “名称：厂商管理 → 厂商”; a created or deleted row lists only its values. */
export function wordsOf(changes: FieldChange[]) {
  const isOneSided = changes.every(({ before }) => !before) || changes.every(({ after }) => !after)
  const words = changes.flatMap(({ title, before, after }) =>
    isOneSided
      ? before || after
        ? [`${title}：${before || after}`]
        : []
      : [`${title}：${shown(before)} → ${shown(after)}`],
  )
  return shown(words.join('；'))
}
