import * as z from '../zod'
import { row, nameField, Description, Sort, Status, revision, SearchFilter } from '../fields.schema'
import { IconName } from './icon.schema'
import { rowKeys } from '../fields'
import { iconVariants } from './iconName'
import { importTableInput } from '../sheet/sheet.schema'
import { maxImportRows } from '../sheet/sheet'
import { resourceSchemas } from '../resource.schema'
import { productTypeTitles } from './productType'

/** A bulk action requires this kind of confirmation. */
export const ConfirmLevel = z.enum(['none', 'ask', 'strict']).meta({ title: '确认方式' })
export type ConfirmLevel = z.infer<typeof ConfirmLevel>

/** The code is all_on, all_off or that of a custom action. */
export const ActionType = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,31}$/, '动作编码以小写字母开头，只用小写字母、数字和下划线')
  .max(32)
  .meta({ title: '动作编码' })

/** An action sets one property on every device in the scope. */
export const TypeAction = z.object({
  actionType: ActionType,
  name: z
    .string()
    .trim()
    .min(1, '请输入按钮名称')
    .max(8, '按钮名称最多 8 个字')
    .meta({ title: '按钮名称' }),
  identifier: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, '请选择或填写功能标识符')
    .max(64)
    .meta({ title: '功能' }),
  value: z
    .union([z.number(), z.string().min(1).max(10_240)], '请填写设置的值')
    .meta({ title: '值' }),
  confirm: ConfirmLevel,
})
export type TypeAction = z.infer<typeof TypeAction>

export const ProductType = z.object({
  ...row,
  name: nameField(productTypeTitles.name),
  code: z
    .string()
    .min(1, '请输入类型编码')
    .regex(/^[A-Z][A-Z0-9_]{1,63}$/, '类型编码以大写字母开头，只用大写字母、数字和下划线，2–64 位')
    .max(64)
    .meta({ title: productTypeTitles.code }),
  /** Category codes of the standard library. */
  categories: z.array(z.string().max(64)).max(40).meta({ title: productTypeTitles.categories }),
  /** The variants of the icon show the states of a device. */
  icon: IconName,
  color: z
    .string()
    .regex(/^(#[0-9a-f]{6})?$/, '颜色形如 #faad14')
    .max(7)
    .meta({ title: '颜色' }),
  actions: z
    .array(TypeAction)
    .max(12, '批量动作最多 12 个')
    .superRefine((actions, context) => {
      const seenActionTypes = new Set<string>()
      for (const [index, { actionType }] of actions.entries()) {
        if (seenActionTypes.has(actionType))
          context.addIssue({
            code: 'custom',
            path: [index, 'actionType'],
            message: `动作编码 ${actionType} 重复`,
          })
        seenActionTypes.add(actionType)
      }
    })
    .meta({ title: productTypeTitles.actions }),
  showOnHome: z.boolean().meta({ title: productTypeTitles.showOnHome }),
  description: Description,
  sort: Sort,
  status: Status,
  builtin: z.boolean().meta({ title: '内置' }),
})
export type ProductType = z.infer<typeof ProductType>
export const ProductTypeDraft = ProductType.omit({ ...rowKeys, builtin: true })
export type ProductTypeDraft = z.infer<typeof ProductTypeDraft>
/** The code never changes after creation. */
export const ProductTypeChange = ProductTypeDraft.omit({ code: true }).extend(revision)

/** Maximum characters of a file cell that lists all actions of a type. */
const maxActionsCellChars = 20_000
const filters = {
  name: SearchFilter.optional(),
  category: z.string().max(64).optional(),
  status: Status.optional(),
}

export const productTypeSchemas = {
  page: resourceSchemas.page({ input: filters, output: ProductType }),
  list: resourceSchemas.options({
    output: ProductType.pick({
      id: true,
      name: true,
      code: true,
      categories: true,
      icon: true,
      color: true,
      status: true,
    }).extend({
      /** Picture URLs of a library icon; an empty one means that the icon lacks this variant. */
      pictures: z.record(z.enum(iconVariants), z.string()).nullable(),
    }),
  }),
  create: resourceSchemas.create({ input: ProductTypeDraft, output: ProductType }),
  update: resourceSchemas.update({ input: ProductTypeChange, output: ProductType }),
  remove: resourceSchemas.remove(),
  setStatus: resourceSchemas.setStatus(),
  removeMany: resourceSchemas.removeMany(),
  exportRows: resourceSchemas.exportRows({ input: filters }),
  importRows: {
    ...resourceSchemas.importRows(),
    input: importTableInput(maxImportRows, maxActionsCellChars),
  },
}
