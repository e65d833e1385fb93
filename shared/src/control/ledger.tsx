import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Drawer from 'antd/es/drawer'
import Segmented from 'antd/es/segmented'
import Table from 'antd/es/table'
import Tag from 'antd/es/tag'
import type { TableColumnsType } from 'antd'
import { useState } from 'react'
import { call } from '../client/call'
import { ledgerStateText } from '../contract/control/control'
import type { ControlTask, LedgerRow, LedgerState } from '../contract/control/control.schema'
import { controlApi } from '../contract/control/control.api'
import { buildEmptyLocale, buildInnerPagination } from '../ui/usePage'
import { RetryAlert } from '../ui/retryAlert'
import { useMediaQuery } from '../ui/useMedia'
import * as styles from './tasks.module.css'

const colourByState: Partial<Record<LedgerState, string>> = {
  failed: 'error',
  timeout: 'error',
  unknown: 'warning',
  overridden: 'warning',
  confirmed: 'warning',
  sent: 'processing',
  delivered: 'processing',
}

/** The filters use the same words as the counts of the task, and only those with entries are shown. */
const stateGroups = {
  failed: ['失败', 'failed', 'timeout'],
  unknown: ['结果未知', 'unknown'],
  confirmed: ['已确认（未上报）', 'confirmed'],
  overridden: ['被覆盖', 'overridden'],
  running: ['执行中', 'queued', 'sent', 'delivered'],
  skipped: ['跳过', 'skipped'],
  cancelled: ['取消', 'cancelled'],
  success: ['成功', 'success'],
} satisfies Record<string, [string, ...LedgerState[]]>
type StateGroup = keyof typeof stateGroups

const pageSize = 50

type ShowOnPlan = (deviceId: string, floorId: string) => void

/** @param isNarrow leaves the widths to the content, so that the reason is in sight on a phone */
const buildColumns = (
  onLocate: ShowOnPlan | undefined,
  isNarrow: boolean,
): TableColumnsType<LedgerRow> => [
  {
    title: '设备',
    dataIndex: 'name',
    width: isNarrow ? undefined : 160,
    render: (name: string, { deviceId, floorId }) =>
      onLocate && floorId ? (
        <Button
          type="link"
          size="small"
          className={styles.locate}
          title="在平面图上看"
          onClick={() => onLocate(deviceId, floorId)}
        >
          {name}
        </Button>
      ) : (
        name
      ),
  },
  { title: '位置', dataIndex: 'place', width: 224, responsive: ['sm'] },
  {
    title: '结果',
    dataIndex: 'state',
    width: isNarrow ? undefined : 136,
    render: (state: LedgerState) =>
      state === 'success' ? (
        ledgerStateText[state]
      ) : (
        <Tag color={colourByState[state]}>{ledgerStateText[state]}</Tag>
      ),
  },
  { title: '原因', dataIndex: 'reason' },
]

type LedgerTableProps = { task: ControlTask; onLocate?: ShowOnPlan }

/** Lists the ledger entries of a control task device by device, filtered by their state. */
export function LedgerTable({ task, onLocate }: LedgerTableProps) {
  const [stateFilter, setStateFilter] = useState<'all' | StateGroup>('all')
  const [pageNo, setPageNo] = useState(1)
  const state = stateFilter === 'all' ? undefined : stateGroups[stateFilter].slice(1).join(',')
  const { data, error, loading, refresh } = useRequest(
    () => call(controlApi.ledger, { id: task.id, state, pageNo, pageSize }, { quiet: true }),
    {
      refreshDeps: [task.id, state, pageNo, JSON.stringify(task.counts)],
      throttleWait: 500,
      // A filtered list may have shrunk, so an empty page returns to the first.
      onSuccess: ({ list, total }) => list.length === 0 && total > 0 && setPageNo(1),
    },
  )
  const isNarrow = useMediaQuery('(max-width: 575px)')
  const { counts } = task
  const isRunning = task.status === 'running'

  return (
    <>
      <Segmented
        value={stateFilter}
        onChange={(group: typeof stateFilter) => {
          setStateFilter(group)
          setPageNo(1)
        }}
        options={[
          { value: 'all', label: `全部 ${task.total}` },
          ...(Object.keys(stateGroups) as StateGroup[]).flatMap((value) => {
            const [groupLabel, ...states]: [string, ...LedgerState[]] = stateGroups[value]
            const count = states.reduce((sum, state) => sum + counts[state], 0)
            return count > 0 || value === stateFilter
              ? { value, label: `${groupLabel} ${count}` }
              : []
          }),
        ]}
      />
      {error && (
        <RetryAlert
          style={{ marginTop: 12 }}
          type="warning"
          title={error.message}
          onRetry={refresh}
        />
      )}
      <Table<LedgerRow>
        style={{ marginTop: 12 }}
        size="small"
        rowKey="deviceId"
        columns={buildColumns(onLocate, isNarrow)}
        scroll={isNarrow ? undefined : { x: 640 }}
        dataSource={data?.list}
        locale={buildEmptyLocale(data)}
        loading={loading && !(isRunning && data)}
        pagination={buildInnerPagination({ pageNo, pageSize, total: data?.total }, setPageNo)}
      />
    </>
  )
}

type LedgerProps = LedgerTableProps & { onClose: () => void }

/** Shows the ledger of a control task in a drawer. */
const Ledger = ({ task, onLocate, onClose }: LedgerProps) => (
  <Drawer open title={task.title} size={720} onClose={onClose}>
    {task.approvedBy && (
      <p style={{ marginTop: 0 }}>
        {task.createByName || task.createBy} 申请，{task.approvedByName || task.approvedBy}{' '}
        同意：受保护的设备也在其中
      </p>
    )}
    <LedgerTable task={task} onLocate={onLocate} />
  </Drawer>
)
export default Ledger
