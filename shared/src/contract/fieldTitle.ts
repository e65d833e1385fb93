import type { z } from 'zod'

type Titled = { meta(): { title?: unknown } | undefined; unwrap?(): unknown }
const isTitled = (type: unknown): type is Titled =>
  typeof type === 'object' && type !== null && 'meta' in type

/** Returns the Chinese title of a field, or its name if it has none. This module imports only the types of zod. */
export function getFieldTitle(schema: z.ZodObject, name: string): string {
  for (let type: unknown = schema.shape[name]; isTitled(type); type = type.unwrap?.()) {
    const title = type.meta()?.title
    if (typeof title === 'string') return title
  }
  return name
}
