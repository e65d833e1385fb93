import { like } from './like'

const lamp = (name: string, productType = 'LIGHT') => ({ id: name, name, productType })
const hung = (name: string, x: number, productType?: string) => ({
  ...lamp(name, productType),
  at: { x, y: 0.5 },
})
const placed = (...all: Parameters<typeof like>) =>
  Object.fromEntries(like(...all).map(({ id, to }) => [id, to!.x]))

test('each goes where the one with its number hangs, also with some missing on either side', () => {
  const there = [hung('3F-灯-01', 0.1), hung('3F-灯-02', 0.2), hung('3F-灯-10', 0.3)]
  expect(placed([lamp('4F-灯-10'), lamp('4F-灯-1'), lamp('4F-灯-11')], there)).toEqual({
    '4F-灯-1': 0.1,
    '4F-灯-10': 0.3,
  })
})

test('numbers of another series, and names without any, go one after the other by name', () => {
  const there = [hung('灯 9', 0.1), hung('灯 10', 0.2), hung('灯 11', 0.3)]
  expect(placed([lamp('灯 102'), lamp('灯 99'), lamp('灯 101')], there)).toEqual({
    '灯 99': 0.1,
    '灯 101': 0.2,
    '灯 102': 0.3,
  })
  expect(placed([lamp('东'), lamp('西')], [hung('大', 0.1), hung('小', 0.2)])).toEqual({
    东: 0.1,
    西: 0.2,
  })
})

test('a number that stands twice says nothing, and types do not mix', () => {
  const there = [hung('A1', 0.1), hung('B1', 0.2), hung('温度 1', 0.9, 'TEMPERATURE')]
  expect(placed([lamp('C1'), lamp('D1'), lamp('E1')], there)).toEqual({ C1: 0.1, D1: 0.2 })
  expect(placed([lamp('温度 1', 'TEMPERATURE')], there)).toEqual({ '温度 1': 0.9 })
  expect(like([lamp('灯', 'OTHER')], there)).toEqual([])
})
