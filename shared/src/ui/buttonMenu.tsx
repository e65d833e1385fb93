import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import Dropdown from 'antd/es/dropdown'
import type { DropdownProps } from 'antd'
import {
  cloneElement,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
} from 'react'
import { retryEachFrame } from './whenDrawn'
import * as styles from './buttonMenu.module.css'

export type MenuEntry =
  | {
      label: string
      icon?: ReactNode
      danger?: boolean
      /** Reason why the entry is disabled, shown below its label. */
      why?: string | false
      onClick: () => unknown
    }
  | { heading: ReactNode }
  | 'divider'

type OpenerProps = {
  onClickCapture?: (event: MouseEvent<HTMLElement>) => void
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
}
type ButtonMenuProps = Pick<DropdownProps, 'placement' | 'getPopupContainer'> & {
  entries: MenuEntry[]
  disabled?: boolean
  onOpenChange?: (isOpen: boolean) => void
  children: ReactElement<OpenerProps>
}

/**
 * Menu below a button. After opening by keyboard the arrow keys move inside it at once; a choice, Esc and Tab return
 * the focus to the button. Disabled entries stay readable with their reason.
 * @example <ButtonMenu entries={[{ label: '删除', why: refusal(brandApi.remove), danger: true, onClick: remove
 * }]}><Button>更多</Button></ButtonMenu>
 */
export function ButtonMenu({
  entries,
  onOpenChange,
  children,
  ...placementProps
}: ButtonMenuProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const openerElement = useRef<HTMLElement>(null)
  /** Entry that the keyboard focuses first; a pointer leaves the focus unchanged. */
  const focusTarget = useRef<'first' | 'last'>(undefined)

  const changeOpen = (nextOpen: boolean) => {
    // The focus would be lost when the menu closes.
    if (!nextOpen && document.getElementById(id)?.contains(document.activeElement))
      openerElement.current?.focus()
    setOpen(nextOpen)
    onOpenChange?.(nextOpen)
  }
  /** Focuses an entry and returns true if the menu contains the focus. */
  const focusEntry = () => {
    const menu = document.getElementById(id)
    const entryElements = [...(menu?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    entryElements.at(focusTarget.current === 'last' ? -1 : 0)?.focus()
    return menu?.contains(document.activeElement)
  }
  const focusEntryWhenDrawn = useEffectEvent(() =>
    focusTarget.current ? retryEachFrame(focusEntry) : undefined,
  )
  useEffect(() => (isOpen ? focusEntryWhenDrawn() : undefined), [isOpen])

  const handleOpenerClick = useMemoizedFn(({ currentTarget, detail }: MouseEvent<HTMLElement>) => {
    openerElement.current = currentTarget
    focusTarget.current = detail === 0 ? 'first' : undefined
  })
  const handleOpenerKeyDown = useMemoizedFn((event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    openerElement.current = event.currentTarget
    focusTarget.current = event.key === 'ArrowUp' ? 'last' : 'first'
    if (isOpen) focusEntry()
    else changeOpen(true)
  })

  const items = entries.map((entry, index) => {
    if (entry === 'divider') return { type: 'divider' as const, key: index }
    if ('heading' in entry) return { type: 'group' as const, key: index, label: entry.heading }
    const { why: disabledReason, onClick, label, ...rest } = entry
    if (!disabledReason)
      return {
        ...rest,
        key: label,
        label,
        onClick: () => {
          changeOpen(false)
          // A dialog opened by the entry returns the focus to the button.
          openerElement.current?.focus()
          onClick()
        },
      }
    const reason = (
      <>
        {label}
        <small className={styles.why}>{disabledReason}</small>
      </>
    )
    return { ...rest, key: label, label: reason, disabled: true, tabIndex: -1 }
  })

  return (
    <Dropdown
      {...placementProps}
      trigger={['click']}
      open={isOpen}
      // A chosen entry closes the menu, a disabled one does not.
      onOpenChange={(nextOpen, { source }) => source === 'trigger' && changeOpen(nextOpen)}
      menu={{
        id,
        items,
        className: styles.menu,
        onKeyDown: (event) => {
          if (event.key === ' ') {
            event.preventDefault()
            ;(event.target as HTMLElement).click()
          }
          if (event.key !== 'Tab') return
          // Tab continues from the button to its neighbour.
          event.stopPropagation()
          openerElement.current?.focus()
          changeOpen(false)
        },
      }}
    >
      {cloneElement(children, {
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        // The capture phase runs before the menu opens, which is rendered synchronously.
        onClickCapture: handleOpenerClick,
        onKeyDown: handleOpenerKeyDown,
      })}
    </Dropdown>
  )
}
