import * as styles from './waitingLines.module.css'

/** Placeholder for loading lines; antd's skeleton would have to be loaded before the first row. */
export const LoadingLines = ({ lines }: { lines: number }) => (
  <div className={styles.lines} aria-hidden>
    {Array.from({ length: lines }, (_, line) => (
      <i key={line} />
    ))}
  </div>
)

/** @deprecated Use {@link LoadingLines}; kept for remotes that were built before. */
export const WaitingLines = LoadingLines
