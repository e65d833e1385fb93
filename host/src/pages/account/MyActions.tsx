import useRequest from 'ahooks/es/useRequest'
import Flex from 'antd/es/flex'
import Pagination from 'antd/es/pagination'
import Skeleton from 'antd/es/skeleton'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { ActionLines } from '@iot/shared/ui/actionLines'
import { RetryAlert } from '@iot/shared/ui/retryAlert'

const pageSize = 20

/** Lists what the user did, newest first; it needs no permission for the audit log. */
export function MyActions() {
  const [pageNo, setPageNo] = useState(1)
  const { data, error, refresh } = useRequest(
    () => call(actionLogApi.own, { pageNo, pageSize }, { quiet: true }),
    { refreshDeps: [pageNo] },
  )
  return (
    <Flex vertical gap={16}>
      {error && <RetryAlert type="error" title={error.message} onRetry={refresh} />}
      {!data && !error && <Skeleton active title={false} paragraph={{ rows: 8 }} />}
      {data && <ActionLines logs={data.list} />}
      {data && (
        <Pagination
          size="small"
          align="end"
          hideOnSinglePage
          showSizeChanger={false}
          current={pageNo}
          pageSize={pageSize}
          total={data.total}
          onChange={setPageNo}
        />
      )}
    </Flex>
  )
}
