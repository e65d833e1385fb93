import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Typography from 'antd/es/typography'
import type { SelectProps } from 'antd'
import { useAtom } from 'jotai'
import { useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react'
import { lookup } from 'region-data'
import { formatRegionLabel, getRegionNames } from 'region-data/tree'
import { recentRegionsAtom, addRecentRegion } from './recent'
import { RegionCascader } from './RegionCascader'
import { useCascade } from './useCascade'
import { useCodeStatus } from './useStanding'
import { ignoreHandled } from '../../client/call'
import { Select } from '../select'

export type RegionPickerProps = Pick<
  SelectProps,
  'id' | 'disabled' | 'size' | 'status' | 'placeholder'
> & {
  /** The value is a 6-digit area code. */
  value?: string
  onChange?: (code: string | undefined) => void
  /** Called with the parts of a pasted address besides its region. */
  onAddress?: (addressParts: AddressParts, code: string) => void
}

/** Parts of a pasted address: the text after the region, person and telephone. */
export type AddressParts = { address: string; person?: string; phone?: string }

/** A pasted address with an ambiguous area: the candidates, and the parts to pass on after the choice. */
type PastedOffer = { codes: readonly string[]; read: AddressParts }

const loadSearch = () => import('region-data/search')

/** Implements RegionField, which loads it on demand. */
export function RegionPicker({ value, onChange, onAddress, ...props }: RegionPickerProps) {
  const [isOpen, setOpen] = useState(false)
  const [pastedOffer, setPastedOffer] = useState<PastedOffer>()
  const [recentCodes, setRecentCodes] = useAtom(recentRegionsAtom)
  const codeStatus = useCodeStatus(value)
  const cascade = useCascade(value, (code) => choose(code, pastedOffer?.read))
  const search = useRegionSearch(isOpen)
  const { query, isSearching, setQueryText } = search

  function toggle(nextOpen: boolean) {
    setOpen(nextOpen)
    setPastedOffer(undefined)
    if (nextOpen) cascade.show(value)
    // Text may have been typed before the picker opened, so it is reset on closing alone.
    else setQueryText('')
  }

  function choose(code: string, addressParts?: AddressParts) {
    onChange?.(code)
    if (addressParts) onAddress?.(addressParts, code)
    if (lookup(code, 'area')) setRecentCodes(addRecentRegion(recentCodes, code))
    toggle(false)
  }

  /** A province or city is not a complete choice, so it opens its column instead. */
  function applyResult(code: string) {
    if (code.length === 6) return choose(code, pastedOffer?.read)
    cascade.show(code)
    setQueryText('')
  }

  /** Enter does not wait for a rendered list, because antd marks the first entry with a delay. */
  async function chooseMarkedResult() {
    const markedCode = search.getMarkedCode(results)
    if (markedCode) return applyResult(markedCode)
    if (!isSearching || search.isLoaded) return results[0] && applyResult(results[0])
    const firstCode = await search.findFirstCode()
    if (firstCode) applyResult(firstCode)
  }

  async function handlePastedAddress(text: string) {
    const { parseAddress } = await import('region-data/parse')
    const { code, candidates, rest: address, person, phone } = parseAddress(text)
    const addressParts = { address, person, phone }
    if (code?.length === 6) return choose(code, addressParts)
    toggle(true)
    if (!code && candidates.length === 0) return setQueryText(text)
    setPastedOffer({ codes: candidates, read: addressParts })
    if (code) cascade.show(code)
  }

  function handlePaste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text').trim()
    if (props.disabled || !/\p{Script=Han}{3}/u.test(text)) return
    event.preventDefault()
    handlePastedAddress(text).catch(ignoreHandled)
  }

  function handleKeyDown(event: KeyboardEvent) {
    // The key belongs to the input method.
    if (event.nativeEvent.isComposing) return
    const recentCode =
      event.altKey && isOpen
        ? validRecentCodes[Number(event.code.replace('Digit', '')) - 1]
        : undefined
    if (recentCode) choose(recentCode)
    if (recentCode || (isOpen && showsColumns && cascade.press(event.key))) event.preventDefault()
    if (event.key === 'Enter' && (isSearching || results.length > 0)) {
      event.preventDefault()
      // Neither antd's list nor the form may handle this key.
      event.stopPropagation()
      chooseMarkedResult().catch(ignoreHandled)
    }
    if (!isSearching && event.key === 'Delete') onChange?.(undefined)
  }

  const validRecentCodes = recentCodes.filter((code) => lookup(code, 'area'))
  const results = isSearching ? search.codes : (pastedOffer?.codes ?? [])
  const showsColumns = !isSearching && results.length === 0

  return (
    <div onPaste={handlePaste}>
      <Select
        {...props}
        style={{ width: '100%' }}
        value={value || undefined}
        labelRender={() => codeStatus.label}
        status={getWarningStatus(codeStatus) ?? props.status}
        allowClear
        open={isOpen}
        onOpenChange={toggle}
        onClear={() => onChange?.(undefined)}
        showSearch={{ searchValue: query, onSearch: setQueryText, filterOption: false }}
        options={results.map((code) => ({ value: code, label: formatRegionLabel(code, ' / ') }))}
        onSelect={applyResult}
        onActive={search.markResult}
        onInputKeyDown={handleKeyDown}
        popupMatchSelectWidth={false}
        styles={{ popup: { root: { width: 'min(520px, calc(100vw - 32px))' } } }}
        popupRender={(menu) =>
          showsColumns ? (
            <>
              <RecentRegions codes={validRecentCodes} onPick={choose} />
              <RegionCascader cascade={cascade} />
            </>
          ) : results.length > 0 ? (
            menu
          ) : (
            <NoResults isLoaded={search.isLoaded} />
          )
        }
      />
      {codeStatus.kind === 'abolished' && !props.disabled && (
        <SuccessorOffer {...codeStatus} onTake={choose} />
      )}
    </div>
  )
}

const getWarningStatus = ({ kind }: ReturnType<typeof useCodeStatus>) =>
  kind === 'unknown' ? 'error' : kind === 'abolished' ? 'warning' : undefined

/** Search of the picker; its data is loaded when the picker opens. */
function useRegionSearch(isOpen: boolean) {
  const [query, setQuery] = useState('')
  const latestText = useRef('')
  /** Result marked by arrow keys or mouse, with the query it belongs to. */
  const markedResult = useRef<{ code: unknown; query: string }>(undefined)
  const { data: searchEngine } = useRequest(loadSearch, {
    ready: isOpen,
    cacheKey: 'region-search',
    staleTime: -1,
  })
  const isSearching = query !== ''
  return {
    query,
    isSearching,
    isLoaded: searchEngine !== undefined,
    codes: isSearching ? (searchEngine?.search(query) ?? []).map(({ code }) => code) : [],
    setQueryText(text: string) {
      setQuery(text)
      latestText.current = text
      markedResult.current = undefined
    },
    markResult(code: unknown) {
      markedResult.current = { code, query }
    },
    getMarkedCode: (codes: readonly string[]) =>
      markedResult.current?.query === query
        ? codes.find((code) => code === markedResult.current!.code)
        : undefined,
    /** Loads the data if necessary; undefined if the text was changed meanwhile. */
    async findFirstCode() {
      const firstResult = (await loadSearch()).search(query)[0]
      return latestText.current === query ? firstResult?.code : undefined
    },
  }
}

const NoResults = ({ isLoaded }: { isLoaded: boolean }) => (
  <Typography.Text type="secondary" style={{ display: 'block', padding: '5px 12px' }}>
    {isLoaded ? '没有匹配的地区，可输入名称、拼音、首字母或代码' : '正在加载'}
  </Typography.Text>
)

/** Recently chosen areas, selectable by mouse or by Alt with a digit. */
function RecentRegions({ codes, onPick }: { codes: string[]; onPick: (code: string) => void }) {
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
      {codes.map((code, index) => (
        <Button
          key={code}
          size="small"
          type="text"
          title={`${formatRegionLabel(code)}（Alt+${index + 1}）`}
          onClick={() => onPick(code)}
        >
          {getRegionNames(code).slice(-2).join(' ')}
        </Button>
      ))}
    </Flex>
  )
}

type SuccessorOfferProps = {
  name: string
  successors: { code: string; label: string }[]
  onTake: (code: string) => void
}

/** Offers the successors of an abolished code; it is never replaced without a click. */
function SuccessorOffer({ name, successors, onTake }: SuccessorOfferProps) {
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
