import Tag from 'antd/es/tag'
import type { TableColumnType } from 'antd'
import { call } from '../client/call'
import { statusText } from '../contract/fields'
import type { RowResults, Status } from '../contract/fields.schema'
import type { Endpoint } from '../contract/endpoint'
import { BatchActions, type Batch } from './batch'
import type { ExportEndpoint } from './importExport'
import type { RowAction } from './right'

/** Most rows are enabled, so only the disabled state is shown as a tag. */
export const StatusTag = ({ status }: { status: Status }) =>
  status === 'enabled' ? statusText.enabled : <Tag>{statusText.disabled}</Tag>

export const statusOptions = (['enabled', 'disabled'] as const).map((value) => ({
  value,
  label: statusText[value],
}))

type StatusBatchProps = {
  batch: Batch
  api: { setStatus: Endpoint; removeMany?: Endpoint; exportRows?: ExportEndpoint }
  /** Constant input of the export, such as the project of the rows. */
  within?: Record<string, unknown>
  /** Further actions, before 删除. */
  more?: RowAction[]
}

/**
 * Bulk actions 启用, 禁用, 导出 and 删除 for the selected rows; the last two need their calls.
 * @example <Toolbar batch={<StatusBatch batch={batch} api={brandApi} />}>…</Toolbar>
 */
export function StatusBatch({ batch, api, within: fixedInput, more = [] }: StatusBatchProps) {
  const { removeMany } = api
  const setStatus = (status: Status) => (ids: string[]) =>
    call(api.setStatus, { ids, status }) as Promise<RowResults>
  return (
    <BatchActions
      batch={batch}
      exporting={api.exportRows && { from: api.exportRows, within: fixedInput }}
      of={[
        {
          label: '启用',
          to: api.setStatus,
          onClick: () => batch.run('启用', setStatus('enabled')),
        },
        {
          label: '禁用',
          to: api.setStatus,
          onClick: () => batch.disable({ send: setStatus('disabled'), undo: setStatus('enabled') }),
        },
        ...more,
        ...(removeMany
          ? [
              {
                label: '删除',
                to: removeMany,
                danger: true,
                onClick: () =>
                  batch.confirmRun(
                    '删除',
                    (ids) => call(removeMany, { ids }) as Promise<RowResults>,
                  ),
              },
            ]
          : []),
      ]}
    />
  )
}

/** Status column of a configuration list. */
export const statusColumn = <T extends { status: Status }>(): TableColumnType<T> & {
  key: string
} => ({
  key: 'status',
  dataIndex: 'status',
  title: '状态',
  width: 62,
  render: (status: Status) => <StatusTag status={status} />,
})
