import * as styles from './layout.module.css'

/** Shows a progress line while the code of a screen loads; a fast load shows none. */
export const ScreenLoadingBar = () => (
  <div className={styles.opening} role="progressbar" aria-label="正在打开" />
)
