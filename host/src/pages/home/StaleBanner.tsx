import { RetryAlert } from '@iot/shared/ui/retryAlert'

type DataRead = { error?: Error; retry: () => void }

/** Warns above the content that it is not current, if one of the reads it depends on failed. */
export function StaleBanner({ reads }: { reads: DataRead[] }) {
  const failedRead = reads.find(({ error }) => error)
  return (
    failedRead && (
      <RetryAlert
        type="warning"
        title={`数据未更新：${failedRead.error?.message}`}
        onRetry={failedRead.retry}
      />
    )
  )
}
