import type { ReactNode } from 'react'
import * as styles from './notice.module.css'

type NoticeProps = {
  /** `main` is for a notice that is the whole page. */
  as?: 'main' | 'section'
  title: string
  hint?: ReactNode
  details?: Record<string, string | undefined>
  children?: ReactNode
}

/** Shows why there is no other content. It uses no images, because it must render when no other file loads. */
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
