import { productApi } from '@iot/shared/contract/product/product.api'
import { usePickerOptions } from '@iot/shared/ui/useListed'

/** Reads the products that a host can belong to. */
export function useGatewayOptions() {
  const { data } = usePickerOptions(productApi.list)
  return data
    ?.filter(({ node, status }) => node === 'gateway' && status !== 'disabled')
    .map(({ id, name, modelNo }) => ({
      value: id,
      label: modelNo ? `${name}（${modelNo}）` : name,
    }))
}
