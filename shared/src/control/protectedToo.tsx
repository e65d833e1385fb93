import Checkbox from 'antd/es/checkbox'
import Flex from 'antd/es/flex'
import Input from 'antd/es/input'

type IncludeProtectedFieldProps = {
  what: string
  /** Reason for including protected circuits; undefined while they are excluded. */
  reason: string | undefined
  onChange: (reason: string | undefined) => void
}

/** Checkbox that includes protected circuits in a command. */
export default function IncludeProtectedField({
  what: deviceWord,
  reason,
  onChange,
}: IncludeProtectedFieldProps) {
  return (
    <Flex vertical gap={8} style={{ marginTop: 12 }}>
      <Checkbox
        checked={reason !== undefined}
        onChange={({ target }) => onChange(target.checked ? '' : undefined)}
      >
        也控制受保护的{deviceWord}，需另一位同事在 2 分钟内同意
      </Checkbox>
      {reason !== undefined && (
        <Input
          aria-label="原因"
          placeholder="原因，同事会看到"
          count={{ show: true, max: 100 }}
          value={reason}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Flex>
  )
}
