import type { DataType } from '@iot/shared/contract/thingModel/thingModel.schema'
import { toCssColour, toColourJson, isColour } from './colour'

const createStruct = (max: number | undefined, ...names: string[]) =>
  ({
    type: 'struct',
    specs: names.map((identifier) => ({
      identifier,
      name: identifier,
      dataType: { type: 'int', specs: { min: 0, max } },
    })),
  }) as DataType

it('requires exactly red, green and blue up to 255', () => {
  expect(isColour(createStruct(255, 'Red', 'Green', 'Blue'))).toBe(true)
  expect(isColour(createStruct(undefined, 'Blue', 'Red', 'Green'))).toBe(true)
  expect(isColour(createStruct(100, 'Red', 'Green', 'Blue'))).toBe(false)
  expect(isColour(createStruct(255, 'Red', 'Green', 'Blue', 'White'))).toBe(false)
  expect(isColour(createStruct(255, 'Red', 'Green'))).toBe(false)
})
it('converts between CSS colours and the format of the device', () => {
  expect(toCssColour(toColourJson({ r: 255, g: 9.6, b: 0 }))).toBe('rgb(255, 10, 0)')
  for (const none of [undefined, '', 'null', '[]', '{"Red":1}', '{"Red":"1","Green":2,"Blue":3}'])
    expect(toCssColour(none)).toBeUndefined()
})
