import useEventListener from 'ahooks/es/useEventListener'
import useInterval from 'ahooks/es/useInterval'
import useRequest from 'ahooks/es/useRequest'
import useUnmount from 'ahooks/es/useUnmount'
import Button from 'antd/es/button'
import Empty from 'antd/es/empty'
import type { TableColumnType, TableProps } from 'antd'
import { useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { call, CallError } from '../client/call'
import { parsePageParams } from '../client/pageInput'
import {
  responseCodes,
  type Endpoint,
  type FieldErrors,
  type Input,
  type Output,
} from '../contract/endpoint'
import { formatUnknownField } from '../contract/defaultMessage'
import { useCan } from '../session/can'
import { store } from '../session/store'
import { tokenAtom } from '../session/user'
import { RetryAlert } from './retryAlert'

type Row<E> = Output<E> extends { list: (infer T)[] } ? T : never
/** The displayed rows with their page number; the address may already name another page. */
type DisplayedPage<E> = { list: Row<E>[]; total: number; more?: true; pageNo: number }
type Options = {
  /** Next step for the user if the list is empty. */
  empty: string
  /** A way to the first row besides the sentence, for users who may add one. */
  emptyAction?: ReactNode
  /** The call that adds a row; users without its permission are referred to an administrator. */
  create?: Pick<Endpoint, 'permission' | 'owner'>
  /** The calls take an anchor: a page is requested relative to the first row of the previous one. */
  anchored?: true
  /** Constant input besides the filters, such as the record that the list belongs to. */
  within?: Record<string, string | number>
  /** Reason why nothing can be listed, such as a missing project; it is shown instead of rows. */
  unless?: string | false
}

// antd shows no `emptyText` while it loads without rows, and the table would have no height.
const noRows: never[] = []

// Sticky elements would stop at the inner edge of the page's gutter, and rows would show beyond it.
const gutterPx = 12
/** Visible height of the pager at the foot of the page; the horizontal scrollbar lies above it. */
const pagerHeightPx = 44
// The header is 40 px high, and the pager stays visible while the rows scroll.
const listStyles = {
  header: { cell: { height: 40, paddingBlock: 8 } },
  pagination: {
    root: {
      position: 'sticky',
      bottom: -gutterPx,
      zIndex: 3,
      margin: 0,
      paddingBlock: 12,
      background: 'var(--ant-color-bg-container)',
    },
  },
} satisfies TableProps['styles']

/** Returns parameters of the address that the server refuses as unknown; they belong to another screen. */
function findUnknownParams(error: Error) {
  if (!(error instanceof CallError) || error.code !== responseCodes.fields) return []
  const { fields } = error.data as FieldErrors
  return Object.keys(fields).filter((name) => fields[name] === formatUnknownField(name))
}

function highlightRow(id: string) {
  const cells = document.querySelectorAll(`tr[data-row-key="${CSS.escape(id)}"] > td`)
  const colors = ['var(--ant-color-primary-bg-hover)', 'var(--ant-color-bg-container)']
  for (const cell of cells) cell.animate({ background: colors }, 2000)
}

/**
 * Server-side paging with page, size, filters and sort in the address, so that reload, Back and shared links show the
 * same rows, at once if they are cached. The previous rows stay while the next page loads or fails; a failure is shown
 * above them with 重试 and retried every ten seconds and when the network returns.
 * @example const { table, filters, search } = usePage(brandApi.page, { empty: '…' }); <Table<Brand> columns={columns}
 * {...table} />
 */
export function usePage<E extends Endpoint>(
  endpoint: E,
  {
    empty,
    emptyAction,
    create,
    anchored: usesAnchor,
    within: fixedInput,
    unless: refusalReason,
  }: Options,
) {
  const canCreate = useCanAdd(create)
  const { filters, sort, filterInput, anchor, pageNo, pageSize, changeParams, search } =
    usePageParams()
  const input = { ...filterInput, ...fixedInput }
  const { data, error, loading, refresh, refreshAndHighlight } = usePageRequest(endpoint, {
    input,
    anchorInput: usesAnchor && anchor ? { anchor } : {},
    pageNo,
    pageSize,
    isReady: !refusalReason,
    changeParams,
  })

  const isFiltered = Object.keys(filters).length > 0
  const table = {
    rowKey: 'id',
    dataSource: data?.list ?? noRows,
    sticky: { offsetHeader: -gutterPx, offsetScroll: pagerHeightPx },
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
        changeParams({
          sort: order ? `${order === 'descend' ? '-' : ''}${String(columnKey)}` : undefined,
          pageNo: undefined,
          anchor: undefined,
        })
      else {
        const firstRow = data?.list[0] as { id: string } | undefined
        const isResized = pagination.pageSize !== pageSize
        changeParams({
          pageNo: pagination.current,
          pageSize: pagination.pageSize,
          anchor:
            usesAnchor && firstRow && !isResized ? `${data!.pageNo}~${firstRow.id}` : undefined,
        })
        // A new page starts at its first row.
        document.querySelector('main')?.scrollTo({ top: 0 })
      }
    },
    locale: {
      emptyText: refusalReason ? (
        renderEmptyText(refusalReason, canCreate && emptyAction)
      ) : data && !error ? (
        renderEmptyText(
          isFiltered ? '没有符合条件的记录' : canCreate ? empty : '还没有记录，请联系管理员添加',
          isFiltered ? (
            <Button size="small" onClick={() => search({})}>
              清除筛选
            </Button>
          ) : (
            canCreate && emptyAction
          ),
        )
      ) : (
        <div style={{ height: 120 }} />
      ),
    },
    ...(error && {
      title: () => (
        <LoadErrorAlert why={error.message} hasRows={!!data?.list.length} onRetry={refresh} />
      ),
    }),
    scroll: { x: 'max-content' },
  } satisfies TableProps<Row<E>>

  /** Makes a column sortable. */
  const getSortProps = (name: string): Pick<TableColumnType<Row<E>>, 'sorter' | 'sortOrder'> => ({
    sorter: true,
    sortOrder: sort === name ? 'ascend' : sort === `-${name}` ? 'descend' : null,
  })

  return {
    table,
    rows: data?.list ?? [],
    total: data?.total ?? 0,
    hasMore: !!data?.more,
    filters,
    endpoint,
    input,
    search,
    refresh,
    saved: refreshAndHighlight,
    sortable: getSortProps,
  }
}

function useCanAdd(create: Options['create']) {
  const can = useCan()
  return !create || can(create)
}

type ParamChanges = Record<string, string | number | undefined>

/** Page, size, filters and sort in the address. */
function usePageParams() {
  const [params, setParams] = useSearchParams()
  const { input: filterInput, ...parsedParams } = parsePageParams(params)

  /** Changes parameters of the address and keeps the others; an empty value is removed. */
  const changeParams = (changes: ParamChanges, replace = false) =>
    setParams(
      (currentParams) => {
        const allParams = Object.entries({ ...Object.fromEntries(currentParams), ...changes })
        return allParams
          .filter(([, value]) => value !== undefined && value !== '')
          .map(([name, value]) => [name, String(value)] as [string, string])
      },
      // A second press right after the first, such as 下一页 twice, must build on the new address.
      { replace, flushSync: true },
    )
  const search = (newFilters: Record<string, string | undefined>) =>
    changeParams({
      ...Object.fromEntries(Object.keys(parsedParams.filters).map((name) => [name, undefined])),
      ...newFilters,
      pageNo: undefined,
      anchor: undefined,
    })
  return { ...parsedParams, filterInput, changeParams, search }
}

type PageRequestOptions = {
  input: object
  /** Where the page begins; the anchor is no part of the cache key. */
  anchorInput: object
  pageNo: number
  pageSize: number
  isReady: boolean
  changeParams: (changes: ParamChanges, replace?: boolean) => void
}

/** Loads the page that the address names, and leaves pages and parameters that do not exist. */
function usePageRequest<E extends Endpoint>(
  endpoint: E,
  { input, anchorInput, pageNo, pageSize, isReady, changeParams }: PageRequestOptions,
) {
  // The token is part of the cache key, so that a pending response is never shown to another user.
  const requestKey = JSON.stringify([store.get(tokenAtom), endpoint.path, input, pageNo, pageSize])
  // A pending response would be cached and shown after a return to the list, although it may be outdated.
  const [unmountController] = useState(() => new AbortController())
  useUnmount(() => unmountController.abort())

  const request = useRequest(
    (isRetry = false): Promise<DisplayedPage<E>> =>
      call(
        endpoint,
        { ...input, ...anchorInput, pageNo, pageSize } as Input<E>,
        // A failure is shown once above the rows; a background retry never leaves the page.
        { signal: unmountController.signal, ...(isRetry ? { quiet: true } : { inline: true }) },
      ).then((page) => ({ ...(page as DisplayedPage<E>), pageNo })),
    {
      // Rows are cached for five minutes and shown at once after a return, until the new ones arrive.
      cacheKey: requestKey,
      ready: isReady,
      refreshDeps: [requestKey],
      onSuccess({ list, total }) {
        // The last row of the last page was removed.
        if (list.length === 0 && total > 0)
          changeParams({ pageNo: Math.ceil(total / pageSize), anchor: undefined }, true)
      },
      onError(error) {
        const unknownParams = findUnknownParams(error)
        if (unknownParams.length > 0)
          changeParams(Object.fromEntries(unknownParams.map((name) => [name, undefined])), true)
      },
    },
  )
  const { loading, run, runAsync } = request
  const data = isReady ? request.data : undefined
  // A request that is repeated without the unknown parameters has not failed.
  const error =
    isReady && request.error && findUnknownParams(request.error).length === 0 && request.error
  useInterval(() => run(true), error ? 10_000 : undefined)
  useEventListener('online', () => error && run(true))

  const refresh = () => run()
  /** Reloads the list and highlights the saved row. */
  const refreshAndHighlight = (row?: unknown) => {
    const { id } = (row ?? {}) as { id?: string }
    // The failure is shown above the rows.
    runAsync().then(
      () => id && requestAnimationFrame(() => highlightRow(id)),
      () => {},
    )
  }
  return { data, error, loading, refresh, refreshAndHighlight }
}

const renderEmptyText = (text: string, action?: ReactNode) => (
  <Empty
    image={Empty.PRESENTED_IMAGE_SIMPLE}
    // The text is focusable, because the keyboard must be able to scroll the table around it.
    description={<span tabIndex={0}>{text}</span>}
  >
    {action}
  </Empty>
)

/** Empty text of a table next to a `LoadErrorAlert`; blank if the rows could not be read. */
export const buildEmptyLocale = (data: unknown, message = '没有记录') => ({
  emptyText: data ? message : ' ',
})

type LoadErrorAlertProps = { why: string; hasRows: boolean; onRetry: () => void }

/** Shows that the data could not be updated and offers a retry. */
export const LoadErrorAlert = ({ why: reason, hasRows, onRetry }: LoadErrorAlertProps) => (
  <RetryAlert
    type="error"
    title={hasRows ? `没有取到最新数据，下面是上次的结果：${reason}` : `没有取到数据：${reason}`}
    onRetry={onRetry}
  />
)

/** @deprecated Use {@link buildEmptyLocale}; kept for remotes that were built before. */
export const whenEmpty = buildEmptyLocale

/** @deprecated Use {@link LoadErrorAlert}; kept for remotes that were built before. */
export const FailedLine = LoadErrorAlert
