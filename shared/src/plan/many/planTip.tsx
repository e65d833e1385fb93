import type { ReactNode } from 'react'
import * as styles from './planTip.module.css'

type PlanTipProps = { x: number; y: number; children: ReactNode }

/** Names the device under the mouse, above its position in pixels; a screen reader gets the name elsewhere. */
export const PlanTip = ({ x, y, children }: PlanTipProps) => (
  <div className={styles.tip} style={{ left: x, top: y }} aria-hidden>
    {children}
  </div>
)
