import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { Link, useLocation, useMatches } from 'react-router-dom'
import { menuAtom, routeNameAtom } from '@iot/shared/session/permission'
import { unseen } from '@iot/shared/ui/unseen'
import { usePageTitle } from '../pageTitle'
import { menuPath } from './menuPath'
import * as styles from './layout.module.css'

/** Where one is: folders and page of the menu, then the title of a screen below the page. */
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
      {/* What is read out first; for the eye the last crumb is it. */}
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
