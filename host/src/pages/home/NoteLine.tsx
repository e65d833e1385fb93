import type { ReactNode } from 'react'
import * as styles from './noteLine.module.css'

type NoteLineProps = {
  title: string
  /** Name of its kind for screen readers. */
  kind: string
  /** Shown instead of the title, where the title is long. */
  shortTitle?: string
  /** Button or tag beside the title. */
  action: ReactNode
  reason?: string
  children: ReactNode
}

/** One entry of the cards of home that list notes, held places and delayed commands. */
export const NoteLine = ({
  title,
  kind,
  shortTitle = title,
  action,
  reason,
  children,
}: NoteLineProps) => (
  <article className={styles.line} aria-label={`${title}，${kind}`}>
    <div className={styles.head}>
      <strong title={title}>{shortTitle}</strong>
      {action}
    </div>
    {children}
    {reason && <div className={styles.more}>{reason}</div>}
  </article>
)
