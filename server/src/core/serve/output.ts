import { z } from 'zod'

const made = new WeakMap<z.ZodType, z.ZodType>()
const underWay = new Set<z.ZodType>()

/**
 * Returns a schema with the same keys and types but without rules, for parsing answers. Rows were checked when they
 * were stored. Checking them again takes half the time of a list, and a rule that was tightened later would make
 * lists with older rows fail.
 */
export function shapeOf(schema: z.ZodType): z.ZodType {
  const known = made.get(schema)
  if (known) return known
  // A recursive schema, such as a tree, refers to its own result.
  if (underWay.has(schema)) return z.lazy(() => made.get(schema)!)
  underWay.add(schema)
  const shape = withoutRules(schema)
  underWay.delete(schema)
  made.set(schema, shape)
  return shape
}

function withoutRules(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat)
    return schema.def.coerce ? schema : z.string()
  if (schema instanceof z.ZodNumber) return schema.def.coerce ? schema : z.number()
  if (schema instanceof z.ZodOptional) return shapeOf(schema.unwrap() as z.ZodType).optional()
  if (schema instanceof z.ZodNullable) return shapeOf(schema.unwrap() as z.ZodType).nullable()
  if (schema instanceof z.ZodArray) return z.array(shapeOf(schema.element as z.ZodType))
  if (schema instanceof z.ZodDefault)
    return shapeOf(schema.unwrap() as z.ZodType).default(schema.def.defaultValue as never)
  // A transform runs before the output schema, which loses its rules.
  if (schema instanceof z.ZodPipe && schema.def.in instanceof z.ZodTransform)
    return z.pipe(schema.def.in, shapeOf(schema.def.out as z.ZodType))
  if (schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodString)
    return z.record(z.string(), shapeOf(schema.valueType as z.ZodType))
  // A literal key tells the options apart, and literals are kept unchanged.
  if (schema instanceof z.ZodDiscriminatedUnion)
    return z.discriminatedUnion(
      schema.def.discriminator,
      schema.options.map((one) => shapeOf(one as z.ZodType)) as never,
    )
  if (schema instanceof z.ZodUnion)
    return z.union(schema.options.map((one) => shapeOf(one as z.ZodType)))
  if (schema instanceof z.ZodObject && !schema.def.catchall)
    return z.object(
      Object.fromEntries(
        Object.entries(schema.shape).map(([key, value]) => [key, shapeOf(value as z.ZodType)]),
      ),
    )
  return schema
}
