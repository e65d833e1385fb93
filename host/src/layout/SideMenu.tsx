import { Menu, type MenuProps, Skeleton } from 'antd'
import { useAtomValue } from 'jotai'
import { lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router-dom'
import type { MenuNode } from '@iot/shared/contract/menuNode'
import { mapTree } from '@iot/shared/contract/tree'
import { servedMenuAtom } from '../federation/served'
import { idle } from './idle'
import { menuPath } from './menuPath'
import * as styles from './layout.module.css'

// Pictures that the first row of a list need not wait for.
const MenuIcon = lazy<ComponentType<{ name: string; instead: ReactNode }>>(() =>
  idle()
    .then(() => import('@iot/shared/ui/menuIcon'))
    .then(
      ({ MenuIcon }) => ({ default: ({ name }) => <MenuIcon name={name} /> }),
      // A menu without pictures is still a menu.
      () => ({ default: ({ instead }) => instead }),
    ),
)

type SideMenuProps = {
  failed: boolean
  /** Folded, what lies below opens beside the icon, when it is pointed at. */
  folded?: boolean
  onRetry: () => void
  onChosen?: () => void
}

/** What the platform lets this user reach. */
export function SideMenu({ failed, folded, onRetry, onChosen }: SideMenuProps) {
  const menu = useAtomValue(servedMenuAtom)
  const path = menuPath(menu, useLocation().pathname)
  const [chosenKeys, setOpenKeys] = useState<string[]>()
  const openKeys = chosenKeys ?? path.slice(0, -1).map(({ id }) => id)
  if (menu.length === 0)
    return failed ? (
      <p className={styles.menuFailed}>
        菜单没有取到
        <br />
        <a onClick={onRetry}>重试</a>
      </p>
    ) : (
      <Skeleton active title={false} paragraph={{ rows: 6 }} className={styles.menuLoading} />
    )
  return (
    <nav aria-label="主菜单">
      <Menu
        mode="inline"
        items={mapTree(menu, ({ children }) => children, itemOf(folded))}
        selectedKeys={path.slice(-1).map(({ id }) => id)}
        {...(!folded && { openKeys, onOpenChange: setOpenKeys })}
        onClick={onChosen}
      />
    </nav>
  )
}

type Item = Required<MenuProps>['items'][number]
const itemOf =
  (folded?: boolean) =>
  (node: MenuNode, children: Item[]): Item => {
    // Folded, there is nothing else to tell them apart.
    const instead = (
      <span className="anticon" aria-hidden>
        {folded ? node.name.slice(0, 1) : '\u3000'}
      </span>
    )
    return {
      key: node.id,
      icon: (
        <Suspense fallback={instead}>
          <MenuIcon name={node.icon} instead={instead} />
        </Suspense>
      ),
      ...(node.type === 'page'
        ? { label: <Link to={node.path}>{node.name}</Link>, title: node.name }
        : { label: node.name, children }),
    }
  }
