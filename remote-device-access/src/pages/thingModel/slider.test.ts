import { getSliderRange } from './slider'

const colour = { type: 'int' as const, specs: { min: 2700, max: 6500, step: 1 } }

it('is there where each position can be set, or where a control type asks for it', () => {
  const brightness = { type: 'int' as const, specs: { min: 0, max: 100 } }
  expect(getSliderRange(brightness)).toEqual({ min: 0, max: 100, step: 1 })
  expect(getSliderRange(brightness, 'number')).toBeUndefined()
  expect(getSliderRange(colour)).toBeUndefined()
  expect(getSliderRange(colour, 'slider')).toEqual({ min: 2700, max: 6500, step: 4 })
  expect(getSliderRange({ type: 'int', specs: { min: 0 } }, 'slider')).toBeUndefined()
})

it('has steps as they would be written', () => {
  const level = { type: 'double' as const, specs: { min: 0, max: 300, step: 0.1 } }
  expect(getSliderRange(level, 'slider')).toEqual({ min: 0, max: 300, step: 0.3 })
})
