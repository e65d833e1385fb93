import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import Table from 'antd/es/table'
import Tag from 'antd/es/tag'
import type { TableColumnType } from 'antd'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import { toTextOptions } from '@iot/shared/contract/options'
import {
  undecidedRecordDays,
  maxUndecidedRecords,
  refusedRecordDays,
  maxRefusedRecords,
  registrationStateText,
  registrationWayText,
} from '@iot/shared/contract/device/registration'
import {
  RegistrationRecord,
  type RegistrationState,
} from '@iot/shared/contract/device/registration.schema'
import { registrationRecordApi } from '@iot/shared/contract/device/registration.api'
import { currentProjectIdAtom, projectsAtom } from '@iot/shared/session/project'
import { BatchActions, useBatch, type Batch } from '@iot/shared/ui/batch'
import { useConfirmWithReason } from '@iot/shared/ui/confirmWithReason'
import { renderCode, column, formatValue } from '@iot/shared/ui/field'
import { choiceFilter, Filters, textFilter } from '@iot/shared/ui/filters'
import { ExportButton } from '@iot/shared/ui/importExport'
import { lazyDialog } from '@iot/shared/ui/lazyPart'
import { Can, RowActions } from '@iot/shared/ui/right'
import { Toolbar } from '@iot/shared/ui/toolbar'
import { useColumns } from '@iot/shared/ui/useColumns'
import { usePage } from '@iot/shared/ui/usePage'
import { useNoProjectHint } from '../device/useNoProjectHint'
import { DroppedRecordsNote } from './DroppedRecordsNote'

const ApproveForm = lazyDialog(() => import('./ApproveForm'))
const { approve, reject: rejectEndpoint, removeMany, exportRows } = registrationRecordApi
const stateOptions = toTextOptions(registrationStateText)
const stateColors = { pending: 'processing', conflict: 'error' } as Record<
  RegistrationState,
  string
>
const maxReasonLength = 200
const explainDecided = ({ state }: RegistrationRecord) =>
  (state === 'done' || state === 'approved') && '已经注册'

/** Lists unknown serial numbers seen in the current project, for approval or rejection. */
export default function RegistrationRecords() {
  const projectId = useAtomValue(currentProjectIdAtom)
  const project = useAtomValue(projectsAtom).find(({ id }) => id === projectId)
  const { filters, input, search, refresh, sortable, ...pageList } = usePage(
    registrationRecordApi.page,
    {
      empty: '当前项目还没有序列号出现过；设备按规则注册，或网关发现它以后，会列在这里',
      within: { projectId },
      unless: useNoProjectHint(),
    },
  )
  const batch = useBatch({ ...pageList, input, refresh })
  const [recordToApprove, setRecordToApprove] = useState<RegistrationRecord>()
  /** The states that the list shows; rows selected on other pages have none. */
  const readStates = (ids: string[]) => {
    const shownRows = pageList.table.dataSource?.filter(({ id }) => ids.includes(id)) ?? []
    return Object.fromEntries(shownRows.map(({ id, state }) => [id, state]))
  }
  const reject = useRejection(batch, projectId, readStates)

  const {
    columns,
    size,
    scroll,
    chooser: columnChooser,
  } = useColumns<RegistrationRecord>(
    'registrationRecord',
    createRecordColumns({
      sortable,
      onReject: (row) => reject([row.id]),
      onApprove: setRecordToApprove,
    }),
    ['address', 'count'],
  )

  return (
    <Flex vertical gap={12}>
      <Toolbar
        filters={
          <Filters
            filters={filters}
            search={search}
            of={[
              textFilter('deviceName', '序列号', 160),
              choiceFilter('state', '状态', stateOptions, 100),
            ]}
          />
        }
        batch={
          <BatchActions
            batch={batch}
            exporting={{ from: exportRows, within: { projectId } }}
            of={[
              { label: '拒绝', to: rejectEndpoint, onClick: () => reject(batch.selected) },
              {
                label: '删除',
                to: removeMany,
                danger: true,
                onClick: () => {
                  const states = readStates(batch.selected)
                  batch.confirmRun('删除', (ids) =>
                    call(removeMany, { ids, projectId, states: pickStates(states, ids) }),
                  )
                },
              },
            ]}
          />
        }
      >
        <span style={{ color: 'var(--ant-color-text-secondary)' }}>
          当前项目：{formatValue(project?.fullname ?? project?.name)}
        </span>
        {columnChooser}
        <ExportButton from={exportRows} input={input} />
      </Toolbar>
      <span style={{ color: 'var(--ant-color-text-secondary)' }}>
        {`每个产品，没有人处理过的记录保留最近 ${maxUndecidedRecords} 条、${undecidedRecordDays} 天，被人拒绝的 ${maxRefusedRecords} 条、${refusedRecordDays} 天`}
        <DroppedRecordsNote
          key={projectId}
          projectId={projectId}
          with={pageList.table.dataSource}
        />
      </span>
      <Table<RegistrationRecord>
        size={size}
        columns={columns}
        rowSelection={{
          ...batch.selection,
          getCheckboxProps: ({ deviceName }) => ({ 'aria-label': `选择“${deviceName}”` }),
        }}
        expandable={{
          rowExpandable: ({ payload }) => payload !== null,
          expandedRowRender: ({ payload }) => (
            <>
              首次报文（不含签名）
              <pre style={{ margin: 0 }}>{JSON.stringify(payload, null, 2)}</pre>
            </>
          ),
        }}
        {...pageList.table}
        scroll={scroll}
      />
      {recordToApprove && (
        <ApproveForm
          record={recordToApprove}
          projectId={projectId}
          onSaved={refresh}
          onClose={() => setRecordToApprove(undefined)}
        />
      )}
    </Flex>
  )
}

type ShownStates = Record<string, RegistrationState>
const pickStates = (states: ShownStates, ids: string[]): ShownStates =>
  Object.fromEntries(Object.entries(states).filter(([id]) => ids.includes(id)))

/** Asks for a reason before serial numbers are rejected. */
function useRejection(batch: Batch, projectId: number, readStates: (ids: string[]) => ShownStates) {
  const confirmWithReason = useConfirmWithReason()
  return (ids: string[]) => {
    const shownStates = readStates(ids)
    confirmWithReason({
      draft: `rejection/${ids.join()}`,
      title: ids.length === 1 ? '拒绝这个序列号？' : `拒绝选中的 ${ids.length} 个序列号？`,
      placeholder: '原因（可不填）',
      maxLength: maxReasonLength,
      okText: '拒绝',
      onOk: (reason, discardReason) =>
        batch.run(
          '拒绝',
          async (portionIds) => {
            const states = pickStates(shownStates, portionIds)
            const results = await call(rejectEndpoint, {
              ids: portionIds,
              projectId,
              states,
              reason,
            })
            discardReason()
            return results
          },
          ids,
        ),
    })
  }
}

type RecordColumnsOptions = {
  sortable: ReturnType<typeof usePage<typeof registrationRecordApi.page>>['sortable']
  onReject: (row: RegistrationRecord) => void
  onApprove: (row: RegistrationRecord) => void
}

const createRecordColumns = ({
  sortable,
  onReject,
  onApprove,
}: RecordColumnsOptions): TableColumnType<RegistrationRecord>[] => [
  {
    ...column(RegistrationRecord, 'deviceName'),
    ...sortable('deviceName'),
    width: 126,
    ellipsis: true,
    render: renderCode,
  },
  { ...column(RegistrationRecord, 'productName'), width: 108, ellipsis: true },
  { ...column(RegistrationRecord, 'gatewayName'), width: 100, ellipsis: true },
  {
    ...column(RegistrationRecord, 'way'),
    width: 94,
    render: (_, { way }) => registrationWayText[way],
  },
  {
    ...column(RegistrationRecord, 'state'),
    width: 84,
    render: (state: RegistrationState) =>
      stateColors[state] ? (
        <Tag color={stateColors[state]}>{registrationStateText[state]}</Tag>
      ) : (
        registrationStateText[state]
      ),
  },
  // The reason is not truncated, because the decision depends on it.
  { ...column(RegistrationRecord, 'reason'), width: 170 },
  { ...column(RegistrationRecord, 'address'), width: 120, ellipsis: true },
  { ...column(RegistrationRecord, 'count'), ...sortable('count'), width: 76, align: 'right' },
  { ...column(RegistrationRecord, 'lastTime'), ...sortable('lastTime'), width: 160 },
  {
    title: <>操作</>,
    width: 94,
    fixed: 'right',
    render: (_, row) => (
      <RowActions
        name={row.deviceName}
        more={[
          {
            label: '拒绝',
            to: rejectEndpoint,
            unless: explainDecided(row),
            danger: true,
            onClick: () => onReject(row),
          },
        ]}
      >
        <Can to={approve} unless={explainDecided(row)}>
          <Button type="link" size="small" onClick={() => onApprove(row)}>
            {row.state === 'conflict' ? '处理' : '通过'}
          </Button>
        </Can>
      </RowActions>
    ),
  },
]
