import { Brand, BrandDraft } from '@iot/shared/contract/product/brand.schema'
import { z } from 'zod'
import { createListConversion, createChoiceConversion } from '../../core/tasks/cellConversion'
import { createSheetColumns } from '../../core/tasks/sheet'
import { standardNameByCode } from '../category/policy'

/** Columns of a brand in an import file; the manufacturer is given by name. A cell cannot hold the logo. */
export const BrandLine = BrandDraft.omit({ manufacturerId: true, logo: true }).extend({
  manufacturerName: z
    .string()
    .min(1, '请填写厂商')
    .max(64, '厂商最多 64 个字')
    .meta({ title: '厂商' }),
})
export type BrandLine = z.infer<typeof BrandLine>

export const sheet = createSheetColumns(BrandLine, {
  name: '示例品牌',
  englishName: 'Example',
  manufacturerName: '示例照明有限公司',
  categories: {
    ...createListConversion(createChoiceConversion(standardNameByCode)),
    example: '灯、双色温灯',
  },
  servicePhone: '400-600-8000',
  website: '',
  sort: '1',
  status: '启用',
})
export const exportColumns = [...sheet, ...createSheetColumns(Brand, { updateTime: '' })]
