type Schema = Record<string, unknown>

const refPrefix = '#/components/schemas/'
/** Smaller objects stay inline, because they are easier to read in place. */
const MIN_SHARED_FIELDS = 4

const isShareable = (value: object): value is Schema =>
  'properties' in value && Object.keys(value.properties as object).length >= MIN_SHARED_FIELDS

/**
 * Moves schemas that occur in several endpoints into components, each named after the resource of the first endpoint
 * that uses it. The endpoints are sorted by path.
 */
export function extractSharedSchemas(paths: Record<string, Schema>): {
  paths: Record<string, Schema>
  schemas: Schema
} {
  const countByText = new Map<string, number>()
  const countSchemas = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if (isShareable(value)) {
      const text = JSON.stringify(value)
      const previousCount = countByText.get(text) ?? 0
      countByText.set(text, previousCount + 1)
      // Objects inside a repeated object occur equally often and need no component for that reason alone.
      if (previousCount > 0) return
    }
    Object.values(value).forEach(countSchemas)
  }
  countSchemas(paths)

  const names = new Map<string, string>()
  const schemas: Schema = {}
  function findFreeName(resource: string) {
    for (let number = 1; ; number++) {
      const name = number === 1 ? resource : resource + number
      if (!(name in schemas)) return name
    }
  }
  function replaceShared(value: unknown, resource: string): unknown {
    if (typeof value !== 'object' || value === null) return value
    const replaceInside = () =>
      Array.isArray(value)
        ? value.map((item) => replaceShared(item, resource))
        : Object.fromEntries(
            Object.entries(value).map(([key, item]) => [key, replaceShared(item, resource)]),
          )
    const text = isShareable(value) ? JSON.stringify(value) : ''
    if ((countByText.get(text) ?? 0) < 2) return replaceInside()
    if (!names.has(text)) {
      const name = findFreeName(resource)
      names.set(text, name)
      // The name is reserved first, because nested objects may request a name too.
      schemas[name] = {}
      schemas[name] = replaceInside()
    }
    return { $ref: refPrefix + names.get(text)! }
  }
  const toComponentName = (path: string, part: string) =>
    toPascalCase(path.split('/')[2] ?? '') + (part === 'requestBody' ? 'Draft' : '')
  const result = Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations as Record<string, Schema>).map(([method, operation]) => [
          method,
          Object.fromEntries(
            Object.entries(operation).map(([part, value]) => [
              part,
              replaceShared(value, toComponentName(path, part)),
            ]),
          ),
        ]),
      ),
    ]),
  )
  return { paths: result, schemas }
}

/**
 * Moves the `$defs` that zod writes for recursive schemas into components. Their references count from the root of the
 * document, so they would lead nowhere inside it.
 */
export function hoistDefinitions(paths: Record<string, Schema>): {
  paths: Record<string, Schema>
  schemas: Schema
} {
  const names = new Map<string, string>()
  const schemas: Schema = {}
  function hoist(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(hoist)
    if (!('$defs' in value))
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hoist(item)]))
    const { $defs, ...rest } = value
    const definitions = Object.entries($defs as Schema)
    const newNames = definitions.map(([, definition]) => {
      const text = JSON.stringify(definition)
      if (!names.has(text)) names.set(text, `Recursive${names.size + 1}`)
      return names.get(text)!
    })
    const redirect = (schema: unknown) =>
      definitions.reduce(
        (text, [name], index) =>
          text.replaceAll(`"#/$defs/${name}"`, `"${refPrefix}${newNames[index]!}"`),
        JSON.stringify(schema),
      )
    for (const [index, [, definition]] of definitions.entries())
      schemas[newNames[index]!] = JSON.parse(redirect(definition))
    return JSON.parse(redirect(rest))
  }
  return { paths: hoist(paths) as Record<string, Schema>, schemas }
}

const toPascalCase = (text: string) =>
  text.replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase())
