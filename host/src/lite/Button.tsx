import type { ComponentProps } from 'react'
import * as styles from './lite.module.css'

type ButtonProps = ComponentProps<'button'> & {
  primary?: boolean
  /** The button takes the full width of its parent and is taller. */
  block?: boolean
  busy?: boolean
}

/** A button that looks like antd's but does not load it, for login and for failed loads. */
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
