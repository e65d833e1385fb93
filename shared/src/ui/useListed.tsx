import { useRequest } from 'ahooks'
import { call } from '../client/call'
import type { Endpoint, Input, Output } from '../contract/endpoint'

/**
 * What the platform lists to choose from; no `data` until it is there. What did not come is asked for again every ten
 * seconds, and is said where one chooses, see `listedOnly`.
 * @example const { data: manufacturers } = useListed(manufacturerApi.list)
 */
export function useListed<E extends Endpoint>(
  endpoint: E,
  { input = {} as Input<E>, ready = true } = {},
) {
  return useRequest((): Promise<Output<E>> => call(endpoint, input, { quiet: true }), {
    ready,
    refreshDeps: [JSON.stringify(input)],
    retryCount: -1,
    retryInterval: 10_000,
  })
}

/** Of a select: its choices, or that they are not known. */
export const listedOnly = <T,>(options: T[] | undefined) => ({
  options: options ?? [],
  ...(!options && { notFoundContent: '还没有取到选项' }),
})
