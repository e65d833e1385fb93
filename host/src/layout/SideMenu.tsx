import DownOutlined from '@ant-design/icons/DownOutlined'
import Dropdown from 'antd/es/dropdown'
import type { MenuProps } from 'antd'
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
import type { MenuNode } from '@iot/shared/contract/access/menuNode.schema'
import { mapTree } from '@iot/shared/contract/tree'
import { LoadingLines } from '@iot/shared/ui/waitingLines'
import { servedMenuAtom } from './servedMenu'
import { idle } from './idle'
import { findMenuPath } from './menuPath'
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
  const state = useMenuState(menu, folded)
  const { openFolderIds, setFocusedId } = state
  if (menu.length === 0)
    return failed ? (
      <p className={styles.failed}>
        菜单没有取到
        <br />
        <a onClick={onRetry}>重试</a>
      </p>
    ) : (
      <div className={styles.loading}>
        <LoadingLines lines={6} />
      </div>
    )

  const renderEntries = (nodes: MenuNode[], depth = 0) =>
    nodes.map((node) => (
      <li key={node.id} role="none">
        <MenuEntry node={node} depth={depth} folded={folded} state={state} onChosen={onChosen} />
        {!folded && openFolderIds.includes(node.id) && (
          <ul role="menu" aria-label={node.name}>
            {renderEntries(node.children, depth + 1)}
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
        onKeyDown={handleMenuKeys}
        onBlur={({ currentTarget, relatedTarget }) =>
          currentTarget.contains(relatedTarget) || setFocusedId(undefined)
        }
      >
        {renderEntries(menu)}
      </ul>
    </nav>
  )
}

/** Returns which folders are open, which line has the focus and which one can take it by Tab. */
function useMenuState(menu: MenuNode[], isFolded: boolean) {
  const pathIds = findMenuPath(menu, useLocation().pathname).map(({ id }) => id)
  const [toggledFolderIds, setToggledFolderIds] = useState<string[]>()
  const openFolderIds = toggledFolderIds ?? pathIds.slice(0, -1)
  const [focusedId, setFocusedId] = useState<string>()
  /** This folder is open beside the folded menu; it takes the focus only if it was opened by a press. */
  const [flyout, setFlyout] = useState<{ id: string; isPressed: boolean }>()
  const toggleFolder = (id: string) =>
    setToggledFolderIds(
      openFolderIds.includes(id)
        ? openFolderIds.filter((openFolderId) => openFolderId !== id)
        : [...openFolderIds, id],
    )
  const listVisibleIds = (nodes: MenuNode[]): string[] =>
    nodes.flatMap(({ id, children }) => [
      id,
      ...(!isFolded && openFolderIds.includes(id) ? listVisibleIds(children) : []),
    ])
  const visibleIds = listVisibleIds(menu)
  const tabStopId =
    [focusedId, ...pathIds.toReversed()].find((id) => id && visibleIds.includes(id)) ??
    visibleIds[0]

  return { pathIds, openFolderIds, toggleFolder, tabStopId, setFocusedId, flyout, setFlyout }
}
type MenuState = ReturnType<typeof useMenuState>

type MenuEntryProps = {
  node: MenuNode
  depth: number
  folded: boolean
  state: MenuState
  onChosen?: () => void
}

/** Shows one line of the menu: a link to a page, or a button that opens a folder. */
function MenuEntry({ node, depth, folded, state, onChosen }: MenuEntryProps) {
  const { pathIds, openFolderIds, toggleFolder, tabStopId, setFocusedId, flyout, setFlyout } = state
  const { id, name, icon } = node
  const entryProps = {
    role: 'menuitem',
    className: styles.line,
    tabIndex: id === tabStopId ? 0 : -1,
    onFocus: () => setFocusedId(id),
    // A folded line has no visible text, so its name must be given as label and title.
    ...(folded && { 'aria-label': name }),
    title: name,
  }
  const style = folded ? undefined : { paddingInlineStart: 12 + depth * 24 }
  const entryContent = (
    <>
      <EntryIcon name={icon} instead={folded ? name.slice(0, 1) : '\u3000'} />
      {!folded && <span>{name}</span>}
    </>
  )
  if (node.type === 'page')
    return (
      <div {...entryProps} aria-current={pathIds.at(-1) === id ? 'page' : undefined}>
        <Link to={node.path} style={style} tabIndex={-1} aria-label={name} onClick={onChosen}>
          {entryContent}
        </Link>
      </div>
    )
  const isActiveFolder = pathIds.slice(0, -1).includes(id)
  if (folded)
    return (
      <FolderFlyout node={node} state={state} onChosen={onChosen}>
        <button
          type="button"
          {...entryProps}
          aria-haspopup="menu"
          aria-expanded={flyout?.id === id}
          data-on={isActiveFolder || undefined}
          onClick={() => setFlyout({ id, isPressed: true })}
        >
          {entryContent}
        </button>
      </FolderFlyout>
    )
  return (
    <button
      type="button"
      {...entryProps}
      style={style}
      aria-expanded={openFolderIds.includes(id)}
      data-on={isActiveFolder || undefined}
      onClick={() => toggleFolder(id)}
    >
      {entryContent}
      <DownOutlined className={styles.arrow} />
    </button>
  )
}

type FolderFlyoutProps = Pick<MenuEntryProps, 'node' | 'state' | 'onChosen'> & {
  children: ReactNode
}

/** Opens the entries of a folder beside its icon in the folded menu. */
function FolderFlyout({ node, state, onChosen, children }: FolderFlyoutProps) {
  const { pathIds, flyout, setFlyout } = state
  const { id } = node
  return (
    <Dropdown
      placement="rightTop"
      trigger={['hover']}
      // A delayed hover would open the folder again after a quick press closed it.
      mouseEnterDelay={0}
      open={flyout?.id === id}
      onOpenChange={(isOpen) => setFlyout(isOpen ? { id, isPressed: false } : undefined)}
      autoFocus={flyout?.isPressed}
      menu={{
        items: mapTree(node.children, ({ children }) => children, toMenuItem),
        selectedKeys: pathIds,
        onClick: () => {
          setFlyout(undefined)
          onChosen?.()
        },
      }}
    >
      {children}
    </Dropdown>
  )
}

/** Arrow up and down, Home and End move between lines; right opens a folder, left closes it or moves to its parent. */
function handleMenuKeys(event: KeyboardEvent<HTMLElement>) {
  // Combinations with a modifier key belong to the browser, for example Back or opening a new tab.
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')]
  const focusedEntry = (event.target as HTMLElement).closest<HTMLElement>('[role=menuitem]')
  const index = entries.indexOf(focusedEntry!)
  if (!focusedEntry || index === -1) return
  const expanded = focusedEntry.getAttribute('aria-expanded')
  const activateEntry = () => (focusedEntry.querySelector('a') ?? focusedEntry).click()
  const keyHandlers: Record<string, () => void> = {
    ArrowDown: () => entries[(index + 1) % entries.length]!.focus(),
    ArrowUp: () => entries.at(index - 1)!.focus(),
    Home: () => entries[0]!.focus(),
    End: () => entries.at(-1)!.focus(),
    Enter: activateEntry,
    ' ': activateEntry,
    ArrowRight: () =>
      expanded === 'false' ? focusedEntry.click() : expanded && entries[index + 1]?.focus(),
    ArrowLeft: () => {
      if (expanded === 'true') return focusedEntry.click()
      const parentEntry = focusedEntry.closest('ul')?.previousElementSibling
      if (parentEntry instanceof HTMLElement) parentEntry.focus()
    },
  }
  const handleKey = keyHandlers[event.key]
  if (!handleKey) return
  event.preventDefault()
  handleKey()
}

const EntryIcon = ({ name, instead }: { name: string; instead: string }) => {
  const iconPlaceholder = (
    <span className="anticon" aria-hidden>
      {instead}
    </span>
  )
  return (
    <Suspense fallback={iconPlaceholder}>
      <MenuIcon name={name} instead={iconPlaceholder} />
    </Suspense>
  )
}

type MenuItem = Required<MenuProps>['items'][number]
const toMenuItem = (node: MenuNode, children: MenuItem[]): MenuItem => ({
  key: node.id,
  ...(node.type === 'page'
    ? { label: <Link to={node.path}>{node.name}</Link> }
    : { label: node.name, children }),
})
