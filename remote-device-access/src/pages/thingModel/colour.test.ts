import type { DataType } from '@iot/shared/contract/thingModel'
import { colourOf, colourText, isColour } from './colour'

const of = (max: number | undefined, ...names: string[]) =>
  ({
    type: 'struct',
    specs: names.map((identifier) => ({
      identifier,
      name: identifier,
      dataType: { type: 'int', specs: { min: 0, max } },
    })),
  }) as DataType

it('is a colour where all of it is red, green and blue up to 255', () => {
  expect(isColour(of(255, 'Red', 'Green', 'Blue'))).toBe(true)
  expect(isColour(of(undefined, 'Blue', 'Red', 'Green'))).toBe(true)
  expect(isColour(of(100, 'Red', 'Green', 'Blue'))).toBe(false)
  expect(isColour(of(255, 'Red', 'Green', 'Blue', 'White'))).toBe(false)
  expect(isColour(of(255, 'Red', 'Green'))).toBe(false)
})
it('reads and writes what a device speaks', () => {
  expect(colourOf(colourText({ r: 255, g: 9.6, b: 0 }))).toBe('rgb(255, 10, 0)')
  for (const none of [undefined, '', 'null', '[]', '{"Red":1}', '{"Red":"1","Green":2,"Blue":3}'])
    expect(colourOf(none)).toBeUndefined()
})
