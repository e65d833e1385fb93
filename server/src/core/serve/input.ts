import { sentence, unknownField } from '@iot/shared/contract/sentence'
import { composeCharacters, refuseInvisible } from '@iot/shared/contract/text'
import { titleOf } from '@iot/shared/contract/titleOf'
import { z } from 'zod'
import { wrongFields } from '../refusal'
import { isStorable } from '../db/storable'

/** An answer names at most this many wrong fields. */
const shown = 50

/**
 * Creates a parser for the input of a call that accepts what the contract declares and refuses every other field.
 * @throws Error at startup if the contract declares a text or a list without a maximum length
 * @example const take = openInput('POST /v1/brand', BrandDraft); const draft = take(request.body)
 */
export function openInput<S extends z.ZodType>(call: string, declared: S) {
  const endless: string[] = []
  const schema = tighten(declared, '', endless, new Map())
  if (endless.length > 0) throw new Error(`${call}：没有长度限制：${endless.join('、')}`)

  return (input: unknown): z.output<S> => {
    if (!isStorable(input)) throw wrongFields({}, '内容含有不允许的字符，或层数过多')
    const result = schema.safeParse(input, { error: (issue) => say(declared, issue) })
    if (!result.success) throw wrongFields(fieldsOf(result.error))
    return result.data as z.output<S>
  }
}

/** Passwords and secrets are taken exactly as typed; the import checks the cells of a file one by one. */
const isTakenAsGiven = (path: string) => /password|secret|^\.table/i.test(path)

/** Normalises every text and refuses invisible characters. */
function withTextRules(text: z.ZodString, path: string): z.ZodType {
  if (isTakenAsGiven(path)) return text
  const title = (text.meta()?.title as string | undefined) ?? '内容'
  return text
    .refine((given) => !refuseInvisible(given, title), {
      error: ({ input }) => refuseInvisible(String(input), title),
    })
    .overwrite(composeCharacters)
}

/** Returns the first error of each wrong field. */
export function fieldsOf({ issues }: z.ZodError) {
  const fields: Record<string, string> = {}
  for (const issue of issues.slice(0, shown)) {
    if (issue.code !== 'unrecognized_keys') fields[issue.path.join('.')] ??= issue.message
    else
      for (const key of issue.keys.slice(0, shown)) {
        const name = key.slice(0, 64)
        fields[[...issue.path, name].join('.')] = unknownField(name)
      }
  }
  return fields
}

/** Builds the message for an issue that the contract has no text for, using the title of the field. */
function say(schema: z.ZodType, issue: z.core.$ZodRawIssue) {
  const [name] = issue.path ?? []
  const known = name !== undefined && schema instanceof z.ZodObject
  const title = known ? titleOf(schema, String(name)) : '内容'
  return sentence(title === name ? `“${title}”` : title)(issue)
}

type Def = z.core.$ZodTypeDef & z.core.$ZodTypes['_zod']['def']
type Seen = Map<z.core.$ZodType, z.core.$ZodType | undefined>

const strict = new WeakMap<z.ZodType, z.ZodType>()

/** Returns the schema of a row of an imported file with the text rules of API calls. */
export function withStrictTexts<S extends z.ZodType>(schema: S): S {
  const known = strict.get(schema) ?? tighten(schema, '', [], new Map())
  strict.set(schema, known)
  return known as S
}

/**
 * Returns the same schema with objects that refuse unknown fields. Paths without a maximum length are added to
 * `endless`.
 */
function tighten(schema: z.core.$ZodType, path: string, endless: string[], seen: Seen): z.ZodType {
  // A recursive schema refers to the result of its first visit.
  if (seen.has(schema)) return z.lazy(() => seen.get(schema)!)
  seen.set(schema, undefined)
  const inside = (part: z.core.$ZodType, name = '') =>
    tighten(part, path + name, endless, seen) as z.core.$ZodType
  const same = schema as z.ZodType
  const def = schema._zod.def as Def
  const clone = (change: object) => same.clone({ ...def, ...change } as never)

  function made(): z.ZodType {
    switch (def.type) {
      case 'object': {
        const parts = Object.entries(def.shape).map(([name, part]) => [
          name,
          inside(part, `.${name}`),
        ])
        return clone({ shape: Object.fromEntries(parts), catchall: def.catchall ?? z.never() })
      }
      case 'array':
        if (!hasLength(def)) endless.push(`${path}[]`)
        return clone({ element: inside(def.element, '[]') })
      case 'record':
        return clone({
          keyType: inside(def.keyType, '{}'),
          valueType: inside(def.valueType, '{}'),
        })
      case 'union':
        return clone({ options: def.options.map((option) => inside(option)) })
      case 'optional':
      case 'nullable':
      case 'default':
      case 'prefault':
        return clone({ innerType: inside(def.innerType) })
      case 'pipe':
        // A transform runs before the output schema, so the output schema is the one to tighten.
        return def.in._zod.def.type === 'transform'
          ? clone({ out: inside(def.out) })
          : clone({ in: inside(def.in) })
      case 'string':
        if (!hasLength(def) && !fixed.has((def as { format?: string }).format ?? ''))
          endless.push(path)
        return same instanceof z.ZodString ? withTextRules(same, path) : same
      case 'unknown':
        // JSON of any shape has its own size check.
        if (typeof same.meta()?.maxChars !== 'number') endless.push(`${path}（${def.type}）`)
        return same
      case 'number':
      case 'boolean':
      case 'literal':
      case 'enum':
      case 'null':
      case 'never':
        return same
      default:
        endless.push(`${path}（${def.type}）`)
        return same
    }
  }
  const result = made()
  seen.set(schema, result)
  return result
}

const fixed = new Set(['uuid', 'guid'])
const lengths = new Set(['max_length', 'length_equals'])
const hasLength = ({ checks }: Pick<Def, 'checks'>) =>
  checks?.some((check) => lengths.has(check._zod.def.check)) ?? false
