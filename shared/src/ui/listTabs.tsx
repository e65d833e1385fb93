import { Menu, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router-dom'

type ListTab = { key: string; label: string; content: ReactNode; refusal?: string | undefined }
type ListTabsProps = { items: ListTab[] }

/**
 * Lists that share an address and are told apart by `?tab=`; the first is open without. Drawn by the menu that the shell
 * brings anyway: antd's Tabs would come before the first row.
 */
export function ListTabs({ items }: ListTabsProps) {
  const [params] = useSearchParams()
  const asked = params.get('tab')
  const tab = items.find(({ key, refusal }) => key === asked && !refusal) ?? items[0]!
  const search = (key: string) => (key === items[0]!.key ? '' : `?tab=${key}`)
  return (
    <>
      <Menu
        mode="horizontal"
        disabledOverflow
        selectedKeys={[tab.key]}
        style={{ marginBottom: 16 }}
        items={items.map(({ key, label, refusal }) => ({
          key,
          disabled: refusal !== undefined,
          label: refusal ? (
            <Tooltip title={refusal}>{label}</Tooltip>
          ) : (
            <Link to={{ search: search(key) }}>{label}</Link>
          ),
        }))}
      />
      {tab.content}
    </>
  )
}
