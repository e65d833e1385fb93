import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { Link, useLocation, useMatches } from 'react-router-dom'
import { menuAtom, routeNameAtom } from '@iot/shared/session/permission'
import { unseen } from '@iot/shared/ui/unseen'
import { usePageTitle } from '../pageTitle'
import { menuPath } from './menuPath'
import * as styles from './layout.module.css'

/** Shows the menu's folders and page of the current address, and the title of a screen below that page. */
export function Crumbs() {
  const { pathname } = useLocation()
  const line = menuPath(useAtomValue(menuAtom), pathname)
  const title = (useMatches().at(-1)?.handle as { title?: string } | undefined)?.title
  const setRouteName = useSetAtom(routeNameAtom)
  const page = line.at(-1)
  const isBelow = page !== undefined && page.path !== pathname

  useEffect(() => setRouteName(page?.routeName ?? ''), [page?.routeName, setRouteName])

  const items = [
    ...line.map(({ id, type, name, path }) => ({
      key: id,
      title: isBelow && type === 'page' ? <Link to={path}>{name}</Link> : name,
    })),
    ...((isBelow || !page) && title ? [{ key: 'here', title }] : []),
  ]
  const here = isBelow || !page ? title : page.name
  usePageTitle(here)
  return (
    <>
      {/* Screen readers get a heading here, because the last crumb is the title only visually. */}
      {here && <h1 style={unseen}>{here}</h1>}
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
