import { Alert, Button } from 'antd'

type Read = { error?: Error; retry: () => void }

/** Says above what is shown that it is not of this moment, where one of what it was read from failed. */
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
