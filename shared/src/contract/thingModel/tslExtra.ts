import type { ExtraResult, TslExtra } from './tslExtra.schema'
import { isObject, type Json } from '../json'

/** These fields are derived from the model, so a different spelling in a file is ignored. */
const derivedFields = new Set(['unitName', 'schema'])
/** Some files contain the specs of a type as text. */
const parseJsonOrText = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

/** Returns what `fileContent` contains beyond `generatedContent`, which is written from the model that was read from it. */
export function findExtra(fileContent: unknown, generatedContent: unknown): ExtraResult {
  const result: ExtraResult = { extra: [] }
  const compare = (fileValue: unknown, generatedValue: unknown, path: string[]) => {
    const value =
      typeof fileValue === 'string' && isObject(generatedValue)
        ? parseJsonOrText(fileValue)
        : fileValue
    if (isObject(value) && isObject(generatedValue))
      for (const [name, part] of Object.entries(value)) {
        const partPath = [...path, name]
        if (Object.hasOwn(generatedValue, name)) compare(part, generatedValue[name], partPath)
        else if (!isEmpty(part)) result.extra.push({ path: partPath, value: part })
      }
    else if (Array.isArray(value) && Array.isArray(generatedValue))
      for (const part of value.filter(isObject)) {
        const matchingElement = generatedValue.find(
          (candidate) => isObject(candidate) && candidate.identifier === part.identifier,
        )
        if (matchingElement) compare(part, matchingElement, [...path, String(part.identifier)])
      }
    else compareFact(value, generatedValue, path)
  }
  const compareFact = (fileValue: unknown, generatedValue: unknown, path: string[]) => {
    const name = path.at(-1)!
    if (isEmpty(fileValue) || fileValue === generatedValue) return
    if (derivedFields.has(name)) result.extra.push({ path, value: fileValue })
    if (path.join() === 'method')
      result.wrongMethod = { given: String(fileValue), expected: String(generatedValue) }
  }
  compare(fileContent, generatedContent, [])
  // Sorting makes the result independent of the field order in the file.
  result.extra.sort((a, b) => (a.path.join() < b.path.join() ? -1 : 1))
  return result
}

/** Adds the unknown TSL fields of the imported file to a generated model, except where the model now has a value. */
export function mergeExtra<T extends Json>(generatedContent: T, extra: TslExtra): T {
  if (!extra?.length) return generatedContent
  const mergedContent = structuredClone(generatedContent)
  for (const { path, value } of extra) {
    let currentNode: unknown = mergedContent
    for (const name of path.slice(0, -1)) {
      if (Array.isArray(currentNode))
        currentNode = currentNode.find(
          (candidate) => isObject(candidate) && candidate.identifier === name,
        ) as unknown
      else if (isObject(currentNode)) {
        if (!Object.hasOwn(currentNode, name)) currentNode[name] = {}
        currentNode = currentNode[name]
      }
    }
    const name = path.at(-1)!
    if (isObject(currentNode) && (!Object.hasOwn(currentNode, name) || derivedFields.has(name)))
      currentNode[name] = value
  }
  return mergedContent
}

/** Describes the extra facts for a comparison. */
export const describeExtra = (extra: TslExtra) =>
  (extra ?? []).map(({ path, value }) => `${path.join('.')}=${JSON.stringify(value)}`).join('、')
