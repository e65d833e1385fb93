import * as z from '../zod'

const maxExtraChars = 8192
const maxExtras = 256
const tooLongText = `其他内容最多 ${maxExtraChars} 个字符`
const PathSegment = z
  .string()
  .min(1)
  .max(128)
  .refine((name) => name !== '__proto__', '不支持这个名称')

/**
 * Any JSON of limited length. The server requires a limit for every input and cannot detect one in a function, so
 * `meta` states it.
 */
const AnyJson = z
  .unknown()
  .refine((value) => (JSON.stringify(value) ?? '').length <= maxExtraChars, tooLongText)
  .meta({ maxChars: maxExtraChars })

/**
 * Facts of a function in a TSL file that the model does not cover, such as `precise`, `defaultValue` and `custom`: they
 * are kept for the export. A path names list elements by their identifiers.
 */
export const TslExtra = z
  .array(
    z.object({
      path: z.array(PathSegment).min(1).max(16).meta({ isSequence: true }),
      value: AnyJson,
    }),
  )
  .max(maxExtras)
  .refine((all) => JSON.stringify(all).length <= maxExtraChars, tooLongText)
  .optional()
  .meta({ title: '其他' })
export type TslExtra = z.infer<typeof TslExtra>

export type ExtraResult = {
  extra: NonNullable<TslExtra>
  wrongMethod?: { given: string; expected: string }
}
