import type { FieldChange } from '@iot/shared/contract/actionLog.schema'
import { formatValue } from '@iot/shared/ui/field'

/** Describes a field diff: “名称：厂商管理 → 厂商”; a created or deleted row lists only its values. */
export function describeChanges(changes: FieldChange[]) {
  const isOneSided = changes.every(({ before }) => !before) || changes.every(({ after }) => !after)
  const changeTexts = changes.flatMap(({ title, before, after }) =>
    isOneSided
      ? before || after
        ? [`${title}：${before || after}`]
        : []
      : [`${title}：${formatValue(before)} → ${formatValue(after)}`],
  )
  return formatValue(changeTexts.join('；'))
}
