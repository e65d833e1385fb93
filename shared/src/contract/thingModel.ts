import { z } from 'zod'
import { Description, Name } from './fields'
import { TslExtra } from './tslExtra'

/**
 * What devices of a product can do, in the terms of Alibaba's TSL, whose files it reads: numbers may be text;
 * `method`, `link` and the key of the product follow from other facts. `extra` is what else a file said. Only the services `set` and `get` and the
 * event `post`, which say what the protocol says, are to be left out before.
 * What TSL has no word for is ours: `isHistory`, `isMonitor`, `scale`, `bitmap`. The order of the lists is the order they are shown in.
 * https://help.aliyun.com/document_detail/73727.html
 */

const spelling = '标识符以字母开头，只用字母、数字和下划线，1–64 位'
const Identifier = z
  .string('请输入标识符')
  .regex(/^[A-Za-z]\w*$/, spelling)
  .max(64, spelling)
/** Alink's own words: an event `property` would be answered at thing/event/property/post; and what every object has. */
const reserved = new Set([
  ...['set', 'get', 'post', 'property', 'event', 'time', 'value'],
  ...Object.getOwnPropertyNames(Object.prototype),
])

const unique = <T extends z.ZodType<{ identifier: string }>>(item: T, most: number) =>
  z
    .array(item)
    .max(most, `最多 ${most} 项`)
    .superRefine((list, context) => refuseRepeated(list, [], context))

function refuseRepeated(
  list: { identifier: string }[],
  path: string[],
  context: z.RefinementCtx,
  seen = new Set<string>(),
) {
  for (const [at, { identifier }] of list.entries()) {
    if (seen.has(identifier))
      context.addIssue({
        code: 'custom',
        path: [...path, at, 'identifier'],
        message: `标识符 ${identifier} 重复`,
      })
    seen.add(identifier)
  }
}

const numeric = (number: z.ZodNumber) =>
  z.preprocess(
    (given: number | string) =>
      typeof given === 'string' && given.trim() !== '' ? Number(given) : given,
    number,
  )
const real = z.number('须为数字')
const whole = z.number('须为整数').int('须为整数')
/** Decimals a value is shown with. */
const Scale = numeric(whole.min(0, '小数位为 0–8').max(8, '小数位为 0–8'))
  .optional()
  .meta({ title: '小数位' })
const range = (number: z.ZodNumber) =>
  z
    .object({
      min: numeric(number).optional().meta({ title: '最小值' }),
      max: numeric(number).optional().meta({ title: '最大值' }),
      step: numeric(number.positive('步长须大于 0')).optional().meta({ title: '步长' }),
      /** A code of the dictionary `symbol`. */
      unit: z.string().trim().max(16, '单位最多 16 个字').optional().meta({ title: '单位' }),
      scale: Scale,
    })
    .refine(({ min = -Infinity, max = Infinity }) => min <= max, {
      path: ['max'],
      error: '最大值不能小于最小值',
    })
    .refine(
      // A little more for fractions: 0.3 - 0.1 is less than 0.2. Of a constant no step is wrong.
      ({ min = -Infinity, max = Infinity, step = 0 }) =>
        min >= max ||
        step <= max - min + Number.EPSILON * 4 * Math.max(Math.abs(min), Math.abs(max)),
      { path: ['step'], error: '步长不能大于最大值与最小值之差' },
    )
    .default({})
const Word = z.string('请输入说明').trim().min(1, '请输入说明').max(64, '说明最多 64 个字')

const repeatedMark = '（重复）'
/** What a value that stands twice is called: no model takes it, so it is not lost without a word. */
export const repeatedName = (value: string) => value + repeatedMark
/** Values with their words. */
export function itemsOf(pairs: [value: string, word: string][]) {
  const items: Record<string, string> = {}
  for (const [value, word] of pairs)
    items[Object.hasOwn(items, value) ? repeatedName(value) : value] = word
  return items
}
/** The value that stands twice, if this is the name it got. */
export const repeatedValue = (name: string) =>
  name.endsWith(repeatedMark) ? name.slice(0, -repeatedMark.length) : undefined
/** What is wrong with the values of a list, or with the list. */
const itemsError =
  (wrongValue: string, nothing: string) =>
  ({ code, input }: { code?: string; input?: unknown }) => {
    if (code !== 'invalid_key') return nothing
    const repeated = repeatedValue(String(input))
    return repeated === undefined ? wrongValue : `${repeated} 重复`
  }

/** Who chooses sees the word only. */
function refuseSameWords(items: Record<string, string>, context: z.RefinementCtx) {
  const seen = new Map<string, string>()
  for (const [value, word] of Object.entries(items)) {
    const other = seen.get(word)
    if (other === undefined) seen.set(word, value)
    else
      context.addIssue({
        code: 'custom',
        path: [value],
        message: `${other} 和 ${value} 的含义都是“${word}”`,
      })
  }
}

const Int = z.object({ type: z.literal('int'), specs: range(whole) })
const Float = z.object({ type: z.literal('float'), specs: range(real) })
const Double = z.object({ type: z.literal('double'), specs: range(real) })
const Bool = z.object({
  type: z.literal('bool'),
  specs: z.object({ 0: Word, 1: Word }).superRefine(refuseSameWords),
})
const Enum = z.object({
  type: z.literal('enum'),
  specs: z
    .record(
      z
        .string()
        .regex(/^(0|-?[1-9]\d{0,9})$/)
        .max(11),
      Word,
      { error: itemsError('枚举值须为整数', '请填写枚举项') },
    )
    .refine((items) => Object.keys(items).length > 0, '请填写枚举项')
    .refine((items) => Object.keys(items).length <= 100, '枚举项最多 100 个')
    .superRefine(refuseSameWords),
})
/** A whole number whose bits each mean something: bit → word. */
const Bitmap = z.object({
  type: z.literal('bitmap'),
  specs: z
    .record(
      z
        .string()
        .regex(/^([0-9]|[12][0-9]|3[01])$/)
        .max(2),
      Word,
      { error: itemsError('位须为 0–31', '请填写各位的含义') },
    )
    .refine((bits) => Object.keys(bits).length > 0, '请填写各位的含义'),
})
const length = numeric(whole.min(1, '长度为 1–10240').max(10_240, '长度为 1–10240'))
const Text = z.object({
  type: z.literal('text'),
  specs: z.object({ length: length.meta({ title: '长度' }) }).default({ length: 10_240 }),
})
/** Milliseconds since 1970, as text. */
const Moment = z.object({ type: z.literal('date') })

const type = <T extends readonly [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]]>(
  options: T,
) => z.discriminatedUnion('type', options, '不支持这种数据类型')

const simple = [Int, Float, Double, Bool, Enum, Text, Moment, Bitmap] as const
export const Member = z.object({ identifier: Identifier, name: Name, dataType: type(simple) })
const Struct = z.object({
  type: z.literal('struct'),
  specs: unique(Member, 50).refine((members) => members.length > 0, '请填写成员'),
})
const List = z.object({
  type: z.literal('array'),
  specs: z.object({
    size: numeric(whole.min(1, '元素个数为 1–512').max(512, '元素个数为 1–512')),
    item: type([Int, Float, Double, Text, Struct]),
  }),
})
export const DataType = type([...simple, Struct, List])
export type DataType = z.infer<typeof DataType>

/** What goes into a service or comes out of it or of an event. */
export const Param = z.object({ identifier: Identifier, name: Name, dataType: DataType })
export type Param = z.infer<typeof Param>
const Params = unique(Param, 100).default([])

const head = {
  identifier: Identifier.refine((word) => !reserved.has(word), '该标识符是系统保留字').meta({
    title: '标识符',
  }),
  name: Name,
  required: z.boolean().default(false).meta({ title: '必选' }),
  desc: Description.optional(),
  extra: TslExtra,
}
export const Property = z.object({
  ...head,
  accessMode: z.enum(['r', 'rw', 'w'], '请选择读写类型').meta({ title: '读写类型' }),
  dataType: DataType.meta({ title: '数据类型' }),
  // What was not kept cannot be had later, so a model that says nothing keeps.
  isHistory: z.boolean().default(true).meta({ title: '保存历史' }),
  isMonitor: z.boolean().default(true).meta({ title: '实时监控' }),
})
export const Service = z.object({
  ...head,
  callType: z
    .enum(['sync', 'async'], '请选择调用方式')
    .default('async')
    .meta({ title: '调用方式' }),
  inputData: Params.meta({ title: '输入参数' }),
  outputData: Params.meta({ title: '输出参数' }),
})
export const ThingEvent = z.object({
  ...head,
  type: z.enum(['info', 'alert', 'error'], '请选择事件类型').meta({ title: '事件类型' }),
  outputData: Params.meta({ title: '输出参数' }),
})

export const ThingModel = z
  .object({
    properties: z.array(Property).max(500, '属性最多 500 个').default([]),
    services: z.array(Service).max(500, '服务最多 500 个').default([]),
    events: z.array(ThingEvent).max(500, '事件最多 500 个').default([]),
    /** Of the file itself. */
    extra: TslExtra,
  })
  .superRefine((model, context) => {
    const seen = new Set<string>()
    for (const kind of ['properties', 'services', 'events'] as const)
      refuseRepeated(model[kind], [kind], context, seen)
  })
export type ThingModel = z.infer<typeof ThingModel>
export type Property = ThingModel['properties'][number]
export type Service = ThingModel['services'][number]
export type ThingEvent = ThingModel['events'][number]

export const functionKinds = ['properties', 'services', 'events'] as const
export type FunctionKind = (typeof functionKinds)[number]
