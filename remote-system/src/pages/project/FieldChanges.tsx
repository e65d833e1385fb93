import type { FieldChange } from '@iot/shared/contract/control/snapshot.schema'
import * as styles from './project.module.css'

/** 名称：甲 → 乙；排序：1 → 2 */
export const FieldChanges = ({ fields = [] }: { fields?: FieldChange[] }) =>
  fields.length > 0 && (
    <span className={styles.hint}>
      {fields
        .map(({ title, before, after }) => `${title}：${before || '空'} → ${after || '空'}`)
        .join('；')}
    </span>
  )
