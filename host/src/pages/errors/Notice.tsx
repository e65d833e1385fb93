import type { ReactNode } from 'react'
import * as styles from './notice.module.css'

type NoticeProps = {
  /** `main` where it is the whole page. */
  as?: 'main' | 'section'
  title: string
  hint?: ReactNode
  details?: Record<string, string | undefined>
  children?: ReactNode
}

/** A screen that says why there is nothing else to see. Drawn without pictures: it must be there when nothing else is. */
export const Notice = ({
  as: Frame = 'section',
  title,
  hint,
  details = {},
  children,
}: NoticeProps) => (
  <Frame>
    <div className={styles.notice} role="alert">
      <h1>{title}</h1>
      {hint && <p>{hint}</p>}
      <div className={styles.actions}>{children}</div>
      <dl>
        {Object.entries(details).map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </div>
  </Frame>
)
