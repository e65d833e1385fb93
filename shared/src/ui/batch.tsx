import { useLatest } from 'ahooks'
import { App, Button, Flex, Table, Tag, type TableProps } from 'antd'
import { useAtom, useAtomValue } from 'jotai'
import { useState, type Key, type ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { CallError } from '../client/call'
import type { PerRow } from '../contract/fields'
import { currentProjectIdAtom } from '../session/project'
import { selectedAtom } from '../session/selected'
import { Export, type ExportFrom } from './importExport'
import { Right, type More } from './right'

const columns: TableProps<PerRow[number]>['columns'] = [
  { title: '名称', dataIndex: 'name', ellipsis: true },
  {
    title: '结果',
    dataIndex: 'ok',
    width: 80,
    render: (ok: boolean) => (ok ? '成功' : <Tag color="error">失败</Tag>),
  },
  { title: '原因', dataIndex: 'reason', render: (reason?: string) => reason ?? '—' },
]

/** Ignores a CallError, which `call` has already shown, and throws any other error. */
export const quietly = (error: unknown) => {
  if (!(error instanceof CallError)) throw error
}

type Send = (ids: string[]) => Promise<PerRow>
type Disabling = { send: Send; undo: Send; ids?: string[]; title?: string; content?: string }
/** Seconds for which a bulk change can be undone. */
const undoSeconds = 15

/** A selection expires after the same time in ms as cached rows. */
const memory = 5 * 60_000

function useSelected() {
  const { pathname, search } = useLocation()
  const list = pathname + (new URLSearchParams(search).get('tab') ?? '')
  const [all, remember] = useAtom(selectedAtom)
  const [selected, select] = useState(() => {
    const { ids, time } = all[list] ?? { ids: [], time: 0 }
    return Date.now() - time < memory ? ids : []
  })
  // A selection is cleared when the project changes, because the rows are those of another project.
  const projectId = useAtomValue(currentProjectIdAtom)
  const [of, setOf] = useState(projectId)
  if (of !== projectId) {
    setOf(projectId)
    select([])
  }
  const keep = (ids: string[]) =>
    remember((before) => ({ ...before, [list]: { ids, time: Date.now() } }))
  return [selected, useLatest(selected), (ids: string[]) => (select(ids), keep(ids))] as const
}

/**
 * Bulk operations: the selected rows and the result of each. Failed rows stay selected; `run` also accepts other ids.
 * @example const { selection, selected, run } = useBatch(refresh); run('启用', (ids) => call(brandApi.setStatus, { ids,
 * status: 'enabled' }))
 */
export function useBatch(refresh: () => void) {
  const { modal, message } = App.useApp()
  const [selected, now, setSelected] = useSelected()

  async function run(
    verb: string,
    send: Send,
    ids = selected,
    { isQuiet = false }: { isQuiet?: boolean } = {},
  ) {
    const rows = await send(ids).catch(quietly)
    if (!rows) return
    const failed = rows.filter(({ ok }) => !ok)
    // Rows selected in the meantime stay selected.
    const done = new Set(rows.filter(({ ok }) => ok).map(({ id }) => id))
    if (ids === selected) setSelected(now.current.filter((id) => !done.has(id)))
    refresh()
    if (failed.length === 0 && isQuiet) return
    if (failed.length === 0) return void message.success(`已${verb} ${rows.length} 条`)
    modal.warning({
      title: `${verb}：成功 ${rows.length - failed.length} 条，失败 ${failed.length} 条`,
      width: 640,
      content: (
        <Table
          size="small"
          rowKey="id"
          columns={columns}
          dataSource={[...failed, ...rows.filter(({ ok }) => ok)]}
          pagination={false}
          scroll={{ y: 320 }}
        />
      ),
    })
  }

  /** Runs a bulk operation after a confirmation. */
  const confirmRun = (verb: string, send: (ids: string[]) => Promise<PerRow>) =>
    modal.confirm({
      title: `${verb}选中的 ${selected.length} 条？`,
      content: `${verb}后不能恢复。`,
      okText: verb,
      okButtonProps: { danger: true },
      onOk: () => run(verb, send),
    })

  /** Disables rows after a confirmation with their number; the undo enables the rows that this call disabled. */
  function disable({ send, undo, ids = selected, title, content }: Disabling) {
    const key = `disabled ${ids.join()}`
    async function sendUndoable(wanted: string[]) {
      const rows = await send(wanted)
      const changed = rows.filter(({ changed = true, ok }) => ok && changed).map(({ id }) => id)
      if (changed.length > 0) offerUndo(changed)
      return rows
    }
    function offerUndo(changed: string[]) {
      const enableAgain = () => {
        message.destroy(key)
        void run('恢复启用', undo, changed)
      }
      const content = (
        <>
          已禁用 {changed.length} 条
          <Button type="link" size="small" onClick={enableAgain}>
            撤销
          </Button>
        </>
      )
      message.open({ key, type: 'success', duration: undoSeconds, content })
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
    columnTitle: quietTitle,
    selectedRowKeys: selected,
    preserveSelectedRowKeys: true,
    onChange: (keys: Key[]) => setSelected(keys.map(String)),
    getTitleCheckboxProps: () => ({ 'aria-label': '全选本页' }),
    getCheckboxProps: ({ name }: { name: string }) => ({ 'aria-label': `选择“${name}”` }),
  }
  return { selection, selected, run, confirmRun, disable, clear: () => setSelected([]) }
}

/** antd renders a hidden second header to measure it; its checkbox must not be focusable. */
const Quiet = ({ children }: { children: ReactNode }) => (
  <span
    ref={(at) => {
      if (at?.closest('[aria-hidden=true]')) at.inert = true
    }}
  >
    {children}
  </span>
)

/** Title of the selection column, with the checkbox of the header. */
export const quietTitle = (box: ReactNode) => <Quiet>{box}</Quiet>

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
  of: More[]
  /** Export call of the list with its constant input. */
  exporting?: { from: ExportFrom; within?: Record<string, unknown> }
}

/**
 * Bulk calls and export of the selected rows. An irreversible action comes last.
 * @example <BatchActions batch={batch} of={[{ label: '启用', to: userApi.setEnabled, onClick: enable }]} />
 */
export function BatchActions({ batch, of, exporting }: BatchActionsProps) {
  const button = ({ label, to, unless, danger, onClick }: More) => (
    <Right key={label} to={to} unless={unless}>
      <Button danger={danger} onClick={() => void onClick()}>
        {label}
      </Button>
    </Right>
  )
  return (
    <BatchBar count={batch.selected.length} onClear={batch.clear}>
      {of.filter(({ danger }) => !danger).map(button)}
      {exporting && (
        <Export from={exporting.from} input={{ ...exporting.within, ids: batch.selected }} />
      )}
      {of.filter(({ danger }) => danger).map(button)}
    </BatchBar>
  )
}
