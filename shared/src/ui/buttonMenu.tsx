import { useMemoizedFn } from 'ahooks'
import { Dropdown, type DropdownProps } from 'antd'
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
import { whenDrawn } from './whenDrawn'
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

type Opener = {
  onClickCapture?: (event: MouseEvent<HTMLElement>) => void
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
}
type ButtonMenuProps = Pick<DropdownProps, 'placement' | 'getPopupContainer'> & {
  entries: MenuEntry[]
  disabled?: boolean
  onOpenChange?: (isOpen: boolean) => void
  children: ReactElement<Opener>
}

/**
 * Menu below a button. After opening by keyboard the arrow keys move inside it at once; a choice, Esc and Tab return
 * the focus to the button. Disabled entries stay readable with their reason.
 * @example <ButtonMenu entries={[{ label: '删除', why: refusal(brandApi.remove), danger: true, onClick: remove
 * }]}><Button>更多</Button></ButtonMenu>
 */
export function ButtonMenu({ entries, onOpenChange, children, ...place }: ButtonMenuProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLElement>(null)
  /** Entry that the keyboard focuses first; a pointer leaves the focus unchanged. */
  const way = useRef<'first' | 'last'>(undefined)

  const change = (next: boolean) => {
    // The focus would be lost when the menu closes.
    if (!next && document.getElementById(id)?.contains(document.activeElement))
      opener.current?.focus()
    setOpen(next)
    onOpenChange?.(next)
  }
  /** Focuses an entry and returns true if the menu contains the focus. */
  const enter = () => {
    const menu = document.getElementById(id)
    const all = [...(menu?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    all.at(way.current === 'last' ? -1 : 0)?.focus()
    return menu?.contains(document.activeElement)
  }
  const enterDrawn = useEffectEvent(() => (way.current ? whenDrawn(enter) : undefined))
  useEffect(() => (isOpen ? enterDrawn() : undefined), [isOpen])

  const takePress = useMemoizedFn(({ currentTarget, detail }: MouseEvent<HTMLElement>) => {
    opener.current = currentTarget
    way.current = detail === 0 ? 'first' : undefined
  })
  const takeArrow = useMemoizedFn((event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    opener.current = event.currentTarget
    way.current = event.key === 'ArrowUp' ? 'last' : 'first'
    if (isOpen) enter()
    else change(true)
  })

  const items = entries.map((entry, index) => {
    if (entry === 'divider') return { type: 'divider' as const, key: index }
    if ('heading' in entry) return { type: 'group' as const, key: index, label: entry.heading }
    const { why, onClick, label, ...rest } = entry
    if (!why)
      return {
        ...rest,
        key: label,
        label,
        onClick: () => {
          change(false)
          // A dialog opened by the entry returns the focus to the button.
          opener.current?.focus()
          onClick()
        },
      }
    const reason = (
      <>
        {label}
        <small className={styles.why}>{why}</small>
      </>
    )
    return { ...rest, key: label, label: reason, disabled: true, tabIndex: -1 }
  })

  return (
    <Dropdown
      {...place}
      trigger={['click']}
      open={isOpen}
      // A chosen entry closes the menu, a disabled one does not.
      onOpenChange={(next, { source }) => source === 'trigger' && change(next)}
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
          opener.current?.focus()
          change(false)
        },
      }}
    >
      {cloneElement(children, {
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        // The capture phase runs before the menu opens, which is rendered synchronously.
        onClickCapture: takePress,
        onKeyDown: takeArrow,
      })}
    </Dropdown>
  )
}
