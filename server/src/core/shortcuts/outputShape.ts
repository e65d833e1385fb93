import { z } from 'zod'

const shapes = new WeakMap<z.ZodType, z.ZodType>()
const shapesInProgress = new Set<z.ZodType>()

/**
 * Returns a schema with the same keys and types but without rules, for parsing answers. Rows were checked when they
 * were stored. Checking them again takes half the time of a list, and a rule that was tightened later would make
 * lists with older rows fail.
 */
export function toOutputShape(schema: z.ZodType): z.ZodType {
  const cachedShape = shapes.get(schema)
  if (cachedShape) return cachedShape
  // A recursive schema, such as a tree, refers to its own result.
  if (shapesInProgress.has(schema)) return z.lazy(() => shapes.get(schema)!)
  shapesInProgress.add(schema)
  const shape = stripRules(schema)
  shapesInProgress.delete(schema)
  shapes.set(schema, shape)
  return shape
}

/** Only lists that a client may send have a maximum length, and these name each entry once unless they say otherwise. */
const isSet = (list: z.ZodArray) =>
  list.def.checks?.some((check) => check._zod.def.check === 'max_length') === true &&
  list.meta()?.isSequence !== true

/**
 * A row from before the rule of `repeatedEntries.ts` may hold an entry twice; a form that sent it back would be refused
 * for a field that the user did not touch.
 */
function removeRepetitions(entries: unknown[]) {
  const distinctEntries = [...new Set(entries)]
  return distinctEntries.length === entries.length ? entries : distinctEntries
}

function stripRules(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat)
    return schema.def.coerce ? schema : z.string()
  if (schema instanceof z.ZodNumber) return schema.def.coerce ? schema : z.number()
  if (schema instanceof z.ZodOptional) return toOutputShape(schema.unwrap() as z.ZodType).optional()
  if (schema instanceof z.ZodNullable) return toOutputShape(schema.unwrap() as z.ZodType).nullable()
  if (schema instanceof z.ZodArray) {
    const list = z.array(toOutputShape(schema.element as z.ZodType))
    return isSet(schema) ? list.overwrite(removeRepetitions) : list
  }
  if (schema instanceof z.ZodDefault)
    return toOutputShape(schema.unwrap() as z.ZodType).default(schema.def.defaultValue as never)
  // A transform runs before the output schema, which loses its rules.
  if (schema instanceof z.ZodPipe && schema.def.in instanceof z.ZodTransform)
    return z.pipe(schema.def.in, toOutputShape(schema.def.out as z.ZodType))
  if (schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodString)
    return z.record(z.string(), toOutputShape(schema.valueType as z.ZodType))
  // A literal key tells the options apart, and literals are kept unchanged.
  if (schema instanceof z.ZodDiscriminatedUnion)
    return z.discriminatedUnion(
      schema.def.discriminator,
      schema.options.map((option) => toOutputShape(option as z.ZodType)) as never,
    )
  if (schema instanceof z.ZodUnion)
    return z.union(schema.options.map((option) => toOutputShape(option as z.ZodType)))
  if (schema instanceof z.ZodObject && !schema.def.catchall)
    return z.object(
      Object.fromEntries(
        Object.entries(schema.shape).map(([key, value]) => [
          key,
          toOutputShape(value as z.ZodType),
        ]),
      ),
    )
  return schema
}
