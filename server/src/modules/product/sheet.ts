import {
  authTypeText,
  dataFormatText,
  netText,
  nodeText,
  Product,
  ProductDraft,
  productStatusText,
  protocolText,
} from '@iot/shared/contract/product'
import { lightType } from '@iot/shared/contract/light'
import { z } from 'zod'
import { severalOf, sheetOf, wordsOf } from '../../core/tasks/sheet'

const nameOf = (title: string) => z.string().max(64, `${title}最多 64 个字`).meta({ title })

/** Columns of a product in an import file; other rows are given by name. Functions come with the category. */
export const ProductRowDraft = ProductDraft.omit({
  manufacturerId: true,
  brandId: true,
  categoryId: true,
  icon: true,
  picture: true,
}).extend({
  manufacturerName: nameOf('厂商').min(1, '请填写厂商'),
  brandName: nameOf('品牌'),
  categoryName: nameOf('品类'),
})

const fields = {
  name: '示例吸顶灯',
  modelNo: 'SL-40',
  manufacturerName: '示例照明有限公司',
  brandName: '',
  categoryName: '',
  productType: lightType,
  node: { ...wordsOf(nodeText), example: nodeText.sub },
  net: { ...wordsOf(netText), example: '其他' },
  protocol: { ...wordsOf(protocolText), example: 'DALI' },
  controlTypes: {
    ...severalOf(),
    // Older files do not have this column.
    optional: true,
  },
  authType: { ...wordsOf(authTypeText), example: authTypeText.deviceSecret },
  dataFormat: { ...wordsOf(dataFormatText), example: dataFormatText.alink },
  ratedPower: '40',
  ratedLifeHours: '30000',
  description: '',
}
export const sheet = sheetOf(ProductRowDraft, fields)
/** Additional columns of an export. */
export const exported = [
  ...sheet,
  ...sheetOf(Product, {
    productKey: {},
    status: wordsOf(productStatusText),
    deviceCount: {},
    updateTime: {},
  }),
]
