import { SearchOutlined } from '@ant-design/icons'
import { Empty, Input, Modal } from 'antd'
import { type KeyboardEvent, useCallback, useEffect, useState } from 'react'
import { unseen } from '@iot/shared/ui/unseen'
import { FailedLine } from '@iot/shared/ui/usePage'
import type { Ahead } from './typeAhead'
import { type Hit, type Kind, useHits } from './useHits'
import * as styles from './search.module.css'

const none: ReadonlySet<Kind> = new Set()

type GlobalSearchProps = { takeAhead: () => Ahead | undefined; onClose: () => void }

/**
 * Finds everything that has a name; Enter opens it. `takeAhead` hands over once the text typed before the box was
 * ready.
 */
export default function GlobalSearch({ takeAhead, onClose }: GlobalSearchProps) {
  const [typed, setTyped] = useState('')
  // The choice is stored by key, because later results may be inserted before it.
  const [chosenKey, setChosenKey] = useState<string>()
  const [whole, setWhole] = useState(none)
  const showWhole = useCallback((kind: Kind) => setWhole((shown) => new Set(shown).add(kind)), [])
  const { hits, loading, failed, retry } = useHits(typed, whole, showWhole)

  const chosen = Math.max(
    0,
    hits.findIndex(({ key }) => key === chosenKey),
  )

  const open = (hit?: Hit) => {
    if (!hit) return
    hit.open()
    if (!hit.key.startsWith('more ')) onClose()
  }
  // Enter was pressed before any result had arrived.
  const [isHurried, setHurried] = useState(false)
  useEffect(() => {
    // This waits for all results, because the first to arrive may not be the first of the list.
    if (isHurried && !loading) open(hits[0])
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `open` is the same function anew.
  }, [isHurried, loading, hits])
  const takeOver = () => {
    const ahead = takeAhead()
    if (!ahead?.text) return
    setTyped(ahead.text)
    setHurried(ahead.isEntered)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      setHurried(false)
      setChosenKey(hits[(chosen + step + hits.length) % Math.max(1, hits.length)]?.key)
    }
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    if (hits.length === 0) setHurried(loading)
    else open(hits[chosen])
  }

  return (
    <Modal
      open
      footer={null}
      closable={false}
      width={560}
      style={{ top: 72 }}
      styles={{ container: { padding: 8 }, header: unseen }}
      onCancel={onClose}
      title="搜索"
    >
      <Input
        autoFocus
        size="large"
        variant="borderless"
        prefix={<SearchOutlined />}
        placeholder="搜菜单、项目、场景、楼层、区域、设备，可用拼音首字母"
        aria-label="搜索"
        role="combobox"
        aria-expanded
        aria-controls="search-hits"
        aria-activedescendant={hits[chosen] && `hit-${chosen}`}
        value={typed}
        onKeyDown={onKeyDown}
        onFocus={takeOver}
        onChange={({ target }) => {
          setTyped(target.value)
          setChosenKey(undefined)
          setHurried(false)
          setWhole(none)
        }}
      />
      <ul id="search-hits" role="listbox" className={styles.hits}>
        {hits.map((hit, index) => (
          <li
            key={hit.key}
            id={`hit-${index}`}
            role="option"
            aria-selected={index === chosen}
            ref={(row) => {
              if (index === chosen) row?.scrollIntoView({ block: 'nearest' })
            }}
            onMouseMove={() => setChosenKey(hit.key)}
            onClick={() => open(hit)}
          >
            {hits[index - 1]?.kind !== hit.kind && <span className={styles.kind}>{hit.kind}</span>}
            <span className={styles.hit}>
              {hit.icon ?? <span className="anticon" style={{ width: '1em' }} />}
              <span>{hit.name}</span>
              <small>{hit.detail}</small>
            </span>
          </li>
        ))}
      </ul>
      {failed && (
        <FailedLine
          why={failed.message}
          hasRows={false}
          onRetry={() => {
            setHurried(false)
            retry()
          }}
        />
      )}
      {hits.length === 0 && !failed && (
        <Empty
          image={Empty.PRESENTED_IMAGE_SIMPLE}
          description={loading ? '正在查找…' : `没有找到“${typed}”`}
        />
      )}
    </Modal>
  )
}
