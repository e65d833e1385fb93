import { DownOutlined } from '@ant-design/icons'
import { Dropdown, type MenuProps } from 'antd'
import { useAtomValue } from 'jotai'
import {
  lazy,
  Suspense,
  useState,
  type ComponentType,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { Link, useLocation } from 'react-router-dom'
import type { MenuNode } from '@iot/shared/contract/menuNode'
import { mapTree } from '@iot/shared/contract/tree'
import { WaitingLines } from '@iot/shared/ui/waitingLines'
import { servedMenuAtom } from '../federation/served'
import { idle } from './idle'
import { menuPath } from './menuPath'
import * as styles from './sideMenu.module.css'

// Menu icons load when idle, because the first row of a list must not wait for them.
const MenuIcon = lazy<ComponentType<{ name: string; instead: ReactNode }>>(() =>
  idle(300)
    .then(() => import('@iot/shared/ui/menuIcon'))
    .then(
      ({ MenuIcon }) => ({ default: ({ name }) => <MenuIcon name={name} /> }),
      // The menu stays usable without icons.
      () => ({ default: ({ instead }) => instead }),
    ),
)

type SideMenuProps = {
  failed: boolean
  /** A folded menu shows only icons, and the entries of a folder open beside its icon on hover. */
  folded?: boolean
  onRetry: () => void
  onChosen?: () => void
}

/**
 * Shows the menu that the platform grants this user, as one tab stop with arrow keys between lines. antd's menu would
 * add a twentieth to what a first list loads.
 */
export function SideMenu({ failed, folded = false, onRetry, onChosen }: SideMenuProps) {
  const menu = useAtomValue(servedMenuAtom)
  const path = menuPath(menu, useLocation().pathname).map(({ id }) => id)
  const [chosen, setOpen] = useState<string[]>()
  const open = chosen ?? path.slice(0, -1)
  const [reached, setReached] = useState<string>()
  /** This folder is open beside the folded menu; it takes the focus only if it was opened by a press. */
  const [beside, setBeside] = useState<{ id: string; isPressed: boolean }>()
  if (menu.length === 0)
    return failed ? (
      <p className={styles.failed}>
        菜单没有取到
        <br />
        <a onClick={onRetry}>重试</a>
      </p>
    ) : (
      <div className={styles.loading}>
        <WaitingLines lines={6} />
      </div>
    )

  const toggle = (id: string) =>
    setOpen(open.includes(id) ? open.filter((one) => one !== id) : [...open, id])
  const shown = (nodes: MenuNode[]): string[] =>
    nodes.flatMap(({ id, children }) => [
      id,
      ...(!folded && open.includes(id) ? shown(children) : []),
    ])
  const visible = shown(menu)
  const stop =
    [reached, ...path.toReversed()].find((id) => id && visible.includes(id)) ?? visible[0]

  const line = (node: MenuNode, depth: number) => {
    const { id, name, icon } = node
    const same = {
      role: 'menuitem',
      className: styles.line,
      tabIndex: id === stop ? 0 : -1,
      onFocus: () => setReached(id),
      // A folded line has no visible text, so its name must be given as label and title.
      ...(folded && { 'aria-label': name }),
      title: name,
    }
    const style = folded ? undefined : { paddingInlineStart: 12 + depth * 24 }
    const words = (
      <>
        <Picture name={icon} instead={folded ? name.slice(0, 1) : '\u3000'} />
        {!folded && <span>{name}</span>}
      </>
    )
    if (node.type === 'page')
      return (
        <div {...same} aria-current={path.at(-1) === id ? 'page' : undefined}>
          <Link to={node.path} style={style} tabIndex={-1} aria-label={name} onClick={onChosen}>
            {words}
          </Link>
        </div>
      )
    const isOn = path.slice(0, -1).includes(id)
    if (folded)
      return (
        <Dropdown
          placement="rightTop"
          trigger={['hover']}
          // A delayed hover would open the folder again after a quick press closed it.
          mouseEnterDelay={0}
          open={beside?.id === id}
          onOpenChange={(isOpen) => setBeside(isOpen ? { id, isPressed: false } : undefined)}
          autoFocus={beside?.isPressed}
          menu={{
            items: mapTree(node.children, ({ children }) => children, itemOf),
            selectedKeys: path,
            onClick: () => {
              setBeside(undefined)
              onChosen?.()
            },
          }}
        >
          <button
            type="button"
            {...same}
            aria-haspopup="menu"
            aria-expanded={beside?.id === id}
            data-on={isOn || undefined}
            onClick={() => setBeside({ id, isPressed: true })}
          >
            {words}
          </button>
        </Dropdown>
      )
    return (
      <button
        type="button"
        {...same}
        style={style}
        aria-expanded={open.includes(id)}
        data-on={isOn || undefined}
        onClick={() => toggle(id)}
      >
        {words}
        <DownOutlined className={styles.arrow} />
      </button>
    )
  }
  const lines = (nodes: MenuNode[], depth = 0) =>
    nodes.map((node) => (
      <li key={node.id} role="none">
        {line(node, depth)}
        {!folded && open.includes(node.id) && (
          <ul role="menu" aria-label={node.name}>
            {lines(node.children, depth + 1)}
          </ul>
        )}
      </li>
    ))

  return (
    <nav aria-label="主菜单">
      <ul
        role="menu"
        aria-label="主菜单"
        className={styles.menu}
        onKeyDown={byKeys}
        onBlur={({ currentTarget, relatedTarget }) =>
          currentTarget.contains(relatedTarget) || setReached(undefined)
        }
      >
        {lines(menu)}
      </ul>
    </nav>
  )
}

/** Arrow up and down, Home and End move between lines; right opens a folder, left closes it or moves to its parent. */
function byKeys(event: KeyboardEvent<HTMLElement>) {
  // Combinations with a modifier key belong to the browser, for example Back or opening a new tab.
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const lines = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')]
  const here = (event.target as HTMLElement).closest<HTMLElement>('[role=menuitem]')
  const at = lines.indexOf(here!)
  if (!here || at === -1) return
  const expanded = here.getAttribute('aria-expanded')
  const press = () => (here.querySelector('a') ?? here).click()
  const keys: Record<string, () => void> = {
    ArrowDown: () => lines[(at + 1) % lines.length]!.focus(),
    ArrowUp: () => lines.at(at - 1)!.focus(),
    Home: () => lines[0]!.focus(),
    End: () => lines.at(-1)!.focus(),
    Enter: press,
    ' ': press,
    ArrowRight: () => (expanded === 'false' ? here.click() : expanded && lines[at + 1]?.focus()),
    ArrowLeft: () => {
      if (expanded === 'true') return here.click()
      const around = here.closest('ul')?.previousElementSibling
      if (around instanceof HTMLElement) around.focus()
    },
  }
  const act = keys[event.key]
  if (!act) return
  event.preventDefault()
  act()
}

const Picture = ({ name, instead }: { name: string; instead: string }) => {
  const word = (
    <span className="anticon" aria-hidden>
      {instead}
    </span>
  )
  return (
    <Suspense fallback={word}>
      <MenuIcon name={name} instead={word} />
    </Suspense>
  )
}

type Item = Required<MenuProps>['items'][number]
const itemOf = (node: MenuNode, children: Item[]): Item => ({
  key: node.id,
  ...(node.type === 'page'
    ? { label: <Link to={node.path}>{node.name}</Link> }
    : { label: node.name, children }),
})
