import { useEventListener, useInterval, useRequest, useUnmount } from 'ahooks'
import { Alert, Button, Empty, type TableColumnType, type TableProps } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { call, CallError } from '../client/call'
import { pageInput } from '../client/pageInput'
import {
  codes,
  type Endpoint,
  type FieldErrors,
  type Input,
  type Output,
} from '../contract/endpoint'
import { unknownField } from '../contract/sentence'
import { useCan } from '../session/can'
import { store } from '../session/store'
import { tokenAtom } from '../session/user'

type Row<E> = Output<E> extends { list: (infer T)[] } ? T : never
/** The rows in sight, and of which page they are: the address may ask for another already. */
type Shown<E> = { list: Row<E>[]; total: number; more?: true; pageNo: number }
type Options = {
  /** What to do next when there is nothing yet. */
  empty: string
  /** The call that adds a row: who may not make it is told whom to ask. */
  create?: Pick<Endpoint, 'permission' | 'owner'>
  /** Its calls take an anchor: a page is asked for from the row the last one began with. */
  anchored?: true
  /** What the list always asks for beside the filters, such as the record it belongs to. */
  within?: Record<string, string | number>
  /** Why there is nothing to ask for, such as no project; said in place of the rows. */
  unless?: string | false
}

// Without rows of its own antd shows no `emptyText` while it loads, and the table has no height.
const noRows: never[] = []

// What sticks would stop at the inner edge of the page's gutter, and rows show beyond it.
const GUTTER = 12
/** How much of the pager is in sight at the foot of the page: the bar that scrolls sideways lies above it. */
const PAGER = 44
// Header of 40 px; the pager stays in sight while the rows scroll below it.
const listStyles = {
  header: { cell: { height: 40, paddingBlock: 8 } },
  pagination: {
    root: {
      position: 'sticky',
      bottom: -GUTTER,
      zIndex: 3,
      margin: 0,
      paddingBlock: 12,
      background: 'var(--ant-color-bg-container)',
    },
  },
} satisfies TableProps['styles']

/** What a link had in its address for others than the list, as the platform's refusal names it. */
function strangersIn(error: Error) {
  if (!(error instanceof CallError) || error.code !== codes.fields) return []
  const { fields } = error.data as FieldErrors
  return Object.keys(fields).filter((name) => fields[name] === unknownField(name))
}

function flash(id: string) {
  const cells = document.querySelectorAll(`tr[data-row-key="${CSS.escape(id)}"] > td`)
  const colors = ['var(--ant-color-primary-bg-hover)', 'var(--ant-color-bg-container)']
  for (const cell of cells) cell.animate({ background: colors }, 2000)
}

/**
 * Server-side paging whose page, size, filters and sort live in the address, so that reload, Back and a sent link show
 * the same rows, at once if they were seen a short while ago. While the next page loads, and when it fails, the previous rows stay; a failure is shown above them
 * with 重试, and is retried by itself every ten seconds and when the network returns.
 * @example const { table, filters, search } = usePage(brandApi.page, { empty: '…' }); <Table<Brand> columns={columns} {...table} />
 */
export function usePage<E extends Endpoint>(
  endpoint: E,
  { empty, create, anchored, within, unless }: Options,
) {
  const can = useCan()
  const [params, setParams] = useSearchParams()
  const { filters, sort, input: given, anchor, pageNo, pageSize } = pageInput(params)
  const input = { ...given, ...within }
  // An answer that is still on its way is for who asked.
  const asked = JSON.stringify([store.get(tokenAtom), endpoint.path, input, pageNo, pageSize])
  const from = anchored && anchor ? { anchor } : {}

  /** Changes these in the address and leaves the rest; an empty value goes away. */
  const change = (changes: Record<string, string | number | undefined>, replace = false) =>
    setParams(
      (now) => {
        const all = Object.entries({ ...Object.fromEntries(now), ...changes })
        return all
          .filter(([, value]) => value !== undefined && value !== '')
          .map(([name, value]) => [name, String(value)] as [string, string])
      },
      // A press that follows at once, such as 下一页 twice, is one upon what this one asked for.
      { replace, flushSync: true },
    )
  const search = (wanted: Record<string, string | undefined>) =>
    change({
      ...Object.fromEntries(Object.keys(filters).map((name) => [name, undefined])),
      ...wanted,
      pageNo: undefined,
      anchor: undefined,
    })

  // Who comes back would be given the answer that was on its way when one left, and not what happened since.
  const [leaving] = useState(() => new AbortController())
  useUnmount(() => leaving.abort())

  const request = useRequest(
    (isRetry = false): Promise<Shown<E>> =>
      call(
        endpoint,
        { ...input, ...from, pageNo, pageSize } as Input<E>,
        // A failure is said once, above the rows; what tries again by itself takes nobody away.
        { signal: leaving.signal, ...(isRetry ? { quiet: true } : { inline: true }) },
      ).then((page) => ({ ...(page as Shown<E>), pageNo })),
    {
      // Who comes back sees the rows of before at once, for five minutes, and the new ones when they are there.
      cacheKey: asked,
      ready: !unless,
      refreshDeps: [asked],
      onSuccess({ list, total }) {
        // The last row of the last page was removed.
        if (list.length === 0 && total > 0)
          change({ pageNo: Math.ceil(total / pageSize), anchor: undefined }, true)
      },
      onError(error) {
        const strangers = strangersIn(error)
        if (strangers.length > 0)
          change(Object.fromEntries(strangers.map((name) => [name, undefined])), true)
      },
    },
  )
  const { loading, run, runAsync } = request
  const data = unless ? undefined : request.data
  // What is asked once more without them has not failed.
  const error = !unless && request.error && strangersIn(request.error).length === 0 && request.error
  useInterval(() => run(true), error ? 10_000 : undefined)
  useEventListener('online', () => error && run(true))

  const refresh = () => run()
  /** Reads anew and lights up the row that was just saved. */
  const saved = (row?: unknown) => {
    const { id } = (row ?? {}) as { id?: string }
    // A failure is shown above the rows.
    runAsync().then(
      () => id && requestAnimationFrame(() => flash(id)),
      () => {},
    )
  }

  const isFiltered = Object.keys(filters).length > 0
  const table = {
    rowKey: 'id',
    dataSource: data?.list ?? noRows,
    sticky: { offsetHeader: -GUTTER, offsetScroll: PAGER },
    styles: listStyles,
    loading: { spinning: loading, delay: data ? 300 : 0 },
    pagination: {
      current: pageNo,
      pageSize,
      total: data?.total ?? 0,
      showSizeChanger: true,
      pageSizeOptions: [20, 50, 100],
      showTotal: (total) => `共 ${total.toLocaleString('zh-CN')}${data?.more ? '+' : ''} 条`,
    },
    onChange(pagination, _, sorter, { action }) {
      const { columnKey, order } = Array.isArray(sorter) ? sorter[0]! : sorter
      if (action === 'sort')
        change({
          sort: order ? `${order === 'descend' ? '-' : ''}${String(columnKey)}` : undefined,
          pageNo: undefined,
          anchor: undefined,
        })
      else {
        const first = data?.list[0] as { id: string } | undefined
        const isResized = pagination.pageSize !== pageSize
        change({
          pageNo: pagination.current,
          pageSize: pagination.pageSize,
          anchor: anchored && first && !isResized ? `${data!.pageNo}~${first.id}` : undefined,
        })
        // Another page is read from its first row, not from where the pager was.
        document.querySelector('main')?.scrollTo({ top: 0 })
      }
    },
    locale: {
      emptyText: unless ? (
        <Empty
          image={Empty.PRESENTED_IMAGE_SIMPLE}
          description={<span tabIndex={0}>{unless}</span>}
        />
      ) : data && !error ? (
        <Empty
          image={Empty.PRESENTED_IMAGE_SIMPLE}
          description={
            // Reached by the keyboard, for the table around it may have to be scrolled.
            <span tabIndex={0}>
              {isFiltered
                ? '没有符合条件的记录'
                : create && !can(create)
                  ? '还没有记录，请联系管理员添加'
                  : empty}
            </span>
          }
        >
          {isFiltered && (
            <Button size="small" onClick={() => search({})}>
              清除筛选
            </Button>
          )}
        </Empty>
      ) : (
        <div style={{ height: 120 }} />
      ),
    },
    ...(error && {
      title: () => (
        <FailedLine why={error.message} hasRows={!!data?.list.length} onRetry={refresh} />
      ),
    }),
    scroll: { x: 'max-content' },
  } satisfies TableProps<Row<E>>

  /** Lets the reader sort by this column. */
  const sortable = (name: string): Pick<TableColumnType<Row<E>>, 'sorter' | 'sortOrder'> => ({
    sorter: true,
    sortOrder: sort === name ? 'ascend' : sort === `-${name}` ? 'descend' : null,
  })

  return {
    table,
    rows: data?.list ?? [],
    total: data?.total ?? 0,
    filters,
    input,
    search,
    refresh,
    saved,
    sortable,
  }
}

/** Of a table beside a FailedLine: what it says without rows, and nothing where they were not read. */
export const whenEmpty = (data: unknown, words = '没有记录') => ({ emptyText: data ? words : ' ' })

type FailedLineProps = { why: string; hasRows: boolean; onRetry: () => void }

/** Says that what is shown could not be brought up to date, and offers another try. */
export const FailedLine = ({ why, hasRows, onRetry }: FailedLineProps) => (
  <Alert
    type="error"
    showIcon
    title={hasRows ? `没有取到最新数据，下面是上次的结果：${why}` : `没有取到数据：${why}`}
    action={
      <Button size="small" onClick={onRetry}>
        重试
      </Button>
    }
  />
)
