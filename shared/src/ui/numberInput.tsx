import InputNumber from 'antd/es/input-number'
import type { InputNumberProps } from 'antd'

type Typed = number | string
type NumberInputProps = Omit<
  InputNumberProps<Typed>,
  'value' | 'onChange' | 'onInput' | 'parser' | 'min' | 'max' | 'precision'
> & {
  value?: Typed | null
  onChange?: (value: number | null) => void
}

/** Doubles keep 15 significant digits exactly. */
const maxDigits = 15
const countDigits = (text: string) => text.replace(/^-?[0.]*|\.|e.*$/gi, '').length
const isExactNumber = (text: string) =>
  /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,2})?$/i.test(text) && countDigits(text) <= maxDigits

/** Reads what input methods and documents write for digits, point and minus. */
const toPlainText = (text: string | undefined) =>
  (text ?? '').normalize('NFKC').trim().replace(/[−–]/g, '-').replace(/。/g, '.')

/**
 * antd's own number input changes what was typed: it moves a number into its limits, rounds it to its precision, and
 * leaves out what it does not know, so that `−5` and `5%` become 5 and `1,5` becomes 15. This one passes a number on as
 * typed and other text as text, so that the rule of the field refuses it in words.
 */
export const NumberInput = ({ onChange, ...props }: NumberInputProps) => (
  <InputNumber<Typed>
    {...props}
    parser={toPlainText}
    onChange={(value) => onChange?.(value as number | null)}
    onInput={(text) => {
      const typedText = toPlainText(text)
      if (typedText !== '' && !isExactNumber(typedText)) onChange?.(text as unknown as number)
    }}
  />
)
