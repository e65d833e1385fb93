import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { Link, useLocation, useMatches } from 'react-router-dom'
import { menuAtom, routeNameAtom } from '@iot/shared/session/permission'
import { visuallyHidden } from '@iot/shared/ui/unseen'
import { usePageTitle } from '../usePageTitle'
import { findMenuPath } from './menuPath'
import * as styles from './layout.module.css'

/** Shows the menu's folders and page of the current address, and the title of a screen below that page. */
export function Breadcrumbs() {
  const { pathname } = useLocation()
  const menuTrail = findMenuPath(useAtomValue(menuAtom), pathname)
  const title = (useMatches().at(-1)?.handle as { title?: string } | undefined)?.title
  const setRouteName = useSetAtom(routeNameAtom)
  const page = menuTrail.at(-1)
  const isSubPage = page !== undefined && page.path !== pathname

  useEffect(() => setRouteName(page?.routeName ?? ''), [page?.routeName, setRouteName])

  const items = [
    ...menuTrail.map(({ id, type, name, path }) => ({
      key: id,
      title: isSubPage && type === 'page' ? <Link to={path}>{name}</Link> : name,
    })),
    ...((isSubPage || !page) && title ? [{ key: 'here', title }] : []),
  ]
  const currentTitle = isSubPage || !page ? title : page.name
  usePageTitle(currentTitle)
  return (
    <>
      {/* Screen readers get a heading here, because the last crumb is the title only visually. */}
      {currentTitle && <h1 style={visuallyHidden}>{currentTitle}</h1>}
      <nav className={styles.crumbs} aria-label="当前位置">
        <ol>
          {items.map(({ key, title }) => (
            <li key={key}>{title}</li>
          ))}
        </ol>
      </nav>
    </>
  )
}
