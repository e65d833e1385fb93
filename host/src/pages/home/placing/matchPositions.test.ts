import { matchPositions } from './matchPositions'

const createLamp = (name: string, productType = 'LIGHT') => ({ id: name, name, productType })
const createPlacedLamp = (name: string, x: number, productType?: string) => ({
  ...createLamp(name, productType),
  at: { x, y: 0.5 },
})
const matchXById = (...args: Parameters<typeof matchPositions>) =>
  Object.fromEntries(matchPositions(...args).map(({ id, to }) => [id, to!.x]))

test('a device takes the position of the placed device with the same number, despite gaps', () => {
  const placedLamps = [
    createPlacedLamp('3F-灯-01', 0.1),
    createPlacedLamp('3F-灯-02', 0.2),
    createPlacedLamp('3F-灯-10', 0.3),
  ]
  expect(
    matchXById(
      [createLamp('4F-灯-10'), createLamp('4F-灯-1'), createLamp('4F-灯-11')],
      placedLamps,
    ),
  ).toEqual({
    '4F-灯-1': 0.1,
    '4F-灯-10': 0.3,
  })
})

test('devices with other numbers or without numbers are placed in name order', () => {
  const placedLamps = [
    createPlacedLamp('灯 9', 0.1),
    createPlacedLamp('灯 10', 0.2),
    createPlacedLamp('灯 11', 0.3),
  ]
  expect(
    matchXById([createLamp('灯 102'), createLamp('灯 99'), createLamp('灯 101')], placedLamps),
  ).toEqual({
    '灯 99': 0.1,
    '灯 101': 0.2,
    '灯 102': 0.3,
  })
  expect(
    matchXById(
      [createLamp('东'), createLamp('西')],
      [createPlacedLamp('大', 0.1), createPlacedLamp('小', 0.2)],
    ),
  ).toEqual({
    东: 0.1,
    西: 0.2,
  })
})

test('a duplicate number is ignored, and device types are not mixed', () => {
  const placedLamps = [
    createPlacedLamp('A1', 0.1),
    createPlacedLamp('B1', 0.2),
    createPlacedLamp('温度 1', 0.9, 'TEMPERATURE'),
  ]
  expect(matchXById([createLamp('C1'), createLamp('D1'), createLamp('E1')], placedLamps)).toEqual({
    C1: 0.1,
    D1: 0.2,
  })
  expect(matchXById([createLamp('温度 1', 'TEMPERATURE')], placedLamps)).toEqual({ '温度 1': 0.9 })
  expect(matchPositions([createLamp('灯', 'OTHER')], placedLamps)).toEqual([])
})
