import { Descriptions } from 'antd'
import { chosenName } from '@iot/shared/contract/options'
import {
  authTypeText,
  dataFormatText,
  netText,
  nodeText,
  Product,
  type ProductDetail,
} from '@iot/shared/contract/product'
import { productTypeApi } from '@iot/shared/contract/productType'
import { titleOf } from '@iot/shared/contract/titleOf'
import { shown } from '@iot/shared/ui/field'
import { useListed } from '@iot/shared/ui/useListed'

/** A value that is missing in the dictionary is shown by its code. */
const named = (texts: Record<string, string>, code: string) => texts[code] ?? code
const words: { [K in keyof Product]?: (product: ProductDetail, typeName: string) => string } = {
  modelNo: ({ modelNo }) => modelNo,
  manufacturerName: ({ manufacturerName }) => manufacturerName,
  brandName: ({ brandName }) => brandName,
  categoryName: ({ categoryName, categoryVersion }) =>
    categoryVersion > 0 ? `${categoryName}（版本 ${categoryVersion}）` : categoryName,
  productType: (_, typeName) => typeName,
  node: ({ node }) => nodeText[node],
  net: ({ net }) => named(netText, net),
  protocol: ({ protocol, speaks }) => speaks?.name ?? protocol,
  controlTypes: ({ controlTypes, controls }) =>
    chosenName(
      controls.map(({ code, name }) => ({ value: code, label: name })),
      controlTypes,
    ),
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
  const { data: productTypes } = useListed(productTypeApi.list)
  const typeName = chosenName(
    productTypes?.map(({ code, name }) => ({ value: code, label: name })),
    product.productType,
  )
  return (
    <Descriptions
      column={2}
      items={Object.entries(words).map(([name, text]) => ({
        key: name,
        label: titleOf(Product, name),
        children: text(product, typeName) || '—',
      }))}
    />
  )
}
