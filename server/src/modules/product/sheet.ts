import {
  authTypeText,
  dataFormatText,
  netText,
  nodeText,
  productStatusText,
  protocolText,
} from '@iot/shared/contract/product/product'
import { Product, ProductDraft } from '@iot/shared/contract/product/product.schema'
import { lightProductType } from '@iot/shared/contract/control/light'
import { z } from 'zod'
import { createListConversion, createChoiceConversion } from '../../core/tasks/cellConversion'
import { createSheetColumns } from '../../core/tasks/sheet'

const nameField = (title: string) => z.string().max(64, `${title}最多 64 个字`).meta({ title })

/** Columns of a product in an import file; other rows are given by name. Functions come with the category. */
export const ProductRowDraft = ProductDraft.omit({
  manufacturerId: true,
  brandId: true,
  categoryId: true,
  icon: true,
  picture: true,
}).extend({
  manufacturerName: nameField('厂商').min(1, '请填写厂商'),
  brandName: nameField('品牌'),
  categoryName: nameField('品类'),
})

const columnOptions = {
  name: '示例吸顶灯',
  modelNo: 'SL-40',
  manufacturerName: '示例照明有限公司',
  brandName: '',
  categoryName: '',
  productType: lightProductType,
  node: { ...createChoiceConversion(nodeText), example: nodeText.sub },
  net: { ...createChoiceConversion(netText), example: '其他' },
  protocol: { ...createChoiceConversion(protocolText), example: 'DALI' },
  controlTypes: {
    ...createListConversion(),
    // Older files do not have this column.
    optional: true,
  },
  authType: { ...createChoiceConversion(authTypeText), example: authTypeText.deviceSecret },
  dataFormat: { ...createChoiceConversion(dataFormatText), example: dataFormatText.alink },
  ratedPower: '40',
  ratedLifeHours: '30000',
  description: '',
}
export const sheet = createSheetColumns(ProductRowDraft, columnOptions)
/** Additional columns of an export. */
export const exportColumns = [
  ...sheet,
  ...createSheetColumns(Product, {
    productKey: {},
    status: createChoiceConversion(productStatusText),
    deviceCount: {},
    updateTime: {},
  }),
]
