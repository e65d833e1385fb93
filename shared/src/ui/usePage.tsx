import Button from 'antd/es/button'
import Empty from 'antd/es/empty'
import type { TableColumnType, TableProps } from 'antd'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { parsePageParams } from '../client/pageInput'
import type { Endpoint } from '../contract/endpoint'
import { useCan } from '../session/can'
import { RetryAlert } from './retryAlert'
import { usePageRequest, type ParamChanges, type Row } from './usePage/usePageRequest'

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

/** Pager of a table inside a page, whose page number is not part of the address; a single page has none. */
export const buildInnerPagination = (
  { pageNo, pageSize, total }: { pageNo: number; pageSize: number; total: number | undefined },
  onChange: (pageNo: number) => void,
) => ({
  current: pageNo,
  pageSize,
  total,
  onChange,
  hideOnSinglePage: true,
  showSizeChanger: false,
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
