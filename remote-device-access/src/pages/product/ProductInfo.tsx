import { Descriptions } from 'antd'
import { getSelectedName } from '@iot/shared/contract/options'
import {
  authTypeText,
  dataFormatText,
  netText,
  nodeText,
} from '@iot/shared/contract/product/product'
import { Product, type ProductDetail } from '@iot/shared/contract/product/product.schema'
import { productTypeApi } from '@iot/shared/contract/product/productType.api'
import { getFieldTitle } from '@iot/shared/contract/fieldTitle'
import { formatValue } from '@iot/shared/ui/field'
import { usePickerOptions } from '@iot/shared/ui/useListed'

/** A value that is missing in the dictionary is shown by its code. */
const getTextOrCode = (texts: Record<string, string>, code: string) => texts[code] ?? code
const fieldFormatters: {
  [K in keyof Product]?: (product: ProductDetail, typeName: string) => string
} = {
  modelNo: ({ modelNo }) => modelNo,
  manufacturerName: ({ manufacturerName }) => manufacturerName,
  brandName: ({ brandName }) => brandName,
  categoryName: ({ categoryName, categoryVersion }) =>
    categoryVersion > 0 ? `${categoryName}（版本 ${categoryVersion}）` : categoryName,
  productType: (_, typeName) => typeName,
  node: ({ node }) => nodeText[node],
  net: ({ net }) => getTextOrCode(netText, net),
  protocol: ({ protocol, speaks: protocolDetails }) => protocolDetails?.name ?? protocol,
  controlTypes: ({ controlTypes, controls }) =>
    getSelectedName(
      controls.map(({ code, name }) => ({ value: code, label: name })),
      controlTypes,
    ),
  authType: ({ authType }) => authTypeText[authType],
  dataFormat: ({ dataFormat }) => dataFormatText[dataFormat],
  ratedPower: ({ ratedPower }) => formatValue(ratedPower),
  ratedLifeHours: ({ ratedLifeHours }) => formatValue(ratedLifeHours),
  deviceCount: ({ deviceCount }) => String(deviceCount),
  description: ({ description }) => description,
  createTime: ({ createTime }) => formatValue(createTime),
  updateTime: ({ updateTime }) => formatValue(updateTime),
}

export function ProductInfo({ product }: { product: ProductDetail }) {
  const { data: productTypes } = usePickerOptions(productTypeApi.list)
  const typeName = getSelectedName(
    productTypes?.map(({ code, name }) => ({ value: code, label: name })),
    product.productType,
  )
  return (
    <Descriptions
      column={2}
      items={Object.entries(fieldFormatters).map(([name, text]) => ({
        key: name,
        label: getFieldTitle(Product, name),
        children: text(product, typeName) || '—',
      }))}
    />
  )
}
