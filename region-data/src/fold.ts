import { text as pairs } from '../data/traditional.ts'

let simplifiedByTraditional: Map<string, string> | undefined

/**
 * Converts a text to half-width and simplified characters, as region names are written. The length does not change,
 * so that positions stay valid; a character that would become several is kept.
 */
export function foldCharacters(text: string): string {
  simplifiedByTraditional ??= new Map(
    [...pairs.matchAll(/(.)(.)/gu)].map(([, traditional, simplifiedForm]) => [
      traditional!,
      simplifiedForm!,
    ]),
  )
  let convertedText = ''
  for (const character of text) {
    const halfWidth = character.normalize('NFKC')
    const sameLengthForm = halfWidth.length === character.length ? halfWidth : character
    convertedText += simplifiedByTraditional.get(sameLengthForm) ?? sameLengthForm
  }
  return convertedText
}
