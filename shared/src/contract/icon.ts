import { z } from 'zod'
import {
  codeField,
  nameField,
  Picture,
  SearchFilter,
  Status,
  revision,
  row,
  rowKeys,
} from './fields'
import type { IconVariant } from './iconName'
import { resource } from './resource'

export const iconVariantText: Record<IconVariant, string> = {
  on: '正常',
  off: '关闭',
  offline: '离线',
  fault: '故障',
}

const variantPicture = (name: Exclude<IconVariant, 'on'>) =>
  Picture.meta({ title: `${iconVariantText[name]}图标` })

export const Icon = z.object({
  ...row,
  name: nameField('图标名称'),
  code: codeField('图标编码'),
  group: z.string().trim().max(32, '分组最多 32 个字').meta({ title: '分组' }),
  /** This picture replaces missing variants. */
  on: Picture.min(1, '请上传正常图标').meta({ title: `${iconVariantText.on}图标` }),
  off: variantPicture('off'),
  offline: variantPicture('offline'),
  fault: variantPicture('fault'),
  tags: z
    .array(z.string().trim().min(1, '标签不能为空').max(16, '标签最多 16 个字'))
    .max(20, '标签最多 20 个')
    .meta({ title: '标签' }),
  usedCount: z.number().int().meta({ title: '使用处' }),
  status: Status,
})
export type Icon = z.infer<typeof Icon>
export const IconDraft = Icon.omit({ ...rowKeys, usedCount: true })
export type IconDraft = z.infer<typeof IconDraft>
/** The code never changes after creation. */
export const IconChange = IconDraft.omit({ code: true }).extend(revision)

/** The name refers to an icon, see `iconName`; it is empty for none. */
export const IconName = z.string().max(64).meta({ title: '图标' })

const icons = resource('deviceAccess', 'icon', '图标', 'platform')
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

export const iconApi = {
  page: icons.page({ input: filters, output: Icon }),
  list: icons.options({ output: IconOptionSchema }),
  create: icons.create({ input: IconDraft, output: Icon }),
  update: icons.update({ input: IconChange, output: Icon }),
  remove: icons.remove(),
  setStatus: icons.setStatus(),
  removeMany: icons.removeMany(),
  exportRows: icons.exportRows({ input: filters }),
}
