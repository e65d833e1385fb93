import type { DataType } from '@iot/shared/contract/thingModel'
import { parsed } from '@iot/shared/contract/thingValue'

const parts = ['Red', 'Green', 'Blue'] as const

/** Whether these are red, green and blue from 0 to 255 and nothing else. */
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

/** A colour as pages write it, of what a device says; nothing where that is none. */
export function colourOf(said: unknown): string | undefined {
  const value = parsed(said) as Partial<Record<string, unknown>> | null | undefined
  const numbers = parts.map((part) => value?.[part])
  return numbers.every((one) => typeof one === 'number') ? `rgb(${numbers.join(', ')})` : undefined
}

/** What a device is asked for, as JSON text. */
export const colourText = ({ r, g, b }: { r: number; g: number; b: number }) =>
  JSON.stringify({ Red: Math.round(r), Green: Math.round(g), Blue: Math.round(b) })
