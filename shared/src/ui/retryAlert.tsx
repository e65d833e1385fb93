import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import type { AlertProps } from 'antd'

type RetryAlertProps = Omit<AlertProps, 'action'> & { onRetry: () => void }

/**
 * Shows why a request failed, with 重试.
 * @example <RetryAlert type="error" title={error.message} onRetry={refresh} />
 */
export const RetryAlert = ({ onRetry, ...alert }: RetryAlertProps) => (
  <Alert
    showIcon
    {...alert}
    action={
      // A form that takes no input can still be read again.
      <Button size="small" disabled={false} onClick={() => onRetry()}>
        重试
      </Button>
    }
  />
)
