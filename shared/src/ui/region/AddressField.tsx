import useLatest from 'ahooks/es/useLatest'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Input from 'antd/es/input'
import Typography from 'antd/es/typography'
import type { InputProps } from 'antd'
import { useState, type ClipboardEvent } from 'react'
import type { AddressParts } from './RegionPicker'
import { ignoreHandled } from '../../client/call'

/** A pasted address split into its area code and the remaining text. */
export type PastedAddress = AddressParts & { code?: string }

type AddressFieldProps = Omit<InputProps, 'value' | 'onChange'> & {
  value?: string
  onChange?: (address: string) => void
  /** The region field currently has this value. */
  region?: string
  /** Sets region, address, person and telephone of a pasted address together. */
  onTake: (pastedAddress: PastedAddress, previousAddress: string) => void
}
/** A pasted address in another region than the chosen one; it is applied after the user accepts it. */
type RegionOffer = {
  read: PastedAddress & { code: string }
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
  const [offer, setOffer] = useState<RegionOffer>()
  const latestValue = useLatest(value)

  async function handlePaste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData('text')
    const input = event.currentTarget
    const { value: valueBefore, selectionStart, selectionEnd } = input
    const [{ parseAddress }, { formatRegionLabel }] = await Promise.all([
      import('region-data/parse'),
      import('region-data/tree'),
      // The browser inserts the text after this event, possibly later than the cached modules resolve.
      new Promise((resolve) => setTimeout(resolve)),
    ])
    const { code, candidates, rest, person, phone } = parseAddress(text.trim())
    const isComplete = code?.length === 6
    if (!isComplete && !person && !phone) return
    const insertedText = toInsertedTexts(text).find((line) => latestValue.current.includes(line))
    const isInserted = insertedText !== undefined
    const address = isInserted
      ? latestValue.current.replace(insertedText, () => rest)
      : valueBefore.slice(0, selectionStart ?? 0) +
        rest +
        valueBefore.slice(selectionEnd ?? valueBefore.length)
    if (isComplete && region && region !== code) {
      const pastedAddress = { code, address, person, phone }
      return setOffer({
        read: pastedAddress,
        label: formatRegionLabel(code, ' / '),
        pasted: latestValue.current,
        before: valueBefore,
      })
    }
    // An incomplete region stays in the text as pasted.
    if (!isComplete && (code || candidates.length > 0)) return
    if (!isInserted || !replaceByTyping(input, insertedText, rest)) onChange?.(address)
    onTake({ code: isComplete ? code : undefined, address, person, phone }, valueBefore)
  }

  return (
    <>
      <Input
        {...props}
        value={value}
        onChange={({ target }) => onChange?.(target.value)}
        onPaste={(event) => void handlePaste(event).catch(ignoreHandled)}
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

/** An input element has one line: some browsers write a space for a line break, others nothing. */
const toInsertedTexts = (text: string) => [
  text.replace(/[\r\n]+$/, '').replace(/\r\n?|\n/g, ' '),
  text.replace(/[\r\n]/g, ''),
]

/**
 * Replaces the pasted text as if it had been typed, so that Ctrl Z restores it; returns false if the browser cannot.
 */
function replaceByTyping(input: HTMLInputElement, pastedText: string, text: string) {
  const start = input.value.indexOf(pastedText)
  if (start < 0 || document.activeElement !== input) return false
  const suffixLength = input.value.length - (input.selectionEnd ?? 0)
  input.setSelectionRange(start, start + pastedText.length)
  const isReplaced = text
    ? document.execCommand('insertText', false, text)
    : document.execCommand('delete')
  input.setSelectionRange(input.value.length - suffixLength, input.value.length - suffixLength)
  return isReplaced
}
