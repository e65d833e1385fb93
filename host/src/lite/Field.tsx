import { type ComponentProps, useState } from 'react'
import * as styles from './lite.module.css'

type FieldProps = ComponentProps<'input'> & {
  name: string
  label: string
  /** The error is shown above the note. */
  error?: string
  note?: string
}

/** A labelled field that looks like antd's large input but does not load it. */
export function Field({ label, error, note, type, ...input }: FieldProps) {
  const [isShown, setShown] = useState(false)
  const { name } = input
  const descriptionId = `${name}-said`
  const isSecret = type === 'password'
  return (
    <div className={styles.field}>
      <label htmlFor={name}>{label}</label>
      <div className={isSecret ? styles.box : undefined}>
        <input
          id={name}
          type={isShown ? 'text' : type}
          spellCheck={false}
          autoCapitalize="none"
          aria-invalid={error !== undefined}
          aria-describedby={descriptionId}
          {...input}
        />
        {isSecret && (
          <button
            type="button"
            className={styles.show}
            // The button's label omits the field's label, so that a search by label finds only the field.
            aria-label="显示所输内容"
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
          >
            <EyeIcon crossed={!isShown} />
          </button>
        )}
      </div>
      <div id={descriptionId} className={styles.note}>
        <div role="alert" className={styles.error}>
          {error}
        </div>
        {note}
      </div>
    </div>
  )
}

const EyeIcon = ({ crossed }: { crossed: boolean }) => (
  <svg
    width="16"
    height="16"
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.2"
    aria-hidden
  >
    <path d="M1.2 8S3.6 3.3 8 3.3 14.8 8 14.8 8 12.4 12.7 8 12.7 1.2 8 1.2 8Z" />
    <circle cx="8" cy="8" r="2.1" />
    {crossed && <path d="M3 13.2 13 2.8" />}
  </svg>
)
