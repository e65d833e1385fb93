import type { DataType } from '@iot/shared/contract/thingModel/thingModel.schema'
import { parseJson } from '@iot/shared/contract/thingModel/thingValue'

const colourMembers = ['Red', 'Green', 'Blue'] as const

/** Tells whether a structure has exactly the members red, green and blue with values from 0 to 255. */
export const isColour = (dataType: DataType) =>
  dataType.type === 'struct' &&
  dataType.specs.length === colourMembers.length &&
  colourMembers.every((memberName) =>
    dataType.specs.some(
      ({ identifier, dataType: memberType }) =>
        identifier === memberName &&
        memberType.type === 'int' &&
        (memberType.specs.min ?? 0) === 0 &&
        (memberType.specs.max ?? 255) === 255,
    ),
  )

/** Converts a reported value to a CSS colour, or returns `undefined` if it is no colour. */
export function toCssColour(reportedValue: unknown): string | undefined {
  const value = parseJson(reportedValue) as Partial<Record<string, unknown>> | null | undefined
  const numbers = colourMembers.map((memberName) => value?.[memberName])
  return numbers.every((channel) => typeof channel === 'number')
    ? `rgb(${numbers.join(', ')})`
    : undefined
}

/** Converts a colour to the JSON text of a command. */
export const toColourJson = ({ r, g, b }: { r: number; g: number; b: number }) =>
  JSON.stringify({ Red: Math.round(r), Green: Math.round(g), Blue: Math.round(b) })
