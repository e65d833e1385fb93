import { Checkbox, Flex, Segmented } from 'antd'

export type Choice = { hidden: string[]; size: 'small' | 'middle' }
type ColumnChoicesProps = Choice & {
  options: { value: string; label: string }[]
  onChoose: (choice: Choice) => void
}

const sizes: { value: Choice['size']; label: string }[] = [
  { value: 'small', label: '紧凑' },
  { value: 'middle', label: '适中' },
]

/** Chooser for the density and the visible columns of a list; at least one column stays visible. */
export default function ColumnChoices({ hidden, size, options, onChoose }: ColumnChoicesProps) {
  const keys = options.map(({ value }) => value)
  return (
    <Flex vertical gap={12}>
      <Segmented<Choice['size']>
        value={size}
        onChange={(size) => onChoose({ hidden, size })}
        options={sizes}
      />
      <Checkbox.Group
        value={keys.filter((key) => !hidden.includes(key))}
        onChange={(kept) =>
          kept.length > 0 && onChoose({ hidden: keys.filter((key) => !kept.includes(key)), size })
        }
      >
        <Flex vertical gap={4}>
          {options.map(({ value, label }) => (
            <Checkbox key={value} value={value}>
              {label}
            </Checkbox>
          ))}
        </Flex>
      </Checkbox.Group>
    </Flex>
  )
}
