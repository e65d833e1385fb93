import { z } from 'zod'
import { isObject, type Json } from './json'

const maxExtraChars = 8192
const maxExtras = 256
const tooLongText = `其他内容最多 ${maxExtraChars} 个字符`
const Segment = z
  .string()
  .min(1)
  .max(128)
  .refine((name) => name !== '__proto__', '不支持这个名称')

/**
 * Any JSON of limited length. The server requires a limit for every input and cannot detect one in a function, so
 * `meta` states it.
 */
const AnyJson = z
  .unknown()
  .refine((value) => (JSON.stringify(value) ?? '').length <= maxExtraChars, tooLongText)
  .meta({ maxChars: maxExtraChars })

/**
 * Facts of a function in a TSL file that the model does not cover, such as `precise`, `defaultValue` and `custom`: they
 * are kept for the export. A path names list elements by their identifiers.
 */
export const TslExtra = z
  .array(z.object({ path: z.array(Segment).min(1).max(16), value: AnyJson }))
  .max(maxExtras)
  .refine((all) => JSON.stringify(all).length <= maxExtraChars, tooLongText)
  .optional()
  .meta({ title: '其他' })
export type TslExtra = z.infer<typeof TslExtra>

/** These fields are derived from the model, so a different spelling in a file is ignored. */
const ownWords = new Set(['unitName', 'schema'])
/** Some files contain the specs of a type as text. */
const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

type Found = { extra: NonNullable<TslExtra>; wrongMethod?: { given: string; expected: string } }

/** Returns what `given` contains beyond `made`, which is written from the model that was read from it. */
export function findExtra(given: unknown, made: unknown): Found {
  const found: Found = { extra: [] }
  const compare = (mine: unknown, other: unknown, path: string[]) => {
    const value = typeof mine === 'string' && isObject(other) ? readJson(mine) : mine
    if (isObject(value) && isObject(other))
      for (const [name, part] of Object.entries(value)) {
        const at = [...path, name]
        if (Object.hasOwn(other, name)) compare(part, other[name], at)
        else if (!isEmpty(part)) found.extra.push({ path: at, value: part })
      }
    else if (Array.isArray(value) && Array.isArray(other))
      for (const part of value.filter(isObject)) {
        const named = other.find((one) => isObject(one) && one.identifier === part.identifier)
        if (named) compare(part, named, [...path, String(part.identifier)])
      }
    else compareWord(value, other, path)
  }
  const compareWord = (mine: unknown, other: unknown, path: string[]) => {
    const name = path.at(-1)!
    if (isEmpty(mine) || mine === other) return
    if (ownWords.has(name)) found.extra.push({ path, value: mine })
    if (path.join() === 'method')
      found.wrongMethod = { given: String(mine), expected: String(other) }
  }
  compare(given, made, [])
  // Sorting makes the result independent of the field order in the file.
  found.extra.sort((a, b) => (a.path.join() < b.path.join() ? -1 : 1))
  return found
}

/** Adds the kept facts to a written model, except where the model itself now has a value. */
export function withExtra<T extends Json>(made: T, extra: TslExtra): T {
  if (!extra?.length) return made
  const whole = structuredClone(made)
  for (const { path, value } of extra) {
    let here: unknown = whole
    for (const name of path.slice(0, -1)) {
      if (Array.isArray(here))
        here = here.find((one) => isObject(one) && one.identifier === name) as unknown
      else if (isObject(here)) {
        if (!Object.hasOwn(here, name)) here[name] = {}
        here = here[name]
      }
    }
    const name = path.at(-1)!
    if (isObject(here) && (!Object.hasOwn(here, name) || ownWords.has(name))) here[name] = value
  }
  return whole
}

/** Describes the extra facts for a comparison. */
export const extraWords = (extra: TslExtra) =>
  (extra ?? []).map(({ path, value }) => `${path.join('.')}=${JSON.stringify(value)}`).join('、')
