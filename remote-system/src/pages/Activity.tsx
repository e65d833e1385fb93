import { useRequest } from 'ahooks'
import { Flex, Table, Typography, type TableProps } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { Endpoint } from '@iot/shared/contract/endpoint'
import { useRefusalReason } from '@iot/shared/ui/right'
import { buildEmptyLocale, LoadErrorAlert } from '@iot/shared/ui/usePage'

type ActivityProps = {
  title: string
  /** Leads to the whole list. */
  more?: { to: string; label: string; onClick?: () => void }
  refusal?: string
  request: { data?: unknown; error?: Error; refresh: () => void }
  children: ReactNode
}

/** Shows one kind of activity below its title, or the reason why the user may not read it or reading failed. */
export const Activity = ({ title, more, refusal, request, children }: ActivityProps) => (
  <Flex vertical gap={8} component="section" aria-label={title}>
    <Flex justify="space-between" align="center">
      <strong>{title}</strong>
      {more && !refusal && (
        <Link to={more.to} onClick={more.onClick}>
          {more.label}
        </Link>
      )}
    </Flex>
    {request.error && (
      <LoadErrorAlert
        why={request.error.message}
        hasRows={!!request.data}
        onRetry={request.refresh}
      />
    )}
    {refusal ? <Typography.Text type="secondary">{refusal}</Typography.Text> : children}
  </Flex>
)

/** Reads activity of a record unless the user may not. */
export function useActivity<T>(
  endpoint: Pick<Endpoint, 'permission' | 'title' | 'owner'>,
  id: string,
  readRows: () => Promise<T>,
) {
  const refusal = useRefusalReason()(endpoint)
  const request = useRequest(readRows, { ready: !refusal, refreshDeps: [id] })
  return { refusal, request, isLoading: !request.data && !request.error }
}

type ActivityTableProps<T> = Pick<ActivityProps, 'title' | 'more'> &
  Omit<TableProps<T>, 'title'> & {
    activity: ReturnType<typeof useActivity>
    emptyText: string
  }

/** Lists one kind of activity in a small table. */
export const ActivityTable = <T extends object>({
  title,
  more,
  activity: { refusal, request, isLoading },
  emptyText,
  ...tableProps
}: ActivityTableProps<T>) => (
  <Activity title={title} more={more} refusal={refusal} request={request}>
    <Table<T>
      size="small"
      loading={isLoading}
      pagination={false}
      locale={buildEmptyLocale(request.data, emptyText)}
      {...tableProps}
    />
  </Activity>
)
