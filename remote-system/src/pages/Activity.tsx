import useRequest from 'ahooks/es/useRequest'
import Flex from 'antd/es/flex'
import Table from 'antd/es/table'
import Typography from 'antd/es/typography'
import type { TableProps } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import type { Endpoint, Input, Output } from '@iot/shared/contract/endpoint'
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

type ActivityOptions = {
  /** Permission to see the activity, if it is not that of the call. */
  access?: Pick<Endpoint, 'permission' | 'title' | 'owner'>
  /** A change reads again, besides a change of the input. */
  refreshDeps?: unknown[]
}

/** Reads activity of a record unless the user may not. */
export function useActivity<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  { access = endpoint, refreshDeps = [] }: ActivityOptions = {},
) {
  const refusal = useRefusalReason()(access)
  const request = useRequest((): Promise<Output<E>> => call(endpoint, input, { inline: true }), {
    ready: !refusal,
    refreshDeps: [JSON.stringify(input), ...refreshDeps],
  })
  return { refusal, request, isLoading: !request.data && !request.error }
}

type ActivityTableProps<T> = Pick<ActivityProps, 'title' | 'more'> &
  Omit<TableProps<T>, 'title'> & {
    activity: Omit<ReturnType<typeof useActivity>, 'request'> & Pick<ActivityProps, 'request'>
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
