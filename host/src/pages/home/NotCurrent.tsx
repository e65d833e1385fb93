import { Alert, Button } from 'antd'

type Read = { error?: Error; retry: () => void }

/** Warns above the content that it is not current, if one of the reads it depends on failed. */
export function NotCurrent({ of }: { of: Read[] }) {
  const failed = of.find(({ error }) => error)
  return (
    failed && (
      <Alert
        type="warning"
        showIcon
        title={`没有读到最新数据：${failed.error?.message}`}
        action={
          <Button size="small" onClick={failed.retry}>
            重试
          </Button>
        }
      />
    )
  )
}
