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
  /** Given by the form's field. */
  id?: string
  label: string
  /** As pages write it; nothing where there is none. */
  value?: string
  /** What stands for it where there is none. */
  none: string
  size?: 'small'
  onClose?: () => void
  panel?: (panel: ReactNode, close: () => void) => ReactNode
}

/** A colour behind a button that says it. Opened by the keyboard it can be typed at once; Esc gives the focus back. */
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
    // The dialog below it stays.
    event.stopPropagation()
    close()
  }
  // Who goes on by Tab has left it.
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
