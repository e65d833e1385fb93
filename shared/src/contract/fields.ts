import { z } from 'zod'
import { clock } from './clock'
import {
  composeCharacters,
  normalizePhone,
  phonePattern,
  refuseInvisible,
  refuseLookalike,
} from './text'

export const Id = z.uuid('编号格式不正确')
export const ById = z.object({ id: Id })
/** Neither line breaks nor characters that turn what follows around: a name stands in lists, logs and questions. */
export const oneLine = /^[^\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]*$/u
/** A name under its own title, so that what is wrong with it is said in the words of its label. */
export const nameOf = (title: string) =>
  z
    .string()
    .trim()
    .min(1, `请输入${title}`)
    .max(64, `${title}最多 64 个字`)
    .refine((text) => !refuseInvisible(text, title), {
      error: ({ input }) => refuseInvisible(String(input), title),
    })
    .refine((text) => !refuseLookalike(text, title), {
      error: ({ input }) => refuseLookalike(String(input), title),
    })
    .regex(oneLine, `${title}不能含换行和不可见的控制字符`)
    .overwrite(composeCharacters)
    .meta({ title })
export const Name = nameOf('名称')
export const codeOf = (title: string) =>
  z
    .string()
    .min(1, `请输入${title}`)
    .regex(/^[0-9A-Za-z_-]{1,64}$/, `${title}只能用字母、数字、下划线和短横线，1–64 位`)
    .max(64)
    .meta({ title })
/** Of a field of notes. */
export const notesMax = 200
export const Description = z
  .string()
  .trim()
  .max(notesMax, `说明最多 ${notesMax} 个字`)
  .meta({ title: '说明' })
export const Sort = z
  .number('请输入排序')
  .int('排序须为整数')
  .min(1, '排序从 1 开始')
  .max(1_000_000, '排序最大 1000000')
  .meta({ title: '排序' })
export const Status = z.enum(['enabled', 'disabled']).meta({ title: '状态' })
export type Status = z.infer<typeof Status>
export const statusText: Record<Status, string> = { enabled: '启用', disabled: '禁用' }
/** What a list is searched by. */
export const Search = z.string().max(64, '搜索的内容最多 64 个字')
/** ISO 8601 with offset. */
export const Time = z.iso.datetime({ offset: true }).max(40)
export const Moment = z.iso
  .datetime({ offset: true, error: '时间格式不正确' })
  .max(40)
  // Databases and calendars differ on the years before.
  .regex(/^(19[7-9]|[2-9]\d\d)\d-/, '时间格式不正确')
/** The two ends of a time that a list is asked for. */
export const period = { from: Moment.optional(), to: Moment.optional() }
/** When something ends, or null for never. One that is made must not be over already. */
export const Expiry = Moment.nullable().meta({ title: '有效期至' })
export const isPast = (time: string | null) => time !== null && Date.parse(time) <= clock.now()
export const pastExpiryText = '有效期至须在现在之后'
export const NewExpiry = Expiry.refine((time) => !isPast(time), pastExpiryText)
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
  .meta({ title: '邮箱' })
/** The address of an uploaded picture; empty for none. One of elsewhere would tell its owner who looks at it, and when. */
export const Picture = z
  .string()
  .max(200)
  .regex(/^(\/v1\/upload\/file\/[0-9a-f]{32})?$/, '请上传图片')
/** A province or a city alone is told what is missing; a text is one that an import could not read as one area. */
function refuseArea(value: string): string {
  if (value === '') return '请选择省、市、区'
  if (/^\d{2}$/.test(value)) return '缺少市和区县'
  if (/^\d{4}$/.test(value)) return '缺少区县'
  const start = value.length > 30 ? `${value.slice(0, 30)}…` : value
  return `“${start}”不能确定是哪个区县，请写全省、市、区县，街道写在详细地址`
}
export const AreaCode = z
  .string()
  .regex(/^\d{6}$/, { error: ({ input }) => refuseArea(String(input)) })
  .length(6)
  .meta({ title: '所在地区' })
export const Address = z.string().trim().max(200, '地址最多 200 个字').meta({ title: '详细地址' })

/** What every stored row carries. `version` is the optimistic lock: a write sends the one it read. */
export const row = {
  id: Id,
  createBy: z.string().meta({ title: '创建人' }),
  createTime: Time.meta({ title: '创建时间' }),
  updateBy: z.string().meta({ title: '更新人' }),
  updateTime: Time.meta({ title: '更新时间' }),
  version: z.number().int().meta({ title: '版本' }),
}
/** Keys of a row that a draft leaves out. */
export const rowKeys = {
  id: true,
  createBy: true,
  createTime: true,
  updateBy: true,
  updateTime: true,
  version: true,
} as const
/** What an update adds to a draft. An old version is answered with the row as it now stands. */
export const revision = { id: Id, version: z.number().int() }

/** A column, with a leading minus for descending. */
export const Order = z
  .string()
  .regex(/^-?[A-Za-z]\w*$/)
  .max(64)
export const pageQuery = <F extends z.ZodRawShape>(filters: F) =>
  z.object({
    pageNo: z.coerce.number().int().min(1).default(1),
    pageSize: z.coerce.number().int().min(1).max(999).default(20),
    sort: Order.optional(),
    ...filters,
  })
/** Of a log: which row a page began with, `<page>~<id>`; others are reached from there. */
export const Anchor = z
  .string()
  .regex(/^\d{1,9}~[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
  .max(46)
/** With `more` the list goes on behind `total`, how far was not counted. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ list: z.array(item), total: z.number().int(), more: z.literal(true).optional() })

/** Many rows at once: what happened to each. */
export const Ids = z.object({ ids: z.array(Id).min(1, '请先选择').max(1000, '一次最多 1000 条') })
export const PerRow = z.array(
  z.object({
    id: Id,
    name: z.string(),
    ok: z.boolean(),
    reason: z.string().optional(),
    /** Said where a call may find a row as it wants it already: only what it changed can be undone. */
    changed: z.boolean().optional(),
  }),
)
export type PerRow = z.infer<typeof PerRow>
