import Descriptions from 'antd/es/descriptions'
import { getSelectedName } from '@iot/shared/contract/options'
import {
  authTypeText,
  dataFormatText,
  netText,
  nodeText,
} from '@iot/shared/contract/product/product'
import { Product, type ProductDetail } from '@iot/shared/contract/product/product.schema'
import { productTypeApi } from '@iot/shared/contract/product/productType.api'
import { buildFieldItems, formatValue } from '@iot/shared/ui/field'
import { usePickerOptions } from '@iot/shared/ui/useListed'

/** A value that is missing in the dictionary is shown by its code. */
const getTextOrCode = (texts: Record<string, string>, code: string) => texts[code] ?? code
const formatFields = (
  product: ProductDetail,
  typeName: string,
): { [K in keyof Product]?: string } => ({
  modelNo: product.modelNo,
  manufacturerName: product.manufacturerName,
  brandName: product.brandName,
  categoryName:
    product.categoryVersion > 0
      ? `${product.categoryName}（版本 ${product.categoryVersion}）`
      : product.categoryName,
  productType: typeName,
  node: nodeText[product.node],
  net: getTextOrCode(netText, product.net),
  protocol: product.speaks?.name ?? product.protocol,
  controlTypes: getSelectedName(
    product.controls.map(({ code, name }) => ({ value: code, label: name })),
    product.controlTypes,
  ),
  authType: authTypeText[product.authType],
  dataFormat: dataFormatText[product.dataFormat],
  ratedPower: formatValue(product.ratedPower),
  ratedLifeHours: formatValue(product.ratedLifeHours),
  deviceCount: String(product.deviceCount),
  description: product.description,
  createTime: formatValue(product.createTime),
  updateTime: formatValue(product.updateTime),
})

export function ProductInfo({ product }: { product: ProductDetail }) {
  const { data: productTypes } = usePickerOptions(productTypeApi.list)
  const typeName = getSelectedName(
    productTypes?.map(({ code, name }) => ({ value: code, label: name })),
    product.productType,
  )
  return (
    <Descriptions column={2} items={buildFieldItems(Product, formatFields(product, typeName))} />
  )
}
