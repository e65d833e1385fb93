import { z } from 'zod'
import { resource } from './resource'
import {
  Address,
  AreaCode,
  codeField,
  Email,
  nameField,
  Phone,
  Picture,
  Status,
  Website,
  revision,
  SearchFilter,
  row,
  rowKeys,
  notesMax,
} from './fields'

const checkDigitWeights = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28]
const creditCodeAlphabet = '0123456789ABCDEFGHJKLMNPQRTUWXY'

/** Validates a 统一社会信用代码 with its check digit (GB 32100-2015). */
export function isCreditCode(code: string): boolean {
  if (!/^[0-9A-HJ-NPQRTUWXY]{18}$/.test(code)) return false
  const sum = checkDigitWeights.reduce(
    (total, weight, i) => total + weight * creditCodeAlphabet.indexOf(code[i]!),
    0,
  )
  return creditCodeAlphabet[(31 - (sum % 31)) % 31] === code[17]
}

export const Manufacturer = z.object({
  ...row,
  name: nameField('厂商名称'),
  shortName: z.string().trim().max(32, '简称最多 32 个字').meta({ title: '简称' }),
  code: codeField('厂商编码'),
  creditCode: z
    .string()
    .trim()
    .toUpperCase()
    .refine((code) => code === '' || isCreditCode(code), '统一社会信用代码不正确，请核对 18 位代码')
    .max(18)
    .meta({ title: '统一社会信用代码' }),
  contact: z.string().trim().max(32, '联系人最多 32 个字').meta({ title: '联系人' }),
  phone: Phone.meta({ title: '联系电话' }),
  email: Email,
  areaCode: AreaCode,
  /** Area name, 省 市 区, so that a list needs no region data. */
  areaName: z.string().meta({ title: '所在地区' }),
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

const manufacturers = resource('deviceAccess', 'manufacturer', '厂商', 'platform')
const ManufacturerOption = Manufacturer.pick({ id: true, name: true, status: true })

export const manufacturerApi = {
  page: manufacturers.page({ input: filters, output: Manufacturer }),
  list: manufacturers.options({ output: ManufacturerOption }),
  get: manufacturers.get({ output: Manufacturer }),
  create: manufacturers.create({ input: ManufacturerDraft, output: Manufacturer }),
  update: manufacturers.update({ input: ManufacturerChange, output: Manufacturer }),
  remove: manufacturers.remove(),
  setStatus: manufacturers.setStatus(),
  exportRows: manufacturers.exportRows({ input: filters }),
  importRows: manufacturers.importRows(),
  removeMany: manufacturers.removeMany(),
}
