import type { FieldChange } from '../contract/access/actionLog.schema'
import { formatValue } from './field'

/**
 * Describes a field diff: “名称：厂商管理 → 厂商”, “权限：＋删除用户、－导出”; a created or deleted row lists only its values.
 */
export function describeChanges(changes: FieldChange[]) {
  const isOneSided = changes.every(({ before }) => !before) || changes.every(({ after }) => !after)
  const changeTexts = changes.flatMap((change) => {
    const { title, before, after } = change
    if (isOneSided) return before || after ? [`${title}：${before || after}`] : []
    const entries = listChangedEntries(change)
    return [
      entries.length > 0
        ? `${title}：${entries.join('、')}`
        : `${title}：${formatValue(before)} → ${formatValue(after)}`,
    ]
  })
  return formatValue(changeTexts.join('；'))
}

/** Returns what a list gained (＋) and lost (－); none for a value of another kind and for a reordered list. */
export const listChangedEntries = ({ added = [], removed = [] }: FieldChange) => [
  ...added.map((entry) => `＋${entry}`),
  ...removed.map((entry) => `－${entry}`),
]
