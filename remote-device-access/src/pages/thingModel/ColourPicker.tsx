import { Button, ColorPicker, type ColorPickerProps } from 'antd'
import {
  useEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { whenDrawn } from '@iot/shared/ui/whenDrawn'
import * as styles from './thingModel.module.css'

type ColourPickerProps = Pick<
  ColorPickerProps,
  'onChange' | 'allowClear' | 'presets' | 'format' | 'disabled'
> & {
  /** The form item sets the id. */
  id?: string
  label: string
  /** The value is a CSS colour; `undefined` means no colour. */
  value?: string
  /** This text is shown if there is no colour. */
  none: string
  size?: 'small'
  onClose?: () => void
  panel?: (panel: ReactNode, close: () => void) => ReactNode
}

/**
 * A button that shows a colour and opens a picker. Opened by keyboard, the picker has the focus at once; Escape returns
 * the focus to the button.
 */
export function ColourPicker({
  id,
  label,
  value,
  none,
  size,
  disabled,
  onClose,
  panel = (inside) => inside,
  ...rest
}: ColourPickerProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const typesAtOnce = useRef(false)
  useEffect(() => {
    if (!isOpen || !typesAtOnce.current) return
    return whenDrawn(() => {
      const field = box.current?.querySelector<HTMLElement>('input:not([role=combobox])')
      field?.focus()
      return !!field && document.activeElement === field
    })
  }, [isOpen])
  const open = (next: boolean) => {
    setOpen(next)
    if (!next) onClose?.()
  }
  const close = () => {
    open(false)
    button.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    // The event stops here, so that the dialog below stays open.
    event.stopPropagation()
    close()
  }
  // Leaving the picker with Tab closes it.
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget && !currentTarget.contains(relatedTarget)) open(false)
  }
  return (
    <ColorPicker
      {...rest}
      disabled={disabled}
      disabledAlpha
      value={value || null}
      open={isOpen}
      onOpenChange={open}
      panelRender={(inside) => (
        <div role="dialog" aria-label={label} onKeyDown={onKeyDown} onBlur={onBlur} ref={box}>
          {panel(inside, close)}
        </div>
      )}
    >
      <Button
        ref={button}
        id={id}
        size={size}
        disabled={disabled}
        aria-label={`${label}，${value || none}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClickCapture={({ detail }) => (typesAtOnce.current = detail === 0)}
        icon={<span className={styles.colour} style={{ background: value }} />}
      >
        {value || none}
      </Button>
    </ColorPicker>
  )
}
