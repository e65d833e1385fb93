import { Brand, BrandDraft } from '@iot/shared/contract/brand'
import { z } from 'zod'
import { severalOf, sheetOf, wordsOf } from '../../core/tasks/sheet'
import { standardTitles } from '../category/policy'

/** Columns of a brand in an import file; the manufacturer is given by name. A cell cannot hold the logo. */
export const BrandLine = BrandDraft.omit({ manufacturerId: true, logo: true }).extend({
  manufacturerName: z
    .string()
    .min(1, '请填写厂商')
    .max(64, '厂商最多 64 个字')
    .meta({ title: '厂商' }),
})
export type BrandLine = z.infer<typeof BrandLine>

export const sheet = sheetOf(BrandLine, {
  name: '示例品牌',
  englishName: 'Example',
  manufacturerName: '示例照明有限公司',
  categories: { ...severalOf(wordsOf(standardTitles)), example: '灯、双色温灯' },
  servicePhone: '400-600-8000',
  website: '',
  sort: '1',
  status: '启用',
})
export const exported = [...sheet, ...sheetOf(Brand, { updateTime: '' })]
