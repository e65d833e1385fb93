import useRequest from 'ahooks/es/useRequest'
import type { ReactNode } from 'react'
import { call } from '../client/call'
import type { Endpoint, Input, Output } from '../contract/endpoint'
import { getSelectedName, type NamesById } from '../contract/options'

/**
 * Loads options for pickers; a failure is retried every ten seconds and shown in the popup, see `buildSelectProps`.
 * `shouldReloadOnFocus` also reloads when the window regains focus, because the user may have added a missing option elsewhere.
 * @example const { data: manufacturers } = usePickerOptions(manufacturerApi.list)
 */
export function usePickerOptions<E extends Endpoint>(
  endpoint: E,
  { input = {} as Input<E>, ready = true, whenBack: shouldReloadOnFocus = false } = {},
) {
  return useRequest((): Promise<Output<E>> => call(endpoint, input, { quiet: true }), {
    ready,
    refreshDeps: [JSON.stringify(input)],
    refreshOnWindowFocus: shouldReloadOnFocus,
    retryCount: -1,
    retryInterval: 10_000,
  })
}

type Node = { value: string; title: string; disabled?: boolean; children: Node[] }
/** Tree data of a tree select; a chosen value that the tree lacks is added with its name. */
export function buildTreeSelectProps<N extends Node>(
  nodes: N[] | undefined,
  value: string | null | undefined,
  knownNames?: NamesById,
) {
  const containsValue = (list: Node[]): boolean =>
    list.some((node) => node.value === value || containsValue(node.children))
  const missingNode = {
    value: value ?? '',
    title: getSelectedName(nodes && [], value, knownNames),
    disabled: true,
  }
  return {
    treeData: [
      ...(value && !containsValue(nodes ?? []) ? [{ ...missingNode, children: [] }] : []),
      ...(nodes ?? []),
    ],
    ...(!nodes && { notFoundContent: '还没有取到选项' }),
  }
}

/** Select properties for loaded or missing options. A chosen value has its name at once if its row contains it. */
export const buildSelectProps = <T,>(options: T[] | undefined, knownNames?: NamesById) => ({
  options: options ?? [],
  labelRender: ({ label, value }: { label?: ReactNode; value?: unknown }): ReactNode =>
    label ?? getSelectedName(options && [], value, knownNames),
  ...(!options && { notFoundContent: '还没有取到选项' }),
})

/** @deprecated Use {@link usePickerOptions}; kept for remotes that were built before. */
export const useListed = usePickerOptions

/** @deprecated Use {@link buildTreeSelectProps}; kept for remotes that were built before. */
export const withChosen = buildTreeSelectProps

/** @deprecated Use {@link buildSelectProps}; kept for remotes that were built before. */
export const listedOnly = buildSelectProps
