import * as styles from './waitingLines.module.css'

/** Placeholder for loading lines; antd's skeleton would have to be loaded before the first row. */
export const WaitingLines = ({ lines }: { lines: number }) => (
  <div className={styles.lines} aria-hidden>
    {Array.from({ length: lines }, (_, line) => (
      <i key={line} />
    ))}
  </div>
)
