import { useRequest } from 'ahooks'
import { Button, Flex, Select, Typography, type SelectProps } from 'antd'
import { useAtom } from 'jotai'
import { useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react'
import { lookup } from 'region-data'
import { labelOf, namesOf } from 'region-data/tree'
import { recentRegionsAtom, withRecent } from './recent'
import { RegionCascader } from './RegionCascader'
import { useCascade } from './useCascade'
import { useStanding } from './useStanding'

export type RegionPickerProps = Pick<
  SelectProps,
  'id' | 'disabled' | 'size' | 'status' | 'placeholder'
> & {
  /** The value is a 6-digit area code. */
  value?: string
  onChange?: (code: string | undefined) => void
  /** Called with the parts of a pasted address besides its region. */
  onAddress?: (read: ReadAddress, code: string) => void
}

/** Parts of a pasted address: the text after the region, person and telephone. */
export type ReadAddress = { address: string; person?: string; phone?: string }

/** A pasted address with an ambiguous area: the candidates, and the parts to pass on after the choice. */
type Pasted = { codes: readonly string[]; read: ReadAddress }

const loadSearch = () => import('region-data/search')

/** Implements RegionField, which loads it on demand. */
export function RegionPicker({ value, onChange, onAddress, ...props }: RegionPickerProps) {
  const [open, setOpen] = useState(false)
  const [query, setQuery] = useState('')
  const [pasted, setPasted] = useState<Pasted>()
  const [recent, setRecent] = useAtom(recentRegionsAtom)
  const standing = useStanding(value)
  const cascade = useCascade(value, (code) => choose(code, pasted?.read))
  const typed = useRef('')
  /** Result marked by arrow keys or mouse, with the query it belongs to. */
  const marked = useRef<{ code: unknown; query: string }>(undefined)
  const { data: engine } = useRequest(loadSearch, {
    ready: open,
    cacheKey: 'region-search',
    staleTime: -1,
  })

  function toggle(next: boolean) {
    setOpen(next)
    setPasted(undefined)
    if (next) cascade.show(value)
    // Text may have been typed before the picker opened, so it is reset on closing alone.
    else type('')
  }

  function type(text: string) {
    setQuery(text)
    typed.current = text
    marked.current = undefined
  }

  function choose(code: string, read?: ReadAddress) {
    onChange?.(code)
    if (read) onAddress?.(read, code)
    if (lookup(code, 'area')) setRecent(withRecent(recent, code))
    toggle(false)
  }

  /** A province or city in the results opens its column. */
  function take(code: string) {
    if (code.length === 6) return choose(code, pasted?.read)
    cascade.show(code)
    type('')
  }

  /** Enter does not wait for a rendered list, because antd marks the first entry with a delay. */
  async function enter() {
    if (marked.current?.query === query) {
      const at = results.find((code) => code === marked.current!.code)
      if (at) return take(at)
    }
    if (!isSearching || engine) return results[0] && take(results[0])
    const first = (await loadSearch()).search(query)[0]
    if (first && typed.current === query) take(first.code)
  }

  async function readAddress(text: string) {
    const { parseAddress } = await import('region-data/parse')
    const { code, candidates, rest: address, person, phone } = parseAddress(text)
    const read = { address, person, phone }
    if (code?.length === 6) return choose(code, read)
    toggle(true)
    if (!code && candidates.length === 0) return type(text)
    setPasted({ codes: candidates, read })
    if (code) cascade.show(code)
  }

  function paste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text').trim()
    if (props.disabled || !/\p{Script=Han}{3}/u.test(text)) return
    event.preventDefault()
    void readAddress(text)
  }

  function press(event: KeyboardEvent) {
    // The key belongs to the input method.
    if (event.nativeEvent.isComposing) return
    const remembered =
      event.altKey && open ? known[Number(event.code.replace('Digit', '')) - 1] : undefined
    if (remembered) choose(remembered)
    if (remembered || (open && showsColumns && cascade.press(event.key))) event.preventDefault()
    if (event.key === 'Enter' && (isSearching || results.length > 0)) {
      event.preventDefault()
      // Neither antd's list nor the form may handle this key.
      event.stopPropagation()
      void enter()
    }
    if (!isSearching && event.key === 'Delete') onChange?.(undefined)
  }

  const known = recent.filter((code) => lookup(code, 'area'))
  const isSearching = query !== ''
  const results = isSearching
    ? (engine?.search(query) ?? []).map(({ code }) => code)
    : (pasted?.codes ?? [])
  const showsColumns = !isSearching && results.length === 0

  return (
    <div onPaste={paste}>
      <Select
        {...props}
        style={{ width: '100%' }}
        value={value || undefined}
        labelRender={() => standing.label}
        status={
          standing.kind === 'unknown'
            ? 'error'
            : standing.kind === 'abolished'
              ? 'warning'
              : props.status
        }
        allowClear
        open={open}
        onOpenChange={toggle}
        onClear={() => onChange?.(undefined)}
        showSearch={{ searchValue: query, onSearch: type, filterOption: false }}
        options={results.map((code) => ({ value: code, label: labelOf(code, ' / ') }))}
        onSelect={take}
        onActive={(code) => (marked.current = { code, query })}
        onInputKeyDown={press}
        popupMatchSelectWidth={false}
        styles={{ popup: { root: { width: 'min(520px, calc(100vw - 32px))' } } }}
        popupRender={(menu) =>
          showsColumns ? (
            <>
              <Recent codes={known} onPick={choose} />
              <RegionCascader cascade={cascade} />
            </>
          ) : results.length > 0 ? (
            menu
          ) : (
            <Typography.Text type="secondary" style={{ display: 'block', padding: '5px 12px' }}>
              {engine ? '没有匹配的地区，可输入名称、拼音、首字母或代码' : '正在加载'}
            </Typography.Text>
          )
        }
      />
      {standing.kind === 'abolished' && !props.disabled && <Offer {...standing} onTake={choose} />}
    </div>
  )
}

/** Recently chosen areas, selectable by mouse or by Alt with a digit. */
function Recent({ codes, onPick }: { codes: string[]; onPick: (code: string) => void }) {
  if (codes.length === 0) return null
  return (
    <Flex
      wrap
      gap="0 4px"
      align="center"
      role="group"
      aria-label="最近选择"
      style={{ padding: '0 8px 4px' }}
    >
      <Typography.Text type="secondary">最近</Typography.Text>
      {codes.map((code, at) => (
        <Button
          key={code}
          size="small"
          type="text"
          title={`${labelOf(code)}（Alt+${at + 1}）`}
          onClick={() => onPick(code)}
        >
          {namesOf(code).slice(-2).join(' ')}
        </Button>
      ))}
    </Flex>
  )
}

type OfferProps = {
  name: string
  successors: { code: string; label: string }[]
  onTake: (code: string) => void
}

/** Offers the successors of an abolished code; it is never replaced without a click. */
function Offer({ name, successors, onTake }: OfferProps) {
  return (
    <Flex wrap gap="0 8px" align="center" role="status">
      <Typography.Text type="warning">
        {name}已撤并{successors.length > 1 && '，现分属多地，请按实际位置选择'}
      </Typography.Text>
      {successors.map(({ code, label }) => (
        <Button
          key={code}
          size="small"
          type="link"
          style={{ paddingInline: 0 }}
          onClick={() => onTake(code)}
        >
          改为{label}
        </Button>
      ))}
    </Flex>
  )
}
