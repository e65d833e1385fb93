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
export type Shared = Record<string, Schema>

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

/** Builds a minimal value of a schema; fields listed in `known` get their value from there. */
export function valueOf(
  schema: Schema,
  shared: Shared,
  known: Record<string, unknown> = {},
): unknown {
  const inside = (part: Schema) => valueOf(part, shared, known)
  const one = resolved(schema, shared)
  if ('const' in one) return one.const
  if ('default' in one) return one.default
  if (one.enum) return one.enum[0]
  const choices = one.anyOf ?? one.oneOf
  if (choices) return inside(choices.find(({ type }) => type !== 'null') ?? choices[0]!)
  switch (one.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(one.properties ?? {})
          // A stored row has null for a field that a call may leave out.
          .filter(([name]) => one.required?.includes(name) || (known[name] ?? null) !== null)
          .map(([name, part]) => [name, name in known ? known[name] : inside(part)]),
      )
    case 'array':
      return Array.from({ length: Math.min(one.minItems ?? 0, 3) }, () => inside(one.items ?? {}))
    case 'integer':
    case 'number':
      return Math.max(one.minimum ?? 1, 1)
    case 'boolean':
      return true
    case 'string':
      if (one.format === 'uuid') return unknownId
      return texts.find((text) => fits(text, one)) ?? '灯'.repeat(one.minLength ?? 1)
    default:
      return null
  }
}
const fits = (text: string, { pattern, format, minLength = 0, allOf }: Schema): boolean =>
  text.length >= minLength &&
  (!pattern || new RegExp(pattern, 'u').test(text)) &&
  (format !== 'uri' || text.startsWith('https:')) &&
  (format !== 'email' || text.includes('@')) &&
  (format !== 'date-time' || text.endsWith('Z')) &&
  (allOf ?? []).every((one) => fits(text, one))

export function resolved(schema: Schema, shared: Shared): Schema {
  return schema.$ref ? resolved(shared[schema.$ref.split('/').at(-1)!]!, shared) : schema
}

const deep = (depth: number) => {
  let value: unknown = 1
  for (let n = 0; n < depth; n++) value = n % 2 ? [value] : { a: value }
  return value
}
const gone = Symbol('left out')
/** Attackers and faulty programs send values like these. */
export const wrongValues: [string, unknown][] = [
  ['missing', gone],
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
  ['deep', deep(400)],
  ['an unknown id', unknownId],
  ['a date that is none', '2026-02-31T25:61:00.000Z'],
  ['the year 275760', '+275760-09-13T00:00:00.000Z'],
]

type Place = (string | number)[]
/** Yields every path inside a value. */
function* placesOf(value: unknown, place: Place = []): Generator<Place> {
  if (place.length > 0) yield place
  if (place.length > 4 || typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value).slice(0, 40))
    yield* placesOf(part, [...place, name])
}
function changed(value: unknown, [name, ...rest]: Place, to: unknown): unknown {
  const copy: Record<string, unknown> = { ...(value as object) }
  if (rest.length > 0) copy[name!] = changed(copy[name!], rest, to)
  else if (to === gone) delete copy[name!]
  else copy[name!] = to
  return Array.isArray(value) ? Object.values(copy) : copy
}

/**
 * Yields inputs with exactly one wrong value and its name. Every path gets `each` of the wrong values in turn, so
 * that over all calls every wrong value meets every kind of field.
 */
export function* wrongInputs(
  right: Record<string, unknown>,
  schema: Schema,
  turn: { n: number },
  each: number,
): Generator<readonly [string, Record<string, unknown>]> {
  yield ['a field nobody knows', { ...right, nobody: 1 }]
  const optional = Object.keys(schema.properties ?? {}).filter((name) => !(name in right))
  for (const place of [...placesOf(right), ...optional.map((name) => [name])])
    for (let n = 0; n < each; n++) {
      const [name, value] = wrongValues[turn.n++ % wrongValues.length]!
      yield [`${place.join('.')}: ${name}`, changed(right, place, value) as Record<string, unknown>]
    }
}
