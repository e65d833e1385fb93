import useRequest from 'ahooks/es/useRequest'
import { call } from '../client/call'
import type { Endpoint, Input, Output } from '../contract/endpoint'

type PollingOptions = {
  intervalMs: number
  /** A change reads at once, besides a change of the input. */
  refreshDeps?: unknown[]
}

/**
 * Reads at an interval what the live channel does not carry, while the page is visible. A failure is returned and not
 * announced, because the next read comes soon.
 * @example const { data, error, refresh } = usePolling(handoverApi.state, { projectId }, { intervalMs: 15_000 })
 */
export const usePolling = <E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  { intervalMs, refreshDeps = [] }: PollingOptions,
) =>
  useRequest((): Promise<Output<E>> => call(endpoint, input, { quiet: true }), {
    refreshDeps: [JSON.stringify(input), ...refreshDeps],
    pollingInterval: intervalMs,
    pollingWhenHidden: false,
  })
