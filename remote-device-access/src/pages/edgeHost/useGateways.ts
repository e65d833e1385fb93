import { useRequest } from 'ahooks'
import { call } from '@iot/shared/client/call'
import { productApi } from '@iot/shared/contract/product'

/** Products of which a host can be. */
export function useGateways() {
  const { data = [] } = useRequest(() => call(productApi.list, {}))
  return data
    .filter(({ node, status }) => node === 'gateway' && status !== 'disabled')
    .map(({ id, name, modelNo }) => ({
      value: id,
      label: modelNo ? `${name}（${modelNo}）` : name,
    }))
}
