import { useRequest } from 'ahooks'
import type { ReactNode } from 'react'
import { call } from '../client/call'
import type { Endpoint, Input, Output } from '../contract/endpoint'
import { chosenName, type Known } from '../contract/options'

/**
 * What the platform lists to choose from; no `data` until it is there. What did not come is asked for again every ten
 * seconds, and is said where one chooses, see `listedOnly`. `whenBack`: also when one comes back to the window, having
 * made there what was missing.
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
/** The same of a tree to choose from: what is chosen and not in it stands in it by its name, for itself. */
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

/** Of a select: its choices, or that they are not known. What is chosen has a name at once where its row brought it. */
export const listedOnly = <T,>(options: T[] | undefined, known?: Known) => ({
  options: options ?? [],
  labelRender: ({ label, value }: { label?: ReactNode; value?: unknown }): ReactNode =>
    label ?? chosenName(options && [], value, known),
  ...(!options && { notFoundContent: '还没有取到选项' }),
})
