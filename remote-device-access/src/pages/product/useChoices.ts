import { brandApi } from '@iot/shared/contract/brand'
import { productCategoryApi } from '@iot/shared/contract/category'
import { communicationProtocolApi } from '@iot/shared/contract/communicationProtocol'
import { controlTypeApi } from '@iot/shared/contract/controlType'
import { dictionaryApi } from '@iot/shared/contract/dictionary'
import { manufacturerApi } from '@iot/shared/contract/manufacturer'
import { namedOptions } from '@iot/shared/contract/options'
import type { Product } from '@iot/shared/contract/product'
import { productTypeApi } from '@iot/shared/contract/productType'
import { treeOf } from '@iot/shared/contract/tree'
import { useListed } from '@iot/shared/ui/useListed'

const byCode = ({ code, name }: { code: string; name: string }) => ({ value: code, label: name })

/** Lists are read again when the window gets the focus, because missing rows are created in another window. */
const whenBack = true

/** Returns the options of the product form: enabled rows, and those that this product already uses. */
export function useChoices(manufacturerId: string, node: Product['node'], product?: Product) {
  const { data: manufacturers } = useListed(manufacturerApi.list, { whenBack })
  const { data: categories } = useListed(productCategoryApi.list, { whenBack })
  const { data: types } = useListed(dictionaryApi.config, { input: { type: 'net' } })
  const { data: protocols } = useListed(communicationProtocolApi.list, { whenBack })
  const { data: controlTypes } = useListed(controlTypeApi.list, { whenBack })
  const { data: productTypes } = useListed(productTypeApi.list, { whenBack })
  const { data: brands } = useListed(brandApi.page, {
    input: { manufacturerId, pageSize: 999 },
    ready: !!manufacturerId,
    whenBack,
  })
  const offered = (of: Product['node']) =>
    protocols?.filter(
      ({ code, status, nodes }) =>
        (status === 'enabled' && nodes.includes(of)) ||
        (code === product?.protocol && of === product.node),
    )
  return {
    manufacturers: namedOptions(
      manufacturers?.filter(
        ({ id, status }) => status === 'enabled' || id === product?.manufacturerId,
      ),
    ),
    brands: namedOptions(brands?.list),
    tree: categories && treeOf(categories),
    productTypes: productTypes
      ?.filter(({ code, status }) => status === 'enabled' || code === product?.productType)
      .map(({ code, name }) => ({ value: code, label: `${name} ${code}` })),
    nets: types?.[0]?.configLists
      .filter(({ code }) => code !== 'gateway' || node === 'sub')
      .map(({ code, description }) => ({ value: code, label: description })),
    protocols: offered(node)?.map(byCode),
    /** Returns the codes of the protocols for a node type. */
    offered: (of: Product['node']) => offered(of)?.map(({ code }) => code),
    controlTypes: controlTypes
      ?.filter(({ code, status }) => status === 'enabled' || product?.controlTypes.includes(code))
      .map(byCode),
  }
}
