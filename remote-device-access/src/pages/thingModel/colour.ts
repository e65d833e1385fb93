import type { DataType } from '@iot/shared/contract/thingModel'
import { parsed } from '@iot/shared/contract/thingValue'

const parts = ['Red', 'Green', 'Blue'] as const

/** Tells whether a structure has exactly the members red, green and blue with values from 0 to 255. */
export const isColour = (dataType: DataType) =>
  dataType.type === 'struct' &&
  dataType.specs.length === parts.length &&
  parts.every((part) =>
    dataType.specs.some(
      ({ identifier, dataType: of }) =>
        identifier === part &&
        of.type === 'int' &&
        (of.specs.min ?? 0) === 0 &&
        (of.specs.max ?? 255) === 255,
    ),
  )

/** Converts a reported value to a CSS colour, or returns `undefined` if it is no colour. */
export function colourOf(said: unknown): string | undefined {
  const value = parsed(said) as Partial<Record<string, unknown>> | null | undefined
  const numbers = parts.map((part) => value?.[part])
  return numbers.every((one) => typeof one === 'number') ? `rgb(${numbers.join(', ')})` : undefined
}

/** Converts a colour to the JSON text of a command. */
export const colourText = ({ r, g, b }: { r: number; g: number; b: number }) =>
  JSON.stringify({ Red: Math.round(r), Green: Math.round(g), Blue: Math.round(b) })
