import Tooltip from 'antd/es/tooltip'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import * as styles from './listTabs.module.css'

type ListTab = { key: string; label: string; content: ReactNode; refusal?: string | undefined }
type ListTabsProps = { items: ListTab[] }

/**
 * Lists that share an address, selected by `?tab=`; the first one is the default. antd's Tabs would have to be loaded
 * before the first row.
 */
export function ListTabs({ items }: ListTabsProps) {
  const [params] = useSearchParams()
  const requestedKey = params.get('tab')
  const tab = items.find(({ key, refusal }) => key === requestedKey && !refusal) ?? items[0]!
  const toSearch = (key: string) => (key === items[0]!.key ? '' : `?tab=${key}`)
  return (
    <>
      <nav className={styles.tabs} aria-label="列表">
        {items.map(({ key, label, refusal }) =>
          refusal ? (
            <Tooltip key={key} title={refusal}>
              <span aria-disabled>{label}</span>
            </Tooltip>
          ) : (
            <Link
              key={key}
              to={{ search: toSearch(key) }}
              aria-current={key === tab.key ? 'page' : undefined}
            >
              {label}
            </Link>
          ),
        )}
      </nav>
      {tab.content}
    </>
  )
}
