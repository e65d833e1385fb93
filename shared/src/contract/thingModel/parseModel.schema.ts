import { type ModelPath, type ModelReadResult, getPathTitle } from './parseModel'
import { getRepeatedValue } from './thingModel'
import { ThingModel } from './thingModel.schema'
import { createDefaultMessage } from '../defaultMessage'

const maxErrors = 200

/** Finds repeated values of a list: a switch type would drop the unknown entry silently. */
function findRepeatedValues(
  raw: unknown,
  path: ModelPath = [],
): { path: ModelPath; message: string }[] {
  if (typeof raw !== 'object' || raw === null) return []
  return Object.entries(raw).flatMap(([name, part]) => {
    const partPath = [...path, Array.isArray(raw) ? Number(name) : name]
    const value = getRepeatedValue(name)
    return value === undefined
      ? findRepeatedValues(part, partPath)
      : [{ path: partPath, message: `${value} 重复` }]
  })
}

/**
 * Reads a model from a file and returns it whole or with all its errors.
 * @param formatPlace names the place of a path in the file
 * @param booleanError error message for an invalid boolean in that file
 */
export function parseModel(
  raw: unknown,
  formatPlace: (path: ModelPath) => string,
  booleanError: string,
): ModelReadResult {
  const { success, data, error } = ThingModel.safeParse(raw, {
    error: (issue) =>
      issue.code === 'invalid_type' && issue.expected === 'boolean'
        ? booleanError
        : createDefaultMessage(getPathTitle(issue.path ?? []))(issue),
  })
  const repeatedValues = findRepeatedValues(raw)
  if (success && repeatedValues.length === 0) return { model: data }
  const otherIssues = (error?.issues ?? []).filter(
    ({ path }) => getRepeatedValue(String(path.at(-1))) === undefined,
  )
  const errorsByText = new Map(
    [...repeatedValues, ...otherIssues].map(({ path, message }) => {
      const error = { place: formatPlace(path), field: getPathTitle(path), reason: message }
      return [Object.values(error).join('\n'), error] as const
    }),
  )
  return { errors: [...errorsByText.values()].slice(0, maxErrors) }
}
