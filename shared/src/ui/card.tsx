import type { ReactNode } from 'react'
import * as styles from './card.module.css'

type CardProps = {
  title?: ReactNode
  /** The content is placed at the right of the title. */
  extra?: ReactNode
  /** The class applies to the content below the title. */
  bodyClass?: string
  'aria-busy'?: boolean
  children: ReactNode
}

/** A framed part of a page. It looks like antd's card, which would load the tabs component too. */
export const Card = ({ title, extra, bodyClass = '', children, ...rest }: CardProps) => (
  <div data-card className={styles.card} {...rest}>
    {(title || extra) && (
      <div data-card-head className={styles.head}>
        <div className={styles.title}>{title}</div>
        {extra}
      </div>
    )}
    <div data-card-body className={`${styles.body} ${bodyClass}`}>
      {children}
    </div>
  </div>
)
