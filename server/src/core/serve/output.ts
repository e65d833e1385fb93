import { z } from 'zod'

const made = new WeakMap<z.ZodType, z.ZodType>()
const underWay = new Set<z.ZodType>()

/**
 * The keys and types of a schema without its rules: what an answer is put through. Rows kept the rules when they came
 * in; to ask them of each row again is half the time of a list, and a rule that was made stricter since would make the
 * list that shows an older row fail.
 */
export function shapeOf(schema: z.ZodType): z.ZodType {
  const known = made.get(schema)
  if (known) return known
  // A tree holds itself.
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
  // What goes in is made into what comes out, which loses its rules.
  if (schema instanceof z.ZodPipe && schema.def.in instanceof z.ZodTransform)
    return z.pipe(schema.def.in, shapeOf(schema.def.out as z.ZodType))
  if (schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodString)
    return z.record(z.string(), shapeOf(schema.valueType as z.ZodType))
  // Its options are told apart by a key, which is a literal and so stays as it is.
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
