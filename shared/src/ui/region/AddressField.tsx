import { useLatest } from 'ahooks'
import { Button, Flex, Input, Typography, type InputProps } from 'antd'
import { useState, type ClipboardEvent } from 'react'
import type { ReadAddress } from './RegionPicker'

/** A pasted address split into its area code and the remaining text. */
export type TakenAddress = ReadAddress & { code?: string }

type AddressFieldProps = Omit<InputProps, 'value' | 'onChange'> & {
  value?: string
  onChange?: (address: string) => void
  /** The region field currently has this value. */
  region?: string
  /** Sets region, address, person and telephone of a pasted address together. */
  onTake: (read: TakenAddress, before: string) => void
}
/** A pasted address in another region than the chosen one; it is applied after the user accepts it. */
type Offer = {
  read: TakenAddress & { code: string }
  label: string
  pasted: string
  before: string
}

/**
 * Address field below a RegionField. It splits a pasted full address into region and street: at once if no other region
 * is chosen, otherwise after the user accepts the offer.
 * @example <AddressField region={Form.useWatch('areaCode', form)} onTake={take} />
 */
export function AddressField({
  value = '',
  onChange,
  region,
  onTake,
  ...props
}: AddressFieldProps) {
  const [offer, setOffer] = useState<Offer>()
  const now = useLatest(value)

  async function paste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData('text')
    const input = event.currentTarget
    const { value: before, selectionStart, selectionEnd } = input
    const [{ parseAddress }, { labelOf }] = await Promise.all([
      import('region-data/parse'),
      import('region-data/tree'),
      // The browser inserts the text after this event, possibly later than the cached modules resolve.
      new Promise((resolve) => setTimeout(resolve)),
    ])
    const { code, candidates, rest, person, phone } = parseAddress(text.trim())
    const isWhole = code?.length === 6
    if (!isWhole && !person && !phone) return
    // An input element removes line breaks.
    const inserted = text.replace(/[\r\n]/g, '')
    const isThere = now.current.includes(inserted)
    const address = isThere
      ? now.current.replace(inserted, () => rest)
      : before.slice(0, selectionStart ?? 0) + rest + before.slice(selectionEnd ?? before.length)
    if (isWhole && region && region !== code) {
      const read = { code, address, person, phone }
      return setOffer({ read, label: labelOf(code, ' / '), pasted: now.current, before })
    }
    // An incomplete region stays in the text as pasted.
    if (!isWhole && (code || candidates.length > 0)) return
    if (!retyped(input, inserted, rest)) onChange?.(address)
    onTake({ code: isWhole ? code : undefined, address, person, phone }, before)
  }

  return (
    <>
      <Input
        {...props}
        value={value}
        onChange={({ target }) => onChange?.(target.value)}
        onPaste={(event) => void paste(event)}
      />
      {offer && offer.read.code !== region && value === offer.pasted && (
        <Flex gap={8} align="center" role="status">
          <Typography.Text type="warning">粘贴的地址在 {offer.label}</Typography.Text>
          <Button
            size="small"
            type="link"
            style={{ paddingInline: 0 }}
            onClick={() => onTake(offer.read, offer.before)}
          >
            改为此地区
          </Button>
        </Flex>
      )}
    </>
  )
}

/**
 * Replaces the pasted text as if it had been typed, so that Ctrl Z restores it; returns false if the browser cannot.
 */
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
