import { useLatest } from 'ahooks'
import { Button, Flex, Table, Tag, type TableProps } from 'antd'
import { useAtom, useAtomValue } from 'jotai'
import { useState, type Key, type ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { ignoreHandled as ignoreHandledCall } from '../client/call'
import type { RowResults } from '../contract/fields.schema'
import { currentProjectIdAtom } from '../session/project'
import { selectedIdsAtom } from '../session/selected'
import { useFeedback } from './feedback'
import { ExportButton, type ExportEndpoint } from './importExport'
import { Can, type RowAction } from './right'

const resultColumns: TableProps<RowResults[number]>['columns'] = [
  { title: '名称', dataIndex: 'name', ellipsis: true },
  {
    title: '结果',
    dataIndex: 'ok',
    width: 80,
    render: (ok: boolean) => (ok ? '成功' : <Tag color="error">失败</Tag>),
  },
  { title: '原因', dataIndex: 'reason', render: (reason?: string) => reason ?? '—' },
]

/** Remotes import this function of `client/call` from here. */
export const ignoreHandled = ignoreHandledCall

type SendBatch = (ids: string[]) => Promise<RowResults>
type DisableOptions = {
  send: SendBatch
  undo: SendBatch
  ids?: string[]
  title?: string
  content?: string
}
/** Seconds for which a bulk change can be undone. */
const undoWindowSeconds = 15

/** A selection expires after the same time in ms as cached rows. */
const selectionLifetimeMs = 5 * 60_000

function useSelectedIds() {
  const { pathname, search } = useLocation()
  const listKey = pathname + (new URLSearchParams(search).get('tab') ?? '')
  const [selectionByList, setSelectionByList] = useAtom(selectedIdsAtom)
  const [selectedIds, setSelectedIds] = useState(() => {
    const { ids, time } = selectionByList[listKey] ?? { ids: [], time: 0 }
    return Date.now() - time < selectionLifetimeMs ? ids : []
  })
  // A selection is cleared when the project changes, because the rows are those of another project.
  const projectId = useAtomValue(currentProjectIdAtom)
  const [selectionProjectId, setSelectionProjectId] = useState(projectId)
  if (selectionProjectId !== projectId) {
    setSelectionProjectId(projectId)
    setSelectedIds([])
  }
  const rememberIds = (ids: string[]) =>
    setSelectionByList((previous) => ({ ...previous, [listKey]: { ids, time: Date.now() } }))
  return [
    selectedIds,
    useLatest(selectedIds),
    (ids: string[]) => (setSelectedIds(ids), rememberIds(ids)),
  ] as const
}

/**
 * Bulk operations: the selected rows and the result of each. Failed rows stay selected; `run` also accepts other ids.
 * @example const { selection, selected, run } = useBatch(refresh); run('启用', (ids) => call(brandApi.setStatus, { ids,
 * status: 'enabled' }))
 */
export function useBatch(refresh: () => void) {
  const { modal, message } = useFeedback()
  const [selectedIds, latestIds, setSelectedIds] = useSelectedIds()

  async function run(
    verb: string,
    send: SendBatch,
    ids = selectedIds,
    { isQuiet = false }: { isQuiet?: boolean } = {},
  ) {
    const rows = await send(ids).catch(ignoreHandled)
    if (!rows) return
    const failedRows = rows.filter(({ ok }) => !ok)
    // Rows selected in the meantime stay selected.
    const succeededIds = new Set(rows.filter(({ ok }) => ok).map(({ id }) => id))
    if (ids === selectedIds) setSelectedIds(latestIds.current.filter((id) => !succeededIds.has(id)))
    refresh()
    if (failedRows.length === 0 && isQuiet) return
    if (failedRows.length === 0) return void message.success(`已${verb} ${rows.length} 条`)
    modal.warning({
      title: `${verb}：成功 ${rows.length - failedRows.length} 条，失败 ${failedRows.length} 条`,
      width: 640,
      content: (
        <Table
          size="small"
          rowKey="id"
          columns={resultColumns}
          dataSource={[...failedRows, ...rows.filter(({ ok }) => ok)]}
          pagination={false}
          scroll={{ y: 320 }}
        />
      ),
    })
  }

  /** Runs a bulk operation after a confirmation. */
  const confirmAndRun = (verb: string, send: (ids: string[]) => Promise<RowResults>) =>
    modal.confirm({
      title: `${verb}选中的 ${selectedIds.length} 条？`,
      content: `${verb}后不能恢复。`,
      okText: verb,
      okButtonProps: { danger: true },
      onOk: () => run(verb, send),
    })

  /** Disables rows after a confirmation with their number; the undo enables the rows that this call disabled. */
  function disable({ send, undo, ids = selectedIds, title, content }: DisableOptions) {
    const key = `disabled ${ids.join()}`
    async function sendUndoable(wantedIds: string[]) {
      const rows = await send(wantedIds)
      const changedIds = rows
        .filter(({ changed: wasChanged = true, ok }) => ok && wasChanged)
        .map(({ id }) => id)
      if (changedIds.length > 0) offerUndo(changedIds)
      return rows
    }
    function offerUndo(changedIds: string[]) {
      const enableAgain = () => {
        message.destroy(key)
        run('恢复启用', undo, changedIds).catch(ignoreHandled)
      }
      const content = (
        <>
          已禁用 {changedIds.length} 条
          <Button type="link" size="small" onClick={enableAgain}>
            撤销
          </Button>
        </>
      )
      message.open({ key, type: 'success', duration: undoWindowSeconds, content })
    }
    return modal.confirm({
      title: title ?? `禁用选中的 ${ids.length} 条？`,
      content,
      okText: '禁用',
      okButtonProps: { danger: true },
      onOk: () => run('禁用', sendUndoable, ids, { isQuiet: true }),
    })
  }

  const selection = {
    columnTitle: renderSelectionTitle,
    selectedRowKeys: selectedIds,
    preserveSelectedRowKeys: true,
    onChange: (keys: Key[]) => setSelectedIds(keys.map(String)),
    getTitleCheckboxProps: () => ({ 'aria-label': '全选本页' }),
    getCheckboxProps: ({ name }: { name: string }) => ({ 'aria-label': `选择“${name}”` }),
  }
  return {
    selection,
    selected: selectedIds,
    run,
    confirmRun: confirmAndRun,
    disable,
    clear: () => setSelectedIds([]),
  }
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

export type Batch = ReturnType<typeof useBatch>
type BatchBarProps = { count: number; onClear: () => void; children: ReactNode }

/** Actions on the selected rows; the bar covers the toolbar that contains it. */
export const BatchBar = ({ count, onClear, children }: BatchBarProps) =>
  count > 0 && (
    <Flex
      wrap
      gap={8}
      align="start"
      role="toolbar"
      aria-label="批量操作"
      style={{
        position: 'absolute',
        // The covered buttons have a shadow below.
        inset: '0 0 -3px',
        lineHeight: '32px',
        alignContent: 'start',
        zIndex: 3,
        background: 'var(--ant-color-bg-container)',
      }}
    >
      <span style={{ marginInlineEnd: 4, whiteSpace: 'nowrap' }}>已选 {count} 条</span>
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
      <Button danger={danger} onClick={() => void onClick()}>
        {label}
      </Button>
    </Can>
  )
  return (
    <BatchBar count={batch.selected.length} onClear={batch.clear}>
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
