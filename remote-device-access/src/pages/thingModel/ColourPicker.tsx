import Button from 'antd/es/button'
import ColorPicker from 'antd/es/color-picker'
import type { ColorPickerProps } from 'antd'
import {
  useEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { retryEachFrame } from '@iot/shared/ui/whenDrawn'
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
  emptyLabel: string
  size?: 'small'
  onClose?: () => void
  renderPanel?: (panelContent: ReactNode, close: () => void) => ReactNode
}

/**
 * A button that shows a colour and opens a picker. Opened by keyboard, the picker has the focus at once; Escape returns
 * the focus to the button.
 */
export function ColourPicker({
  id,
  label,
  value,
  emptyLabel,
  size,
  disabled,
  onClose,
  renderPanel = (panelContent) => panelContent,
  ...rest
}: ColourPickerProps) {
  const [isOpen, setOpen] = useState(false)
  const buttonRef = useRef<HTMLButtonElement>(null)
  const panelRef = useRef<HTMLDivElement>(null)
  const wasOpenedByKeyboard = useRef(false)
  useEffect(() => {
    if (!isOpen || !wasOpenedByKeyboard.current) return
    return retryEachFrame(() => {
      const firstInput = panelRef.current?.querySelector<HTMLElement>('input:not([role=combobox])')
      firstInput?.focus()
      return !!firstInput && document.activeElement === firstInput
    })
  }, [isOpen])
  const changeOpen = (isNowOpen: boolean) => {
    setOpen(isNowOpen)
    if (!isNowOpen) onClose?.()
  }
  const close = () => {
    changeOpen(false)
    buttonRef.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    // The event stops here, so that the dialog below stays open.
    event.stopPropagation()
    close()
  }
  // Leaving the picker with Tab closes it.
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget && !currentTarget.contains(relatedTarget)) changeOpen(false)
  }
  return (
    <ColorPicker
      {...rest}
      disabled={disabled}
      disabledAlpha
      value={value || null}
      open={isOpen}
      onOpenChange={changeOpen}
      panelRender={(panelContent) => (
        <div role="dialog" aria-label={label} onKeyDown={onKeyDown} onBlur={onBlur} ref={panelRef}>
          {renderPanel(panelContent, close)}
        </div>
      )}
    >
      <Button
        ref={buttonRef}
        id={id}
        size={size}
        disabled={disabled}
        aria-label={`${label}，${value || emptyLabel}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClickCapture={({ detail }) => (wasOpenedByKeyboard.current = detail === 0)}
        icon={<span className={styles.colour} style={{ background: value }} />}
      >
        {value || emptyLabel}
      </Button>
    </ColorPicker>
  )
}
