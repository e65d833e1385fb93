import * as z from '../zod'
import { getRepeatedValue } from './thingModel'
import { Name, Description } from '../fields.schema'
import { TslExtra } from './tslExtra.schema'
import { inexactNumberText, isFiniteDecimal, isKeptExactly } from './thingNumber'

/**
 * Functions of a product in the terms of Alibaba's TSL, whose files are read: numbers may be text; `method`, `link` and
 * the product key are derived. `extra` keeps further facts of a file. The caller must remove the built-in services
 * `set` and `get` and the event `post` beforehand. Additions to TSL are `isHistory`, `isMonitor`, `isDeprecated`, `scale`
 * and `bitmap`.
 * The order of the lists is the display order.
 * https://help.aliyun.com/document_detail/73727.html
 */

const identifierRule = '标识符以字母开头，只用字母、数字和下划线，1–64 位'
const Identifier = z
  .string('请输入标识符')
  .regex(/^[A-Za-z]\w*$/, identifierRule)
  .max(64, identifierRule)
/**
 * Words reserved by Alink, because an event `property` would be answered at thing/event/property/post, and the
 * properties of every JavaScript object.
 */
const reservedIdentifiers = new Set([
  ...['set', 'get', 'post', 'property', 'event', 'time', 'value'],
  ...Object.getOwnPropertyNames(Object.prototype),
])

const uniqueList = <T extends z.ZodType<{ identifier: string }>>(item: T, maxItems: number) =>
  z
    .array(item)
    .max(maxItems, `最多 ${maxItems} 项`)
    .superRefine((list, context) => reportRepeatedIdentifiers(list, [], context))

function reportRepeatedIdentifiers(
  list: { identifier: string }[],
  path: string[],
  context: z.RefinementCtx,
  seenIdentifiers = new Set<string>(),
) {
  for (const [index, { identifier }] of list.entries()) {
    if (seenIdentifiers.has(identifier))
      context.addIssue({
        code: 'custom',
        path: [...path, index, 'identifier'],
        message: `标识符 ${identifier} 重复`,
      })
    seenIdentifiers.add(identifier)
  }
}

const numericOrText = (number: z.ZodNumber) =>
  z.preprocess((input: number | string, context) => {
    if (typeof input !== 'string' || !isFiniteDecimal(input.trim())) return input
    if (isKeptExactly(input.trim())) return Number(input)
    context.addIssue({ code: 'custom', message: inexactNumberText })
    return z.NEVER
  }, number)
const realNumber = z.number('须为数字')
const wholeNumber = z.number('须为整数').int('须为整数')
/** A value is displayed with this number of decimals. */
const Scale = numericOrText(wholeNumber.min(0, '小数位为 0–8').max(8, '小数位为 0–8'))
  .optional()
  .meta({ title: '小数位' })
const numberRange = (number: z.ZodNumber) =>
  z
    .object({
      min: numericOrText(number).optional().meta({ title: '最小值' }),
      max: numericOrText(number).optional().meta({ title: '最大值' }),
      step: numericOrText(number.positive('步长须大于 0')).optional().meta({ title: '步长' }),
      /** The unit is a code of the dictionary `symbol`. */
      unit: z.string().trim().max(16, '单位最多 16 个字').optional().meta({ title: '单位' }),
      scale: Scale,
    })
    .refine(({ min = -Infinity, max = Infinity }) => min <= max, {
      path: ['max'],
      error: '最大值不能小于最小值',
    })
    .refine(
      // The tolerance covers binary fractions, because 0.3 - 0.1 is less than 0.2. A constant accepts any step.
      ({ min = -Infinity, max = Infinity, step = 0 }) =>
        min >= max ||
        step <= max - min + Number.EPSILON * 4 * Math.max(Math.abs(min), Math.abs(max)),
      { path: ['step'], error: '步长不能大于最大值与最小值之差' },
    )
    .default({})
const ItemLabel = z.string('请输入说明').trim().min(1, '请输入说明').max(64, '说明最多 64 个字')
/** Builds the error message for a value list or one of its values. */
const createItemsError =
  (keyError: string, emptyError: string) =>
  ({ code, input }: { code?: string; input?: unknown }) => {
    if (code !== 'invalid_key') return emptyError
    const repeated = getRepeatedValue(String(input))
    return repeated === undefined ? keyError : `${repeated} 重复`
  }

/** Users see the words alone when they choose, so the words must differ. */
function reportSameWords(items: Record<string, string>, context: z.RefinementCtx) {
  const valueByWord = new Map<string, string>()
  for (const [value, word] of Object.entries(items)) {
    const otherValue = valueByWord.get(word)
    if (otherValue === undefined) valueByWord.set(word, value)
    else
      context.addIssue({
        code: 'custom',
        path: [value],
        message: `${otherValue} 和 ${value} 的含义都是“${word}”`,
      })
  }
}

const Int = z.object({ type: z.literal('int'), specs: numberRange(wholeNumber) })
const Float = z.object({ type: z.literal('float'), specs: numberRange(realNumber) })
const Double = z.object({ type: z.literal('double'), specs: numberRange(realNumber) })
const Bool = z.object({
  type: z.literal('bool'),
  specs: z.object({ 0: ItemLabel, 1: ItemLabel }).superRefine(reportSameWords),
})
const Enum = z.object({
  type: z.literal('enum'),
  specs: z
    .record(
      z
        .string()
        .regex(/^(0|-?[1-9]\d{0,9})$/)
        .max(11),
      ItemLabel,
      { error: createItemsError('枚举值须为整数', '请填写枚举项') },
    )
    .refine((items) => Object.keys(items).length > 0, '请填写枚举项')
    .refine((items) => Object.keys(items).length <= 100, '枚举项最多 100 个')
    .superRefine(reportSameWords),
})
/** An integer whose bits have meanings: bit → word. */
const Bitmap = z.object({
  type: z.literal('bitmap'),
  specs: z
    .record(
      z
        .string()
        .regex(/^([0-9]|[12][0-9]|3[01])$/)
        .max(2),
      ItemLabel,
      { error: createItemsError('位须为 0–31', '请填写各位的含义') },
    )
    .refine((bits) => Object.keys(bits).length > 0, '请填写各位的含义'),
})
const textLength = numericOrText(wholeNumber.min(1, '长度为 1–10240').max(10_240, '长度为 1–10240'))
const Text = z.object({
  type: z.literal('text'),
  specs: z.object({ length: textLength.meta({ title: '长度' }) }).default({ length: 10_240 }),
})
/** A date is sent as text, in ms since 1970. */
const DateType = z.object({ type: z.literal('date') })

const dataTypeUnion = <
  T extends readonly [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]],
>(
  options: T,
) => z.discriminatedUnion('type', options, '不支持这种数据类型')

const simpleTypes = [Int, Float, Double, Bool, Enum, Text, DateType, Bitmap] as const
export const Member = z.object({
  identifier: Identifier,
  name: Name,
  dataType: dataTypeUnion(simpleTypes),
})
const StructType = z.object({
  type: z.literal('struct'),
  specs: uniqueList(Member, 50).refine((members) => members.length > 0, '请填写成员'),
})
const ArrayType = z.object({
  type: z.literal('array'),
  specs: z.object({
    size: numericOrText(wholeNumber.min(1, '元素个数为 1–512').max(512, '元素个数为 1–512')),
    item: dataTypeUnion([Int, Float, Double, Text, StructType]),
  }),
})
export const DataType = dataTypeUnion([...simpleTypes, StructType, ArrayType])
export type DataType = z.infer<typeof DataType>

/** A parameter belongs to a service or an event. */
export const Param = z.object({ identifier: Identifier, name: Name, dataType: DataType })
export type Param = z.infer<typeof Param>
const Params = uniqueList(Param, 100).default([])

const functionFields = {
  identifier: Identifier.refine(
    (word) => !reservedIdentifiers.has(word),
    '该标识符是系统保留字',
  ).meta({
    title: '标识符',
  }),
  name: Name,
  required: z.boolean().default(false).meta({ title: '必选' }),
  /** Devices may still use it, but it is not offered for new uses. It is absent from models stored before. */
  isDeprecated: z.boolean().optional().meta({ title: '弃用' }),
  desc: Description.optional(),
  extra: TslExtra,
}
export const Property = z.object({
  ...functionFields,
  accessMode: z.enum(['r', 'rw', 'w'], '请选择读写类型').meta({ title: '读写类型' }),
  dataType: DataType.meta({ title: '数据类型' }),
  // History is stored by default, because missing values cannot be recovered later.
  isHistory: z.boolean().default(true).meta({ title: '保存历史' }),
  isMonitor: z.boolean().default(true).meta({ title: '实时监控' }),
})
export const Service = z.object({
  ...functionFields,
  callType: z
    .enum(['sync', 'async'], '请选择调用方式')
    .default('async')
    .meta({ title: '调用方式' }),
  inputData: Params.meta({ title: '输入参数' }),
  outputData: Params.meta({ title: '输出参数' }),
})
export const ThingEvent = z.object({
  ...functionFields,
  type: z.enum(['info', 'alert', 'error'], '请选择事件类型').meta({ title: '事件类型' }),
  outputData: Params.meta({ title: '输出参数' }),
})

export const ThingModel = z
  .object({
    properties: z.array(Property).max(500, '属性最多 500 个').default([]),
    services: z.array(Service).max(500, '服务最多 500 个').default([]),
    events: z.array(ThingEvent).max(500, '事件最多 500 个').default([]),
    /** Further facts of the file itself. */
    extra: TslExtra,
  })
  .superRefine((model, context) => {
    const seenIdentifiers = new Set<string>()
    for (const kind of ['properties', 'services', 'events'] as const)
      reportRepeatedIdentifiers(model[kind], [kind], context, seenIdentifiers)
  })
export type ThingModel = z.infer<typeof ThingModel>
export type Property = ThingModel['properties'][number]
export type Service = ThingModel['services'][number]
export type ThingEvent = ThingModel['events'][number]
