import * as styles from './layout.module.css'

/** A line that runs while the code of a screen is on its way; what comes at once shows none. */
export const Opening = () => (
  <div className={styles.opening} role="progressbar" aria-label="正在打开" />
)
