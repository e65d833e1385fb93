import { productApi } from '@iot/shared/contract/product'
import { useListed } from '@iot/shared/ui/useListed'

/** Products of which a host can be. */
export function useGateways() {
  const { data } = useListed(productApi.list)
  return data
    ?.filter(({ node, status }) => node === 'gateway' && status !== 'disabled')
    .map(({ id, name, modelNo }) => ({
      value: id,
      label: modelNo ? `${name}（${modelNo}）` : name,
    }))
}
