import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Flex from 'antd/es/flex'
import { useState, type Key, type ReactNode } from 'react'
import { ignoreHandled as ignoreHandledCall } from '../client/call'
import { maxSelectedRows } from '../contract/fields'
import type { RowResults } from '../contract/fields.schema'
import { useDisable, type RunOptions, type SendBatch } from './batch/useDisable'
import { useResultReport } from './batch/useResultReport'
import { useSelection } from './batch/useSelection'
import { useFeedback } from './feedback'
import {
  findOutdatedRows,
  readFilterSelection,
  sendInPortions,
  type FilteredList,
} from './filterSelection'
import { ExportButton, type ExportEndpoint } from './importExport'
import { Can, type RowAction } from './right'

/** Remotes import this function of `client/call` from here. */
export const ignoreHandled = ignoreHandledCall

const filterHint = '执行前重新读取筛选结果，已变化的记录会跳过并列出原因。'

/** Selected rows stay selected on other pages, where the user does not see them. */
function countOffPage(list: FilteredList | undefined, selectedIds: string[]) {
  if (!list) return 0
  const pageIds = new Set(list.rows.map(({ id }) => id))
  return selectedIds.filter((id) => !pageIds.has(id)).length
}

/**
 * Bulk operations: the selected rows and the result of each. Failed rows stay selected; `run` also accepts other ids.
 * Given a list instead of its `refresh`, all rows of its filter can be selected.
 * @example const { selection, selected, run } = useBatch(list); run('启用', (ids) => call(brandApi.setStatus, { ids,
 * status: 'enabled' }))
 */
export function useBatch(source: (() => void) | FilteredList) {
  const { modal } = useFeedback()
  const list = typeof source === 'function' ? undefined : source
  const refresh = typeof source === 'function' ? source : source.refresh
  const [{ ids: selectedIds, filter }, latestSelection, setSelection] = useSelection()
  const [isRunning, setRunning] = useState(false)
  const showResults = useResultReport()
  const { loading: isSelecting, run: selectFiltered } = useRequest(
    async ({ endpoint, input }: FilteredList) => {
      const filterSelection = await readFilterSelection(endpoint, input)
      setSelection({ ids: Object.keys(filterSelection.rows), filter: filterSelection })
    },
    { manual: true, onError: () => {} },
  )

  /** Returns results for the selected rows that no longer match their filter; other ids are not checked. */
  const findOutdated = async (ids: string[]) =>
    ids === latestSelection.current.ids ? findOutdatedRows(filter, ids) : []

  /**
   * Sends a bulk call in portions. Rows that were selected by a filter and no longer match it, or were changed since,
   * are left out and reported.
   */
  async function send(ids: string[], sendPortion: SendBatch) {
    const outdatedRows = await findOutdated(ids)
    const outdatedIds = new Set(outdatedRows.map(({ id }) => id))
    const rows = await sendInPortions(
      ids.filter((id) => !outdatedIds.has(id)),
      sendPortion,
    )
    return [...outdatedRows, ...rows]
  }

  /** Shows the results of a bulk call on the selected rows; those that succeeded are no longer selected. */
  function report(verb: string, rows: RowResults, { isQuiet = false }: RunOptions = {}) {
    // Rows selected in the meantime stay selected.
    const succeededIds = new Set(rows.filter(({ ok }) => ok).map(({ id }) => id))
    const { ids, filter: latestFilter } = latestSelection.current
    setSelection({ ids: ids.filter((id) => !succeededIds.has(id)), filter: latestFilter })
    refresh()
    showResults(verb, rows, isQuiet)
  }

  async function sendAndReport(
    verb: string,
    sendPortion: SendBatch,
    ids = selectedIds,
    options: RunOptions = {},
  ) {
    setRunning(true)
    const rows = await send(ids, sendPortion)
      .catch(ignoreHandled)
      .finally(() => setRunning(false))
    if (!rows) return []
    if (ids === selectedIds) report(verb, rows, options)
    else {
      refresh()
      showResults(verb, rows, options.isQuiet)
    }
    return rows
  }
  const run = async (...args: Parameters<typeof sendAndReport>) =>
    void (await sendAndReport(...args))
  const offPageCount = countOffPage(list, selectedIds)
  /** Names the selected rows in a question. @example describeSelected('台', '设备') // 选中的 3 台设备 */
  function describeSelected(unit = '条', noun = '') {
    const offPageText = offPageCount > 0 ? `（其中 ${offPageCount} ${unit}不在本页）` : ''
    return `选中的 ${selectedIds.length} ${unit}${noun}${offPageText}`
  }
  const disable = useDisable(sendAndReport, selectedIds, describeSelected())

  /** Runs a bulk operation after a confirmation. */
  const confirmAndRun = (verb: string, sendPortion: SendBatch) =>
    modal.confirm({
      title: `${verb}${describeSelected()}？`,
      content: `${verb}后不能恢复。${filter ? filterHint : ''}`,
      okText: verb,
      okButtonProps: { danger: true },
      onOk: () => run(verb, sendPortion),
    })

  const selection = {
    columnTitle: renderSelectionTitle,
    selectedRowKeys: selectedIds,
    preserveSelectedRowKeys: true,
    onChange: (keys: Key[]) => setSelection({ ids: keys.map(String), filter }),
    getTitleCheckboxProps: () => ({ 'aria-label': '全选本页' }),
    getCheckboxProps: ({ name }: { name: string }) => ({ 'aria-label': `选择“${name}”` }),
  }
  return {
    selection,
    selected: selectedIds,
    run,
    /** Sends and reports in two steps, for dialogs that show errors at their fields. */
    send,
    report,
    findOutdated,
    isRunning,
    offPageCount,
    describeSelected,
    confirmRun: confirmAndRun,
    disable,
    clear: () => setSelection({ ids: [] }),
    /** Present while all rows of the page are selected and the filter has more. */
    filterOffer: list &&
      hasMoreToSelect(list, selectedIds) && {
        total: list.total,
        isTooLarge: list.hasMore || list.total > maxSelectedRows,
        isSelecting,
        select: () => selectFiltered(list),
      },
  }
}

const hasMoreToSelect = ({ rows, total, hasMore }: FilteredList, selectedIds: string[]) => {
  if (rows.length === 0 || (selectedIds.length >= total && !hasMore)) return false
  const selected = new Set(selectedIds)
  return rows.every(({ id }) => selected.has(id))
}

/** antd renders a hidden second header to measure it; its checkbox must not be focusable. */
const InertIfHidden = ({ children }: { children: ReactNode }) => (
  <span
    ref={(element) => {
      if (element?.closest('[aria-hidden=true]')) element.inert = true
    }}
  >
    {children}
  </span>
)

/** Title of the selection column, with the checkbox of the header. */
export const renderSelectionTitle = (checkbox: ReactNode) => (
  <InertIfHidden>{checkbox}</InertIfHidden>
)

type BatchState = ReturnType<typeof useBatch>
type AddedMember =
  | 'send'
  | 'report'
  | 'findOutdated'
  | 'isRunning'
  | 'filterOffer'
  | 'offPageCount'
  | 'describeSelected'
/** Remotes that were built before pass a batch without the members that were added since. */
export type Batch = Omit<BatchState, AddedMember> & Partial<Pick<BatchState, AddedMember>>
type BatchBarProps = {
  count: number
  onClear: () => void
  /** Follows the count. */
  extra?: ReactNode
  children: ReactNode
}

/** Offers to select all rows of the filter, or says why that is not possible. */
const FilterOffer = ({ total, isTooLarge, isSelecting, select }: FilterOfferProps) =>
  isTooLarge ? (
    <span style={{ color: 'var(--ant-color-text-secondary)' }}>
      筛选结果超过 {maxSelectedRows} 条，不能一次全选
    </span>
  ) : (
    <Button
      type="link"
      size="small"
      style={{ marginBlock: 4 }}
      loading={isSelecting}
      onClick={select}
    >
      选择筛选出的全部 {total} 条
    </Button>
  )
type FilterOfferProps = Exclude<Batch['filterOffer'], false | undefined>

/** Actions on the selected rows; the bar covers the toolbar that contains it. */
export const BatchBar = ({ count, onClear, extra, children }: BatchBarProps) =>
  count > 0 && (
    <Flex
      wrap
      gap={8}
      align="start"
      role="toolbar"
      aria-label="批量操作"
      style={{
        position: 'absolute',
        // The covered buttons have a shadow below; on a narrow page the bar is higher and covers the head of the table too.
        inset: '0 0 auto',
        minHeight: 'calc(100% + 3px)',
        paddingBlockEnd: 3,
        lineHeight: '32px',
        alignContent: 'start',
        // The sticky head of a table has 19.
        zIndex: 20,
        background: 'var(--ant-color-bg-container)',
      }}
    >
      <span style={{ marginInlineEnd: 4, whiteSpace: 'nowrap' }}>已选 {count} 条</span>
      {extra}
      {children}
      <Button type="link" size="small" style={{ marginBlock: 4 }} onClick={onClear}>
        取消选择
      </Button>
    </Flex>
  )

type BatchActionsProps = {
  batch: Batch
  of: RowAction[]
  /** Export call of the list with its constant input. */
  exporting?: { from: ExportEndpoint; within?: Record<string, unknown> }
}

/**
 * Bulk calls and export of the selected rows. An irreversible action comes last.
 * @example <BatchActions batch={batch} of={[{ label: '启用', to: userApi.setEnabled, onClick: enable }]} />
 */
export function BatchActions({ batch, of: actions, exporting }: BatchActionsProps) {
  const button = ({ label, to, unless: disabledReason, danger, onClick }: RowAction) => (
    <Can key={label} to={to} unless={disabledReason}>
      <Button danger={danger} disabled={batch.isRunning} onClick={() => void onClick()}>
        {label}
      </Button>
    </Can>
  )
  return (
    <BatchBar
      count={batch.selected.length}
      onClear={batch.clear}
      extra={
        <>
          {!!batch.offPageCount && (
            <span style={{ color: 'var(--ant-color-text-secondary)' }}>
              其中 {batch.offPageCount} 条不在本页
            </span>
          )}
          {batch.filterOffer && <FilterOffer {...batch.filterOffer} />}
        </>
      }
    >
      {actions.filter(({ danger }) => !danger).map(button)}
      {exporting && (
        <ExportButton from={exporting.from} input={{ ...exporting.within, ids: batch.selected }} />
      )}
      {actions.filter(({ danger }) => danger).map(button)}
    </BatchBar>
  )
}

/** @deprecated Use {@link ignoreHandled}; kept for remotes that were built before. */
export const quietly = ignoreHandled

/** @deprecated Use {@link renderSelectionTitle}; kept for remotes that were built before. */
export const quietTitle = renderSelectionTitle
