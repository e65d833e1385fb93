/** The type covers the part of JSON Schema that the OpenAPI document uses. */
export type Schema = {
  $ref?: string
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  const?: unknown
  enum?: unknown[]
  default?: unknown
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  minItems?: number
}
export type SchemaComponents = Record<string, Schema>

const texts = [
  ...[
    '灯',
    'abc',
    'A1',
    'abcd1234',
    'a:b:c',
    '08:00',
    '13800000000',
    '440305',
    '#336699',
    '/a',
    '',
  ],
  ...['2026-11-22', '2026-11-22T08:00:00.000Z', 'https://a.cn', 'a@b.cn'],
  '1~018f0000-0000-7000-8000-000000000000',
]
const unknownId = '018f0000-0000-7000-8000-00000000ffff'

/** Builds a minimal value of a schema; fields listed in `knownValues` get their value from there. */
export function buildValue(
  schema: Schema,
  components: SchemaComponents,
  knownValues: Record<string, unknown> = {},
): unknown {
  const buildPart = (part: Schema) => buildValue(part, components, knownValues)
  const resolvedSchema = resolveSchema(schema, components)
  if ('const' in resolvedSchema) return resolvedSchema.const
  if ('default' in resolvedSchema) return resolvedSchema.default
  if (resolvedSchema.enum) return resolvedSchema.enum[0]
  const choices = resolvedSchema.anyOf ?? resolvedSchema.oneOf
  if (choices) return buildPart(choices.find(({ type }) => type !== 'null') ?? choices[0]!)
  switch (resolvedSchema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(resolvedSchema.properties ?? {})
          // A stored row has null for a field that a call may leave out.
          .filter(
            ([name]) =>
              resolvedSchema.required?.includes(name) || (knownValues[name] ?? null) !== null,
          )
          .map(([name, part]) => [name, name in knownValues ? knownValues[name] : buildPart(part)]),
      )
    case 'array':
      return Array.from({ length: Math.min(resolvedSchema.minItems ?? 0, 3) }, () =>
        buildPart(resolvedSchema.items ?? {}),
      )
    case 'integer':
    case 'number':
      return Math.max(resolvedSchema.minimum ?? 1, 1)
    case 'boolean':
      return true
    case 'string':
      if (resolvedSchema.format === 'uuid') return unknownId
      return (
        texts.find((text) => matchesSchema(text, resolvedSchema)) ??
        '灯'.repeat(resolvedSchema.minLength ?? 1)
      )
    case undefined:
    default:
      return null
  }
}
const matchesSchema = (
  text: string,
  { pattern, format, minLength = 0, allOf: allSchemas }: Schema,
): boolean =>
  text.length >= minLength &&
  (!pattern || new RegExp(pattern, 'u').test(text)) &&
  (format !== 'uri' || text.startsWith('https:')) &&
  (format !== 'email' || text.includes('@')) &&
  (format !== 'date-time' || text.endsWith('Z')) &&
  (allSchemas ?? []).every((part) => matchesSchema(text, part))

export function resolveSchema(schema: Schema, components: SchemaComponents): Schema {
  return schema.$ref
    ? resolveSchema(components[schema.$ref.split('/').at(-1)!]!, components)
    : schema
}

const createNested = (depth: number) => {
  let value: unknown = 1
  for (let n = 0; n < depth; n++) value = n % 2 ? [value] : { a: value }
  return value
}
const missingMarker = Symbol('left out')
/** Attackers and faulty programs send values like these. */
export const wrongValues: [string, unknown][] = [
  ['missing', missingMarker],
  ['null', null],
  ['zero', 0],
  ['negative', -1],
  ['huge', 1e308],
  ['beyond integers', 2 ** 63],
  ['a fraction', 0.5],
  ['a digit as text', '7'],
  ['true', true],
  ['empty text', ''],
  ['blanks', ' \u3000 '],
  ['over-long text', '长'.repeat(20_000)],
  ['a control character', '灯\u0000'],
  ['turned direction', '灯\u202Egpj'],
  ['half a character', '灯\ud83d'],
  ['a quote', "'; drop table device; --"],
  ['a percent', '%_%\\'],
  ['a path', '../../../etc/passwd'],
  ['a pattern', '(a+)+$'],
  ['a script', '<img src=x onerror=alert(1)>'],
  ['a name of objects', '__proto__'],
  ['constructor', 'constructor'],
  ['a list', []],
  ['a list of lists', [[[]]]],
  ['many', Array.from({ length: 3000 }, () => 'x')],
  ['an object', {}],
  ['prototype', JSON.parse('{"__proto__":{"admin":true},"constructor":1}')],
  ['deep', createNested(400)],
  ['an unknown id', unknownId],
  ['a date that is none', '2026-02-31T25:61:00.000Z'],
  ['the year 275760', '+275760-09-13T00:00:00.000Z'],
]

type ValuePath = (string | number)[]
/** Yields every path inside a value. */
function* listPaths(value: unknown, path: ValuePath = []): Generator<ValuePath> {
  if (path.length > 0) yield path
  if (path.length > 4 || typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value).slice(0, 40))
    yield* listPaths(part, [...path, name])
}
function replaceAtPath(value: unknown, [name, ...rest]: ValuePath, replacement: unknown): unknown {
  const copy: Record<string, unknown> = { ...(value as object) }
  if (rest.length > 0) copy[name!] = replaceAtPath(copy[name!], rest, replacement)
  else if (replacement === missingMarker) delete copy[name!]
  else copy[name!] = replacement
  return Array.isArray(value) ? Object.values(copy) : copy
}

/**
 * Yields inputs with exactly one wrong value and its name. Every path gets `valuesPerPath` of the wrong values in turn, so
 * that over all calls every wrong value meets every kind of field.
 */
export function* generateWrongInputs(
  validInput: Record<string, unknown>,
  schema: Schema,
  cursor: { n: number },
  valuesPerPath: number,
): Generator<readonly [string, Record<string, unknown>]> {
  yield ['a field nobody knows', { ...validInput, nobody: 1 }]
  const optional = Object.keys(schema.properties ?? {}).filter((name) => !(name in validInput))
  for (const path of [...listPaths(validInput), ...optional.map((name) => [name])])
    for (let n = 0; n < valuesPerPath; n++) {
      const [name, value] = wrongValues[cursor.n++ % wrongValues.length]!
      yield [
        `${path.join('.')}: ${name}`,
        replaceAtPath(validInput, path, value) as Record<string, unknown>,
      ]
    }
}
