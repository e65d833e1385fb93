import { createDefaultMessage, formatUnknownField } from '@iot/shared/contract/defaultMessage'
import { normalizeCharacters, explainInvisibleCharacter } from '@iot/shared/contract/text'
import { getFieldTitle } from '@iot/shared/contract/fieldTitle'
import { z } from 'zod'
import { createFieldsRefusal } from '../refusal'
import { withoutRepeatedEntries } from './repeatedEntries'
import { isStorable } from '../db/storable'

/** An answer names at most this many wrong fields. */
const maxNamedFields = 50

/**
 * Creates a parser for the input of a call that accepts what the contract declares and refuses every other field.
 * @throws Error at startup if the contract declares a text or a list without a maximum length
 * @example const parseInput = createInputParser('POST /v1/brand', BrandDraft); const draft = parseInput(request.body)
 */
export function createInputParser<S extends z.ZodType>(call: string, declaredSchema: S) {
  const unboundedPaths: string[] = []
  const schema = toStrictSchema(declaredSchema, '', unboundedPaths, new Map())
  if (unboundedPaths.length > 0)
    throw new Error(`${call}：没有长度限制：${unboundedPaths.join('、')}`)

  return (input: unknown): z.output<S> => {
    if (!isStorable(input)) throw createFieldsRefusal({}, '内容含有不允许的字符，或层数过多')
    const result = schema.safeParse(input, { error: (issue) => formatIssue(declaredSchema, issue) })
    if (!result.success) throw createFieldsRefusal(collectFieldErrors(result.error))
    return result.data as z.output<S>
  }
}

/** Passwords and secrets are taken exactly as typed; the import checks the cells of a file one by one. */
const isVerbatimField = (path: string) => /password|secret|^\.table/i.test(path)

/** Normalises every text and refuses invisible characters. */
function withTextRules(text: z.ZodString, path: string): z.ZodType {
  if (isVerbatimField(path)) return text
  const title = (text.meta()?.title as string | undefined) ?? '内容'
  return text
    .refine((value) => !explainInvisibleCharacter(value, title), {
      error: ({ input }) => explainInvisibleCharacter(String(input), title),
    })
    .overwrite(normalizeCharacters)
}

const isProjectField = (path: string) => /\.projectIds?(\[\])?$/.test(path)
const maxProjectId = 2 ** 31 - 1
/** A number beyond the column is no project; the database would refuse it without a field. */
const withProjectRange = (number: z.ZodNumber) =>
  number.refine((id) => Math.abs(id) <= maxProjectId, '项目不存在或已被删除')

const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
/** Refuses a period that ends before it begins, because its empty list would read as “nothing happened”. */
const withPeriodRule = (period: z.ZodType) =>
  period.refine(
    (input) => {
      const { from, to } = input as { from?: unknown; to?: unknown }
      return !isMoment(from) || !isMoment(to) || Date.parse(from) <= Date.parse(to)
    },
    { path: ['to'], error: '结束时间不能早于开始时间' },
  )

/** Returns the first error of each wrong field. */
export function collectFieldErrors({ issues }: z.ZodError) {
  const fields: Record<string, string> = {}
  for (const issue of issues.slice(0, maxNamedFields)) {
    if (issue.code !== 'unrecognized_keys') fields[issue.path.join('.')] ??= issue.message
    else
      for (const key of issue.keys.slice(0, maxNamedFields)) {
        const name = key.slice(0, 64)
        fields[[...issue.path, name].join('.')] = formatUnknownField(name)
      }
  }
  return fields
}

/** Builds the message for an issue that the contract has no text for, using the title of the field. */
function formatIssue(schema: z.ZodType, issue: z.core.$ZodRawIssue) {
  const [name] = issue.path ?? []
  const isKnownField = name !== undefined && schema instanceof z.ZodObject
  const title = isKnownField ? getFieldTitle(schema, String(name)) : '内容'
  return createDefaultMessage(title === name ? `“${title}”` : title)(issue)
}

type SchemaDefinition = z.core.$ZodTypeDef & z.core.$ZodTypes['_zod']['def']
type VisitedSchemas = Map<z.core.$ZodType, z.core.$ZodType | undefined>

const strictSchemas = new WeakMap<z.ZodType, z.ZodType>()

/** Returns the schema of a row of an imported file with the text rules of API calls. */
export function withStrictTexts<S extends z.ZodType>(schema: S): S {
  const cachedSchema = strictSchemas.get(schema) ?? toStrictSchema(schema, '', [], new Map())
  strictSchemas.set(schema, cachedSchema)
  return cachedSchema as S
}

/**
 * Returns the same schema with objects that refuse unknown fields. Paths without a maximum length are added to
 * `unboundedPaths`.
 */
function toStrictSchema(
  schema: z.core.$ZodType,
  path: string,
  unboundedPaths: string[],
  visited: VisitedSchemas,
): z.ZodType {
  // A recursive schema refers to the result of its first visit.
  if (visited.has(schema)) return z.lazy(() => visited.get(schema)!)
  visited.set(schema, undefined)
  const convertPart = (part: z.core.$ZodType, name = '') =>
    toStrictSchema(part, path + name, unboundedPaths, visited) as z.core.$ZodType
  const sourceSchema = schema as z.ZodType
  const def = schema._zod.def as SchemaDefinition
  const cloneWith = (change: object) => sourceSchema.clone({ ...def, ...change } as never)

  function convert(): z.ZodType {
    // Zod has more kinds of schemas than the contract uses; each of the others is reported as unbounded by `default`.
    switch (def.type) {
      case 'object': {
        const shapeEntries = Object.entries(def.shape).map(([name, part]) => [
          name,
          convertPart(part, `.${name}`),
        ])
        const strictObject = cloneWith({
          shape: Object.fromEntries(shapeEntries),
          catchall: def.catchall ?? z.never(),
        })
        return 'from' in def.shape && 'to' in def.shape
          ? withPeriodRule(strictObject)
          : strictObject
      }
      case 'array':
        if (!hasMaxLength(def)) unboundedPaths.push(`${path}[]`)
        return withoutRepeatedEntries(
          cloneWith({ element: convertPart(def.element, '[]') }) as z.ZodArray,
          sourceSchema as z.ZodArray,
        )
      case 'record':
        return cloneWith({
          keyType: convertPart(def.keyType, '{}'),
          valueType: convertPart(def.valueType, '{}'),
        })
      case 'union':
        return cloneWith({ options: def.options.map((option) => convertPart(option)) })
      case 'optional':
      case 'nullable':
      case 'default':
      case 'prefault':
        return cloneWith({ innerType: convertPart(def.innerType) })
      case 'pipe':
        // A transform runs before the output schema, so the output schema is the one to tighten.
        return def.in._zod.def.type === 'transform'
          ? cloneWith({ out: convertPart(def.out) })
          : cloneWith({ in: convertPart(def.in) })
      case 'string':
        if (
          !hasMaxLength(def) &&
          !fixedLengthFormats.has((def as { format?: string }).format ?? '')
        )
          unboundedPaths.push(path)
        return sourceSchema instanceof z.ZodString
          ? withTextRules(sourceSchema, path)
          : sourceSchema
      case 'unknown':
        // JSON of any shape has its own size check.
        if (typeof sourceSchema.meta()?.maxChars !== 'number')
          unboundedPaths.push(`${path}（${def.type}）`)
        return sourceSchema
      case 'number':
        return isProjectField(path) ? withProjectRange(sourceSchema as z.ZodNumber) : sourceSchema
      case 'boolean':
      case 'literal':
      case 'enum':
      case 'null':
      case 'never':
        return sourceSchema
      default:
        unboundedPaths.push(`${path}（${def.type}）`)
        return sourceSchema
    }
  }
  const result = convert()
  visited.set(schema, result)
  return result
}

const fixedLengthFormats = new Set(['uuid', 'guid'])
const lengthChecks = new Set(['max_length', 'length_equals'])
const hasMaxLength = ({ checks }: Pick<SchemaDefinition, 'checks'>) =>
  checks?.some((check) => lengthChecks.has(check._zod.def.check)) ?? false
