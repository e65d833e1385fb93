import * as styles from './waitingLines.module.css'

/** Stands for lines that are being read, where antd's skeleton would come before the first row. */
export const WaitingLines = ({ lines }: { lines: number }) => (
  <div className={styles.lines} aria-hidden>
    {Array.from({ length: lines }, (_, line) => (
      <i key={line} />
    ))}
  </div>
)
