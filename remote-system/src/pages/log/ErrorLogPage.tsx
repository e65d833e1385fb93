import Flex from 'antd/es/flex'
import Tag from 'antd/es/tag'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import {
  errorSourceText,
  errorStatusText,
  errorLogTitles,
} from '@iot/shared/contract/platform/errorLog'
import type { ErrorLog, ErrorStatus } from '@iot/shared/contract/platform/errorLog.schema'
import { errorLogApi } from '@iot/shared/contract/platform/errorLog.api'
import { toTextOptions } from '@iot/shared/contract/options'
import { BatchActions, useBatch } from '@iot/shared/ui/batch'
import { column } from '@iot/shared/ui/field'
import { choiceFilter, textFilter } from '@iot/shared/ui/filters'
import { ExportButton } from '@iot/shared/ui/importExport'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { ListTable } from '@iot/shared/ui/listTable'
import { Panel } from '@iot/shared/ui/panel'
import { RowName } from '@iot/shared/ui/right'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePage } from '@iot/shared/ui/usePage'
import { timeFilter } from './timeFilter'

const ErrorDrawer = lazyDialog(() => import('./ErrorDrawer'))

const statuses = Object.keys(errorStatusText) as ErrorStatus[]

export function Component() {
  const list = usePage(errorLogApi.page, {
    empty: '没有错误：服务器、浏览器、设备和消息服务出错时会记在这里',
  })
  const batch = useBatch(list)
  const [openError, setOpenError] = useState<ErrorLog>()
  const setErrorStatus = (status: ErrorStatus, ids?: string[]) =>
    batch.run(
      `标为${errorStatusText[status]}`,
      (errorIds) => call(errorLogApi.setStatus, { ids: errorIds, status }),
      ids,
    )

  const columns = useColumns<ErrorLog>('errorLog', [
    {
      ...column(errorLogTitles, 'message'),
      width: 300,
      ellipsis: true,
      render: (message: string, row) => (
        <RowName to={errorLogApi.get} name={message} onOpen={() => setOpenError(row)} />
      ),
    },
    {
      ...column(errorLogTitles, 'source'),
      width: 76,
      render: (source: ErrorLog['source']) => errorSourceText[source],
    },
    { ...column(errorLogTitles, 'count'), ...list.sortable('count'), width: 76, align: 'right' },
    { ...column(errorLogTitles, 'firstTime'), ...list.sortable('firstTime'), width: 152 },
    { ...column(errorLogTitles, 'lastTime'), ...list.sortable('lastTime'), width: 152 },
    {
      ...column(errorLogTitles, 'status'),
      width: 128,
      render: (status: ErrorStatus, { returned }) => (
        <Flex gap={8} align="center">
          {errorStatusText[status]}
          {returned && <Tag color="error">又出现了</Tag>}
        </Flex>
      ),
    },
    { ...column(errorLogTitles, 'page'), width: 96, ellipsis: true },
  ])

  return (
    <Panel>
      <ListTable<ErrorLog>
        list={list}
        columns={columns}
        filters={[
          timeFilter,
          textFilter('message', '错误', 140),
          choiceFilter('source', '来源', toTextOptions(errorSourceText), 100),
          choiceFilter('status', '状态', toTextOptions(errorStatusText), 100),
          choiceFilter('returned', '又出现了', [{ value: 'true', label: '是' }], 110),
        ]}
        selection={batch.selection}
        batchActions={
          <BatchActions
            batch={batch}
            exporting={{ from: errorLogApi.exportRows }}
            of={statuses.map((status) => ({
              label: `标为${errorStatusText[status]}`,
              to: errorLogApi.setStatus,
              onClick: () => setErrorStatus(status),
            }))}
          />
        }
      >
        <ExportButton from={errorLogApi.exportRows} input={list.input} />
      </ListTable>
      {openError && (
        <ErrorDrawer
          id={openError.id}
          onMark={(status) => setErrorStatus(status, [openError.id])}
          onClose={() => setOpenError(undefined)}
        />
      )}
    </Panel>
  )
}
