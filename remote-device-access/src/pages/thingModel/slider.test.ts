import { getSliderRange } from './slider'

const colour = { type: 'int' as const, specs: { min: 2700, max: 6500, step: 1 } }

it('requires a range with reachable positions, or a control type that asks for a slider', () => {
  const brightness = { type: 'int' as const, specs: { min: 0, max: 100 } }
  expect(getSliderRange(brightness)).toEqual({ min: 0, max: 100, step: 1 })
  expect(getSliderRange(brightness, 'number')).toBeUndefined()
  expect(getSliderRange(colour)).toBeUndefined()
  expect(getSliderRange(colour, 'slider')).toEqual({ min: 2700, max: 6500, step: 4 })
  expect(getSliderRange({ type: 'int', specs: { min: 0 } }, 'slider')).toBeUndefined()
})

it('rounds its step to decimal notation', () => {
  const level = { type: 'double' as const, specs: { min: 0, max: 300, step: 0.1 } }
  expect(getSliderRange(level, 'slider')).toEqual({ min: 0, max: 300, step: 0.3 })
})
