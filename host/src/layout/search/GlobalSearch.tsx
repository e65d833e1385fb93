import useMemoizedFn from 'ahooks/es/useMemoizedFn'
import SearchOutlined from '@ant-design/icons/SearchOutlined'
import Empty from 'antd/es/empty'
import Input from 'antd/es/input'
import Modal from 'antd/es/modal'
import { useSetAtom } from 'jotai'
import { type KeyboardEvent, useCallback, useEffect, useState } from 'react'
import { visuallyHidden } from '@iot/shared/ui/unseen'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { rememberChoiceAtom } from './recentChoices'
import type { TypedInput } from './typeAhead'
import { type Hit, type HitKind, useSearchHits } from './useSearchHits'
import * as styles from './search.module.css'

const noKinds: ReadonlySet<HitKind> = new Set()

type GlobalSearchProps = { takeTypedInput: () => TypedInput | undefined; onClose: () => void }

/**
 * Finds everything that has a name; Enter opens it. `takeTypedInput` hands over once the text typed before the box was
 * ready.
 */
export default function GlobalSearch({ takeTypedInput, onClose }: GlobalSearchProps) {
  const [searchText, setSearchText] = useState('')
  // The choice is stored by key, because later results may be inserted before it.
  const [selectedKey, setSelectedKey] = useState<string>()
  const [expandedKinds, setExpandedKinds] = useState(noKinds)
  // Enter was pressed before any result had arrived.
  const [isEnterPending, setEnterPending] = useState(false)
  const expandKind = useCallback(
    (kind: HitKind) => setExpandedKinds((previousKinds) => new Set(previousKinds).add(kind)),
    [],
  )
  const changeText = (text: string) => {
    setSearchText(text)
    setSelectedKey(undefined)
    setEnterPending(false)
    setExpandedKinds(noKinds)
  }
  const { hits, loading, failed, retry, commandRefusal } = useSearchHits({
    searchText,
    setSearchText: changeText,
    expandedKinds,
    expandKind,
  })
  const rememberChoice = useSetAtom(rememberChoiceAtom)

  const selectedIndex = Math.max(
    0,
    hits.findIndex(({ key }) => key === selectedKey),
  )

  const openHit = useMemoizedFn((hit?: Hit) => {
    if (!hit) return
    hit.open()
    if (hit.keepsOpen) return
    rememberChoice({ key: hit.key, name: hit.name, ...hit.recent })
    onClose()
  })
  useEffect(() => {
    // This waits for all results, because the first to arrive may not be the first of the list.
    if (isEnterPending && !loading) openHit(hits[0])
  }, [isEnterPending, loading, hits, openHit])
  const adoptTypedInput = () => {
    const typedInput = takeTypedInput()
    if (!typedInput?.text) return
    setSearchText(typedInput.text)
    setEnterPending(typedInput.isEntered)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      setEnterPending(false)
      setSelectedKey(hits[(selectedIndex + step + hits.length) % Math.max(1, hits.length)]?.key)
    }
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    if (hits.length === 0) setEnterPending(loading)
    else openHit(hits[selectedIndex])
  }

  return (
    <Modal
      open
      footer={null}
      closable={false}
      width={560}
      style={{ top: 72 }}
      styles={{ container: { padding: 8 }, header: visuallyHidden }}
      onCancel={onClose}
      title="搜索"
    >
      <Input
        autoFocus
        size="large"
        variant="borderless"
        prefix={<SearchOutlined />}
        placeholder="搜页面、位置、场景、设备，或输入口令，例如：关 4 层"
        aria-label="搜索"
        role="combobox"
        aria-expanded
        aria-controls="search-hits"
        aria-activedescendant={hits[selectedIndex] && `hit-${selectedIndex}`}
        value={searchText}
        onKeyDown={onKeyDown}
        onFocus={adoptTypedInput}
        onChange={({ target }) => changeText(target.value)}
      />
      <HitList
        hits={hits}
        selectedIndex={selectedIndex}
        onSelect={setSelectedKey}
        onOpen={openHit}
      />
      {commandRefusal && (
        <p className={styles.refusal} role="status">
          {commandRefusal}
        </p>
      )}
      {failed && (
        <LoadErrorAlert
          why={failed.message}
          hasRows={false}
          onRetry={() => {
            setEnterPending(false)
            retry()
          }}
        />
      )}
      {hits.length === 0 && !failed && !commandRefusal && (
        <Empty
          image={Empty.PRESENTED_IMAGE_SIMPLE}
          description={loading ? '正在查找…' : `没有找到“${searchText}”`}
        />
      )}
    </Modal>
  )
}

type HitListProps = {
  hits: Hit[]
  selectedIndex: number
  onSelect: (key: string) => void
  onOpen: (hit: Hit) => void
}

/** Groups the hits under their kind and keeps the selected one in sight. */
const HitList = ({ hits, selectedIndex, onSelect, onOpen }: HitListProps) => (
  <ul id="search-hits" role="listbox" className={styles.hits}>
    {hits.map((hit, index) => (
      <li
        key={hit.key}
        id={`hit-${index}`}
        role="option"
        aria-selected={index === selectedIndex}
        ref={(row) => {
          if (index === selectedIndex) row?.scrollIntoView({ block: 'nearest' })
        }}
        onMouseMove={() => onSelect(hit.key)}
        onClick={() => onOpen(hit)}
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
)
