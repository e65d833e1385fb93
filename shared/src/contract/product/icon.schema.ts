import * as z from '../zod'
import type { IconVariant } from './iconName'
import {
  Picture,
  row,
  nameField,
  codeField,
  Status,
  revision,
  SearchFilter,
} from '../fields.schema'
import { iconVariantText, iconTitles } from './icon'
import { rowKeys } from '../fields'
import { resourceSchemas } from '../resource.schema'

const variantPicture = (name: Exclude<IconVariant, 'on'>) =>
  Picture.meta({ title: `${iconVariantText[name]}图标` })

export const Icon = z.object({
  ...row,
  name: nameField(iconTitles.name),
  code: codeField(iconTitles.code),
  group: z.string().trim().max(32, '分组最多 32 个字').meta({ title: iconTitles.group }),
  /** This picture replaces missing variants. */
  on: Picture.min(1, '请上传正常图标').meta({ title: `${iconVariantText.on}图标` }),
  off: variantPicture('off'),
  offline: variantPicture('offline'),
  fault: variantPicture('fault'),
  tags: z
    .array(z.string().trim().min(1, '标签不能为空').max(16, '标签最多 16 个字'))
    .max(20, '标签最多 20 个')
    .meta({ title: iconTitles.tags }),
  usedCount: z.number().int().meta({ title: iconTitles.usedCount }),
  status: Status,
})
export type Icon = z.infer<typeof Icon>
export const IconDraft = Icon.omit({ ...rowKeys, usedCount: true })
export type IconDraft = z.infer<typeof IconDraft>
/** The code never changes after creation. */
export const IconChange = IconDraft.omit({ code: true }).extend(revision)

/** The name refers to an icon, see `iconName`; it is empty for none. */
export const IconName = z.string().max(64).meta({ title: '图标' })
const IconOptionSchema = Icon.pick({
  id: true,
  name: true,
  code: true,
  group: true,
  tags: true,
  status: true,
})
export type IconOption = z.infer<typeof IconOptionSchema>

const filters = {
  name: SearchFilter.optional(),
  group: z.string().max(32).optional(),
  tag: z.string().max(16).optional(),
  status: Status.optional(),
}

export const iconSchemas = {
  page: resourceSchemas.page({ input: filters, output: Icon }),
  list: resourceSchemas.options({ output: IconOptionSchema }),
  create: resourceSchemas.create({ input: IconDraft, output: Icon }),
  update: resourceSchemas.update({ input: IconChange, output: Icon }),
  remove: resourceSchemas.remove(),
  setStatus: resourceSchemas.setStatus(),
  removeMany: resourceSchemas.removeMany(),
  exportRows: resourceSchemas.exportRows({ input: filters }),
}
