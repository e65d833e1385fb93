import Badge from 'antd/es/badge'
import { severityText, type AlarmSeverity } from '@iot/shared/contract/alarm/alarmSeverity'

const statusBySeverity = {
  critical: 'error',
  major: 'error',
  minor: 'warning',
  info: 'default',
} as const

/** Severity as a dot with its word. */
export const SeverityText = ({ severity }: { severity: AlarmSeverity }) => (
  <Badge
    status={statusBySeverity[severity]}
    text={
      severity === 'critical' ? <strong>{severityText[severity]}</strong> : severityText[severity]
    }
  />
)
