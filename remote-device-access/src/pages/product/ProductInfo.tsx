import { useRequest } from 'ahooks'
import { Descriptions } from 'antd'
import { call } from '@iot/shared/client/call'
import { dictionaryApi } from '@iot/shared/contract/dictionary'
import {
  authTypeText,
  dataFormatText,
  nodeText,
  Product,
  type ProductDetail,
} from '@iot/shared/contract/product'
import { productTypeApi } from '@iot/shared/contract/productType'
import { titleOf } from '@iot/shared/contract/titleOf'
import { shown } from '@iot/shared/ui/field'

const quiet = { quiet: true }
type Names = (of: 'productType' | 'net' | 'protocol', code: string) => string
const words: { [K in keyof Product]?: (product: ProductDetail, nameOf: Names) => string } = {
  modelNo: ({ modelNo }) => modelNo,
  manufacturerName: ({ manufacturerName }) => manufacturerName,
  brandName: ({ brandName }) => brandName,
  categoryName: ({ categoryName, categoryVersion }) =>
    categoryVersion > 0 ? `${categoryName}（版本 ${categoryVersion}）` : categoryName,
  productType: ({ productType }, nameOf) => nameOf('productType', productType),
  node: ({ node }) => nodeText[node],
  net: ({ net }, nameOf) => nameOf('net', net),
  protocol: ({ protocol }, nameOf) => nameOf('protocol', protocol),
  authType: ({ authType }) => authTypeText[authType],
  dataFormat: ({ dataFormat }) => dataFormatText[dataFormat],
  ratedPower: ({ ratedPower }) => shown(ratedPower),
  ratedLifeHours: ({ ratedLifeHours }) => shown(ratedLifeHours),
  deviceCount: ({ deviceCount }) => String(deviceCount),
  description: ({ description }) => description,
  createTime: ({ createTime }) => shown(createTime),
  updateTime: ({ updateTime }) => shown(updateTime),
}

export function ProductInfo({ product }: { product: ProductDetail }) {
  const { data: productTypes = [] } = useRequest(() => call(productTypeApi.list, {}, quiet))
  const { data: types = [] } = useRequest(() =>
    call(dictionaryApi.config, { type: 'net,protocol' }, quiet),
  )
  // What no list names any more is shown by its code.
  const nameOf: Names = (of, code) =>
    (of === 'productType'
      ? productTypes.find((one) => one.code === code)?.name
      : types.find(({ type }) => type === of)?.configLists.find((one) => one.code === code)
          ?.description) ?? code
  return (
    <Descriptions
      column={2}
      items={Object.entries(words).map(([name, text]) => ({
        key: name,
        label: titleOf(Product, name),
        children: text(product, nameOf) || '—',
      }))}
    />
  )
}
