import { Alert, Button } from 'antd'

type DataRead = { error?: Error; retry: () => void }

/** Warns above the content that it is not current, if one of the reads it depends on failed. */
export function StaleBanner({ reads }: { reads: DataRead[] }) {
  const failedRead = reads.find(({ error }) => error)
  return (
    failedRead && (
      <Alert
        type="warning"
        showIcon
        title={`没有读到最新数据：${failedRead.error?.message}`}
        action={
          <Button size="small" onClick={failedRead.retry}>
            重试
          </Button>
        }
      />
    )
  )
}
