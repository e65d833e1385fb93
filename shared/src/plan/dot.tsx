import * as styles from './dot.module.css'

const classByLook = {
  on: styles.on,
  off: styles.off,
  pending: styles.pending,
  stale: styles.stale,
  offline: styles.offline,
  inactive: styles.inactive,
  protected: styles.protected,
  held: styles.held,
}
export type DotLook = keyof typeof classByLook

/** Draws the sign of a state beside its text, in the style of the floor plan. */
export const Dot = ({ look }: { look: DotLook }) => (
  <i className={`${styles.dot} ${classByLook[look]}`} aria-hidden />
)
