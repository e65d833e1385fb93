import type { z } from 'zod'

type Titled = { meta(): { title?: unknown } | undefined; unwrap?(): unknown }
const isTitled = (type: unknown): type is Titled =>
  typeof type === 'object' && type !== null && 'meta' in type

/** The Chinese title a schema gives a field; the field's own name where it gives none. Stands apart from zod itself. */
export function titleOf(schema: z.ZodObject, name: string): string {
  for (let type: unknown = schema.shape[name]; isTitled(type); type = type.unwrap?.()) {
    const title = type.meta()?.title
    if (typeof title === 'string') return title
  }
  return name
}
