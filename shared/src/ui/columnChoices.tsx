import Checkbox from 'antd/es/checkbox'
import Flex from 'antd/es/flex'
import Segmented from 'antd/es/segmented'

export type ColumnSettings = { hidden: string[]; size: 'small' | 'middle' }
type ColumnChoicesProps = ColumnSettings & {
  options: { value: string; label: string }[]
  onChoose: (choice: ColumnSettings) => void
}

const sizes: { value: ColumnSettings['size']; label: string }[] = [
  { value: 'small', label: '紧凑' },
  { value: 'middle', label: '适中' },
]

/** Chooser for the density and the visible columns of a list; at least one column stays visible. */
export default function ColumnChoices({
  hidden: hiddenKeys,
  size,
  options,
  onChoose,
}: ColumnChoicesProps) {
  const keys = options.map(({ value }) => value)
  return (
    <Flex vertical gap={12}>
      <Segmented<ColumnSettings['size']>
        value={size}
        onChange={(size) => onChoose({ hidden: hiddenKeys, size })}
        options={sizes}
      />
      <Checkbox.Group
        value={keys.filter((key) => !hiddenKeys.includes(key))}
        onChange={(visibleKeys) =>
          visibleKeys.length > 0 &&
          onChoose({ hidden: keys.filter((key) => !visibleKeys.includes(key)), size })
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

/** @deprecated Use {@link ColumnSettings}; kept for remotes that were built before. */
export type Choice = ColumnSettings
