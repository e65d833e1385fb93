import { Descriptions } from 'antd'
import {
  authTypeText,
  dataFormatText,
  nodeText,
  Product,
  type ProductDetail,
} from '@iot/shared/contract/product'
import { titleOf } from '@iot/shared/contract/titleOf'
import { shown } from '@iot/shared/ui/field'

const words: { [K in keyof Product]?: (product: ProductDetail) => string } = {
  modelNo: ({ modelNo }) => modelNo,
  manufacturerName: ({ manufacturerName }) => manufacturerName,
  categoryName: ({ categoryName, categoryVersion }) =>
    categoryVersion > 0 ? `${categoryName}（版本 ${categoryVersion}）` : categoryName,
  productType: ({ productType }) => productType,
  node: ({ node }) => nodeText[node],
  net: ({ net }) => net,
  protocol: ({ protocol }) => protocol,
  authType: ({ authType }) => authTypeText[authType],
  dataFormat: ({ dataFormat }) => dataFormatText[dataFormat],
  ratedPower: ({ ratedPower }) => shown(ratedPower),
  ratedLifeHours: ({ ratedLifeHours }) => shown(ratedLifeHours),
  deviceCount: ({ deviceCount }) => String(deviceCount),
  description: ({ description }) => description,
  createTime: ({ createTime }) => shown(createTime),
  updateTime: ({ updateTime }) => shown(updateTime),
}

export const ProductInfo = ({ product }: { product: ProductDetail }) => (
  <Descriptions
    column={2}
    items={Object.entries(words).map(([name, text]) => ({
      key: name,
      label: titleOf(Product, name),
      children: text(product) || '—',
    }))}
  />
)
