import * as z from './zod'
import {
  explainInvisibleCharacter,
  explainLookalike,
  normalizeCharacters,
  normalizePhone,
  phonePattern,
} from './text'
import {
  fieldTitles,
  oneLinePattern,
  notesMax,
  isExpired,
  maxBulkRows,
  maxSelectedRows,
  pastExpiryText,
} from './fields'

export const Id = z.uuid('编号格式不正确')
export const ById = z.object({ id: Id })
/** Builds a name field with its own title, so that error messages use the label. */
export const nameField = (title: string) =>
  z
    .string()
    .trim()
    .min(1, `请输入${title}`)
    .max(64, `${title}最多 64 个字`)
    .refine((text) => !explainInvisibleCharacter(text, title), {
      error: ({ input }) => explainInvisibleCharacter(String(input), title),
    })
    .refine((text) => !explainLookalike(text, title), {
      error: ({ input }) => explainLookalike(String(input), title),
    })
    .regex(oneLinePattern, `${title}不能含换行和不可见的控制字符`)
    .overwrite(normalizeCharacters)
    .meta({ title })
export const Name = nameField('名称')
export const codeField = (title: string) =>
  z
    .string()
    .min(1, `请输入${title}`)
    .regex(/^[0-9A-Za-z_-]{1,64}$/, `${title}只能用字母、数字、下划线和短横线，1–64 位`)
    .max(64)
    .meta({ title })
export const Description = z
  .string()
  .trim()
  .max(notesMax, `说明最多 ${notesMax} 个字`)
  .meta({ title: fieldTitles.description })
export const Sort = z
  .number('请输入排序')
  .int('排序须为整数')
  .min(1, '排序从 1 开始')
  .max(1_000_000, '排序最大 1000000')
  .meta({ title: fieldTitles.sort })
export const Status = z.enum(['enabled', 'disabled']).meta({ title: fieldTitles.status })
export type Status = z.infer<typeof Status>
/** A list filter accepts a text of at most 64 characters. */
export const SearchFilter = z.string().max(64, '搜索的内容最多 64 个字')
/** The format is ISO 8601 with offset. */
export const Time = z.iso.datetime({ offset: true }).max(40)
const lastMomentMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
export const Moment = z.iso
  .datetime({ offset: true, error: '时间格式不正确' })
  .max(40)
  // Years before 1970 are refused, because databases and calendars disagree on them.
  .regex(/^(19[7-9]|[2-9]\d\d)\d-/, '时间格式不正确')
  // Databases refuse greater offsets, and have no time zone name for a later year.
  .regex(/(Z|[+-](0\d|1[0-4]):\d\d)$/, '时间格式不正确')
  .refine((text) => new Date(text).getTime() <= lastMomentMs, '时间最晚到 9999 年')
/** Time of day, such as `08:30`; empty if there is none. */
export const Clock = z
  .string()
  .max(5)
  .regex(/^(([01]\d|2[0-3]):[0-5]\d)?$/, '时间须形如 08:30')
/** Both ends of the time range of a list filter are optional. */
export const periodFilter = { from: Moment.optional(), to: Moment.optional() }
/** End of validity; null means no expiry. New rows must not have expired already. */
export const Expiry = Moment.nullable().meta({ title: '有效期至' })
export const NewExpiry = Expiry.refine((time) => !isExpired(time), pastExpiryText)
export const Phone = z
  .string()
  .max(40, '电话最多 40 个字')
  .overwrite(normalizePhone)
  .regex(phonePattern, '请输入手机号、带区号的座机（可加分机）或 400、95 号码')
  .meta({ title: '电话' })
export const Website = z
  .union([
    z.literal(''),
    z
      .url({ protocol: /^https?$/, error: '网址须以 http:// 或 https:// 开头' })
      .max(200, '网址最多 200 个字'),
  ])
  .meta({ title: '网址' })
export const Email = z
  .union([z.literal(''), z.email('邮箱格式不正确').max(254, '邮箱最多 254 个字')])
  .meta({ title: fieldTitles.email })
/**
 * URL of an uploaded picture; empty for none. External URLs are refused, because their owner would learn who views
 * them.
 */
export const Picture = z
  .string()
  .max(200)
  .regex(/^(\/v1\/upload\/file\/[0-9a-f]{32})?$/, '请上传图片')
/**
 * Explains what is missing if the value is a province or city; a text value is one that an import could not resolve to
 * one area.
 */
function explainAreaError(value: string): string {
  if (value === '') return '请选择省、市、区'
  if (/^\d{2}$/.test(value)) return '缺少市和区县'
  if (/^\d{4}$/.test(value)) return '缺少区县'
  const shortenedValue = value.length > 30 ? `${value.slice(0, 30)}…` : value
  return `“${shortenedValue}”不能确定是哪个区县，请写全省、市、区县，街道写在详细地址`
}
export const AreaCode = z
  .string()
  .regex(/^\d{6}$/, { error: ({ input }) => explainAreaError(String(input)) })
  .length(6)
  .meta({ title: '所在地区' })
export const Address = z.string().trim().max(200, '地址最多 200 个字').meta({ title: '详细地址' })

/** Columns of every stored row. `version` is the optimistic lock: a write sends the version it has read. */
export const row = {
  id: Id,
  createBy: z.string().meta({ title: '创建人' }),
  createTime: Time.meta({ title: fieldTitles.createTime }),
  updateBy: z.string().meta({ title: fieldTitles.updateBy }),
  updateTime: Time.meta({ title: fieldTitles.updateTime }),
  version: z.number().int().meta({ title: '版本' }),
}
/** Fields that an update adds to a draft. An outdated version is refused with the current row. */
export const revision = { id: Id, version: z.number().int() }

/** Name of a column; a leading minus sorts in descending order. */
export const SortOrder = z
  .string()
  .regex(/^-?[A-Za-z]\w*$/)
  .max(64)
export const pageQuery = <F extends z.ZodRawShape>(filters: F) =>
  z.object({
    pageNo: z.coerce.number().int().min(1).default(1),
    pageSize: z.coerce.number().int().min(1).max(999).default(20),
    sort: SortOrder.optional(),
    ...filters,
  })
/** Page anchor of a log, `<page>~<id>`: the first row of a known page, from which other pages are reached. */
export const PageAnchor = z
  .string()
  .regex(/^\d{1,9}~[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
  .max(46)
/** `more` says that the list continues after `total` rows and was not counted further. */
export const pageResult = <T extends z.ZodType>(item: T) =>
  z.object({ list: z.array(item), total: z.number().int(), more: z.literal(true).optional() })

/** A bulk call reports the result of each row. */
export const RowIds = z.object({
  ids: z.array(Id).min(1, '请先选择').max(maxBulkRows, `一次最多 ${maxBulkRows} 条`),
})
/** The selected rows of a call that handles all of them by one task. */
export const SelectedRowIds = z.object({
  ids: z.array(Id).min(1, '请先选择').max(maxSelectedRows, `一次最多 ${maxSelectedRows} 条`),
})
export const RowResults = z.array(
  z.object({
    id: Id,
    name: z.string(),
    ok: z.boolean(),
    reason: z.string().optional(),
    /** Set by calls that may find a row already in the requested state; an undo covers changed rows only. */
    changed: z.boolean().optional(),
  }),
)
export type RowResults = z.infer<typeof RowResults>
