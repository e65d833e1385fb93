import type { FieldChange } from '@iot/shared/contract/actionLog'
import { shown } from '@iot/shared/ui/field'

/** “名称：厂商管理 → 厂商”; of what is new or gone only what it holds. */
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
