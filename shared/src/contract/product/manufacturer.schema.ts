import * as z from '../zod'
import {
  row,
  nameField,
  codeField,
  Phone,
  Email,
  AreaCode,
  Address,
  Website,
  Picture,
  Status,
  revision,
  SearchFilter,
} from '../fields.schema'
import { isCreditCode, manufacturerTitles } from './manufacturer'
import { notesMax, rowKeys } from '../fields'
import { resourceSchemas } from '../resource.schema'

export const Manufacturer = z.object({
  ...row,
  name: nameField(manufacturerTitles.name),
  shortName: z
    .string()
    .trim()
    .max(32, '简称最多 32 个字')
    .meta({ title: manufacturerTitles.shortName }),
  code: codeField(manufacturerTitles.code),
  creditCode: z
    .string()
    .trim()
    .toUpperCase()
    .refine((code) => code === '' || isCreditCode(code), '统一社会信用代码不正确，请核对 18 位代码')
    .max(18)
    .meta({ title: '统一社会信用代码' }),
  contact: z
    .string()
    .trim()
    .max(32, '联系人最多 32 个字')
    .meta({ title: manufacturerTitles.contact }),
  phone: Phone.meta({ title: manufacturerTitles.phone }),
  email: Email,
  areaCode: AreaCode,
  /** Area name, 省 市 区, so that a list needs no region data. */
  areaName: z.string().meta({ title: manufacturerTitles.areaName }),
  address: Address,
  website: Website,
  logo: Picture.meta({ title: '标志' }),
  remark: z.string().trim().max(notesMax, `备注最多 ${notesMax} 个字`).meta({ title: '备注' }),
  status: Status,
})
export type Manufacturer = z.infer<typeof Manufacturer>
export const ManufacturerDraft = Manufacturer.omit({ ...rowKeys, areaName: true })
export type ManufacturerDraft = z.infer<typeof ManufacturerDraft>
/** The code never changes after creation. */
export const ManufacturerChange = ManufacturerDraft.omit({ code: true }).extend(revision)

const filters = {
  name: SearchFilter.optional(),
  code: SearchFilter.optional(),
  areaCode: SearchFilter.optional(),
  status: Status.optional(),
}
const ManufacturerOption = Manufacturer.pick({ id: true, name: true, status: true })

export const manufacturerSchemas = {
  page: resourceSchemas.page({ input: filters, output: Manufacturer }),
  list: resourceSchemas.options({ output: ManufacturerOption }),
  get: resourceSchemas.get({ output: Manufacturer }),
  create: resourceSchemas.create({ input: ManufacturerDraft, output: Manufacturer }),
  update: resourceSchemas.update({ input: ManufacturerChange, output: Manufacturer }),
  remove: resourceSchemas.remove(),
  setStatus: resourceSchemas.setStatus(),
  exportRows: resourceSchemas.exportRows({ input: filters }),
  importRows: resourceSchemas.importRows(),
  removeMany: resourceSchemas.removeMany(),
}
