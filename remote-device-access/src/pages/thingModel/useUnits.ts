import useRequest from 'ahooks/es/useRequest'
import { call } from '@iot/shared/client/call'
import { dictionaryApi } from '@iot/shared/contract/platform/dictionary.api'

/** Reads the units of the dictionary for a picker; the list is empty until then. */
export function useUnits() {
  const { data } = useRequest(
    () => call(dictionaryApi.config, { type: 'symbol' }, { quiet: true }),
    { cacheKey: 'dictionary/symbol', staleTime: 300_000, retryCount: -1, retryInterval: 10_000 },
  )
  return data?.[0]?.configLists.map(({ code, description }) => ({
    value: code,
    label: `${code} ${description}`,
  }))
}
