import { useRequest } from 'ahooks'
import type { ReactNode } from 'react'
import { call } from '../client/call'
import type { Endpoint, Input, Output } from '../contract/endpoint'
import { chosenName, type Known } from '../contract/options'

/**
 * Loads options for pickers; a failure is retried every ten seconds and shown in the popup, see `listedOnly`.
 * `whenBack` also reloads when the window regains focus, because the user may have added a missing option elsewhere.
 * @example const { data: manufacturers } = useListed(manufacturerApi.list)
 */
export function useListed<E extends Endpoint>(
  endpoint: E,
  { input = {} as Input<E>, ready = true, whenBack = false } = {},
) {
  return useRequest((): Promise<Output<E>> => call(endpoint, input, { quiet: true }), {
    ready,
    refreshDeps: [JSON.stringify(input)],
    refreshOnWindowFocus: whenBack,
    retryCount: -1,
    retryInterval: 10_000,
  })
}

type Node = { value: string; title: string; disabled?: boolean; children: Node[] }
/** Tree data of a tree select; a chosen value that the tree lacks is added with its name. */
export function withChosen<N extends Node>(
  nodes: N[] | undefined,
  value: string | null | undefined,
  known?: Known,
) {
  const holds = (list: Node[]): boolean =>
    list.some((one) => one.value === value || holds(one.children))
  const own = { value: value ?? '', title: chosenName(nodes && [], value, known), disabled: true }
  return {
    treeData: [
      ...(value && !holds(nodes ?? []) ? [{ ...own, children: [] }] : []),
      ...(nodes ?? []),
    ],
    ...(!nodes && { notFoundContent: '还没有取到选项' }),
  }
}

/** Select properties for loaded or missing options. A chosen value has its name at once if its row contains it. */
export const listedOnly = <T,>(options: T[] | undefined, known?: Known) => ({
  options: options ?? [],
  labelRender: ({ label, value }: { label?: ReactNode; value?: unknown }): ReactNode =>
    label ?? chosenName(options && [], value, known),
  ...(!options && { notFoundContent: '还没有取到选项' }),
})
