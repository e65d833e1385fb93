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
  const [offer, setOffer] = useState<{ code: string; label: string }>()

  const now = useLatest(value)

  async function paste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData('text')
    const { value: before, selectionStart, selectionEnd } = event.currentTarget
    const [{ parseAddress }, { labelOf }] = await Promise.all([
      import('region-data/parse'),
      import('region-data/tree'),
    ])
    const { code, rest, ...who } = parseAddress(text.trim())
    const isWhole = code?.length === 6
    if (!isWhole && !who.person && !who.phone) return
    // As a line of text takes it.
    const inserted = text.replace(/[\r\n]/g, '')
    const address = now.current.includes(inserted)
      ? now.current.replace(inserted, () => rest)
      : before.slice(0, selectionStart ?? 0) + rest + before.slice(selectionEnd ?? before.length)
    onChange?.(address)
    onAddress({ address, person: who.person, phone: who.phone })
    if (!isWhole || code === region) return setOffer(undefined)
    if (region) setOffer({ code, label: labelOf(code, ' / ') })
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
      {offer && offer.code !== region && (
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
