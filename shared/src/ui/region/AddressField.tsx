import { useLatest } from 'ahooks'
import { Button, Flex, Input, Typography, type InputProps } from 'antd'
import { useState, type ClipboardEvent } from 'react'
import type { ReadAddress } from './RegionPicker'

type AddressFieldProps = Omit<InputProps, 'value' | 'onChange'> & {
  value?: string
  onChange?: (address: string) => void
  /** What the region field holds, to be offered the one a pasted address names. */
  region?: string
  onRegion: (code: string) => void
  onAddress: (read: ReadAddress) => void
}

/**
 * The address below a RegionField. A whole address that is pasted is taken apart here too: an empty region is filled,
 * another one is offered, and of the text the street alone is kept where it was pasted.
 * @example <AddressField region={Form.useWatch('areaCode', form)} onRegion={(code) => form.setFieldValue('areaCode', code)} onAddress={fill} />
 */
export function AddressField({
  value = '',
  onChange,
  region,
  onRegion,
  onAddress,
  ...props
}: AddressFieldProps) {
  /** Stands while the field holds what was pasted with it. */
  const [offer, setOffer] = useState<{ code: string; label: string; address: string }>()

  const now = useLatest(value)

  async function paste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData('text')
    const input = event.currentTarget
    const { value: before, selectionStart, selectionEnd } = input
    const [{ parseAddress }, { labelOf }] = await Promise.all([
      import('region-data/parse'),
      import('region-data/tree'),
      // The browser puts the text in once this event is over, which may be later than code that was fetched before.
      new Promise((resolve) => setTimeout(resolve)),
    ])
    const { code, rest, ...who } = parseAddress(text.trim())
    const isWhole = code?.length === 6
    if (!isWhole && !who.person && !who.phone) return
    // As a line of text takes it.
    const inserted = text.replace(/[\r\n]/g, '')
    const address = now.current.includes(inserted)
      ? now.current.replace(inserted, () => rest)
      : before.slice(0, selectionStart ?? 0) + rest + before.slice(selectionEnd ?? before.length)
    if (!retyped(input, inserted, rest)) onChange?.(address)
    onAddress({ address, person: who.person, phone: who.phone })
    if (!isWhole) return
    if (region) setOffer({ code, label: labelOf(code, ' / '), address })
    else onRegion(code)
  }

  return (
    <>
      <Input
        {...props}
        value={value}
        onChange={({ target }) => onChange?.(target.value)}
        onPaste={(event) => void paste(event)}
      />
      {offer && offer.code !== region && isThere(offer.address, value) && (
        <Flex gap={8} align="center" role="status">
          <Typography.Text type="warning">粘贴的地址在 {offer.label}</Typography.Text>
          <Button
            size="small"
            type="link"
            style={{ paddingInline: 0 }}
            onClick={() => onRegion(offer.code)}
          >
            改为此地区
          </Button>
        </Flex>
      )}
    </>
  )
}

/** Of a region pasted alone nothing stays in the text. */
const isThere = (pasted: string, text: string) => (pasted ? text.includes(pasted) : !text)

/** As if it had been typed over what was pasted, so that Ctrl Z brings that back; false where this cannot be done. */
function retyped(input: HTMLInputElement, pasted: string, text: string) {
  const at = input.value.indexOf(pasted)
  if (at < 0 || document.activeElement !== input) return false
  const typedSince = input.value.length - (input.selectionEnd ?? 0)
  input.setSelectionRange(at, at + pasted.length)
  const isDone = text
    ? document.execCommand('insertText', false, text)
    : document.execCommand('delete')
  input.setSelectionRange(input.value.length - typedSince, input.value.length - typedSince)
  return isDone
}
