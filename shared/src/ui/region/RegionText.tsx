import { Typography } from 'antd'
import { useStanding } from './useStanding'

const types = {
  none: undefined,
  current: undefined,
  loading: 'secondary',
  unknown: 'danger',
  abolished: 'warning',
} as const

/** The names of an area code, as text; an abolished or unknown code says so. */
export function RegionText({ code }: { code?: string }) {
  const { kind, label } = useStanding(code)
  return <Typography.Text type={types[kind]}>{label || '—'}</Typography.Text>
}
