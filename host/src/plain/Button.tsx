import type { ComponentProps } from 'react'
import * as styles from './plain.module.css'

type ButtonProps = ComponentProps<'button'> & {
  primary?: boolean
  /** As wide as what it stands in, and taller. */
  block?: boolean
  busy?: boolean
}

/** A button that looks like antd's and needs none of it: for login, and for where code did not come. */
export const Button = ({ primary, block, busy = false, onClick, ...button }: ButtonProps) => (
  <button
    type="button"
    {...button}
    className={[styles.button, primary && styles.primary, block && styles.block]
      .filter(Boolean)
      .join(' ')}
    aria-busy={busy}
    onClick={busy ? (event) => event.preventDefault() : onClick}
  />
)
