import useEventListener from 'ahooks/es/useEventListener'
import useInterval from 'ahooks/es/useInterval'
import useRequest from 'ahooks/es/useRequest'
import useUnmount from 'ahooks/es/useUnmount'
import { useState } from 'react'
import { call, CallError } from '../../client/call'
import {
  responseCodes,
  type Endpoint,
  type FieldErrors,
  type Input,
  type Output,
} from '../../contract/endpoint'
import { formatUnknownField } from '../../contract/defaultMessage'
import { store } from '../../session/store'
import { tokenAtom } from '../../session/user'

export type Row<E> = Output<E> extends { list: (infer T)[] } ? T : never
/** The displayed rows with their page number; the address may already name another page. */
type DisplayedPage<E> = { list: Row<E>[]; total: number; more?: true; pageNo: number }
export type ParamChanges = Record<string, string | number | undefined>

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
export function usePageRequest<E extends Endpoint>(
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
