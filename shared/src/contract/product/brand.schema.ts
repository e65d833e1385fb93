import * as z from '../zod'
import {
  row,
  nameField,
  Picture,
  Phone,
  Website,
  Sort,
  Status,
  Id,
  revision,
} from '../fields.schema'
import { rowKeys } from '../fields'
import { resourceSchemas } from '../resource.schema'
import { brandTitles } from './brand'

export const Brand = z.object({
  ...row,
  name: nameField(brandTitles.name),
  englishName: z
    .string()
    .trim()
    .max(64, '英文名最多 64 个字')
    .meta({ title: brandTitles.englishName }),
  manufacturerId: z.uuid('请选择厂商').meta({ title: '厂商' }),
  manufacturerName: z.string().meta({ title: brandTitles.manufacturerName }),
  /** Category codes of the standard library. */
  categories: z.array(z.string().max(64)).max(40).meta({ title: '品类' }),
  logo: Picture.meta({ title: '标志' }),
  servicePhone: Phone.meta({ title: brandTitles.servicePhone }),
  website: Website,
  sort: Sort,
  status: Status,
})
export type Brand = z.infer<typeof Brand>
export const BrandDraft = Brand.omit({ ...rowKeys, manufacturerName: true })
export type BrandDraft = z.infer<typeof BrandDraft>

const filters = {
  name: z.string().max(64).optional(),
  manufacturerId: Id.optional(),
  status: Status.optional(),
}

export const brandSchemas = {
  page: resourceSchemas.page({ input: filters, output: Brand }),
  create: resourceSchemas.create({ input: BrandDraft, output: Brand }),
  update: resourceSchemas.update({ input: BrandDraft.extend(revision), output: Brand }),
  remove: resourceSchemas.remove(),
  setStatus: resourceSchemas.setStatus(),
  removeMany: resourceSchemas.removeMany(),
  exportRows: resourceSchemas.exportRows({ input: filters }),
  importRows: resourceSchemas.importRows(),
}
