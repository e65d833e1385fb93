import { z } from 'zod'
import { resource } from './resource'
import {
  Id,
  nameField,
  Phone,
  Picture,
  Sort,
  Status,
  Website,
  revision,
  row,
  rowKeys,
} from './fields'

export const Brand = z.object({
  ...row,
  name: nameField('品牌名称'),
  englishName: z.string().trim().max(64, '英文名最多 64 个字').meta({ title: '英文名' }),
  manufacturerId: z.uuid('请选择厂商').meta({ title: '厂商' }),
  manufacturerName: z.string().meta({ title: '厂商' }),
  /** Category codes of the standard library. */
  categories: z.array(z.string().max(64)).max(40).meta({ title: '品类' }),
  logo: Picture.meta({ title: '标志' }),
  servicePhone: Phone.meta({ title: '服务电话' }),
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
const brands = resource('deviceAccess', 'brand', '品牌', 'platform')

export const brandApi = {
  page: brands.page({ input: filters, output: Brand }),
  create: brands.create({ input: BrandDraft, output: Brand }),
  update: brands.update({ input: BrandDraft.extend(revision), output: Brand }),
  remove: brands.remove(),
  setStatus: brands.setStatus(),
  removeMany: brands.removeMany(),
  exportRows: brands.exportRows({ input: filters }),
  importRows: brands.importRows(),
}
