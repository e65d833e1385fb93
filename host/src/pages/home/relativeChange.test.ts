import { call } from '@iot/shared/client/call'
import type { MapDevice } from '@iot/shared/contract/device/device.schema'
import { createSpaceTree } from '@iot/shared/plan/spaces'
import { createRelativeChange, isRoom } from './relativeChange'
import { createSpace } from './space.fixture'

jest.mock('@iot/shared/client/call', () => ({ call: jest.fn() }))

const tree = createSpaceTree([
  createSpace('a', null, 'building', 'A座'),
  createSpace('a1', 'a', 'floor', '1 层'),
  createSpace('lobby', 'a1', 'area', '大堂'),
])
const createLamp = (id: string, Brightness: number, more: Partial<MapDevice> = {}): MapDevice => ({
  id,
  name: id,
  state: 'online',
  reported: { PowerSwitch: 1, Brightness },
  desired: {},
  stale: {},
  reportedTime: null,
  productType: 'SAFEWAY_LIGHT',
  protected: false,
  spaceId: 'lobby',
  floorId: 'a1',
  x: 0,
  y: 0,
  ...more,
})
const requestChange = (by: number, lamps: MapDevice[], spaceId = 'lobby') => {
  const map = Object.fromEntries(lamps.map((lamp) => [lamp.id, lamp]))
  jest.mocked(call).mockResolvedValue({ map })
  return createRelativeChange({ kind: 'change', by, projectId: 1, tree, space: tree.get(spaceId) })
}

it('changes lit lamps relative to their level, none in the opposite direction', async () => {
  const lamps = [
    ...[
      createLamp('1', 60),
      createLamp('2', 70),
      createLamp('3', 10, { reported: { PowerSwitch: 0, Brightness: 10 } }),
    ],
    ...[createLamp('4', 60, { protected: true }), createLamp('5', 60, { state: 'offline' })],
    createLamp('6', 60, { spaceId: 'a1' }),
  ]
  expect(await requestChange(20, lamps)).toMatchObject({
    title: 'A座 1 层 大堂亮度从 70% 调到 90%',
    request: { scope: { deviceIds: ['1', '2'] }, values: { Brightness: 90 } },
    confirm: 'none',
  })
  expect(await requestChange(-20, lamps, 'a1')).toMatchObject({
    request: { scope: { deviceIds: ['1', '2', '6'] }, values: { Brightness: 40 } },
    confirm: 'ask',
  })
})

it('changes lamps by the named number or not at all', async () => {
  const requestExact = (by: number, ...levels: number[]) => {
    const map = Object.fromEntries(levels.map((level, n) => [`${n}`, createLamp(`${n}`, level)]))
    jest.mocked(call).mockResolvedValue({ map })
    const command = { kind: 'change', by, isExact: true } as const
    return createRelativeChange({ ...command, projectId: 1, tree, space: tree.get('lobby') })
  }
  expect(await requestExact(20, 60, 60)).toMatchObject({
    request: { values: { Brightness: 80 } },
  })
  expect(await requestExact(50, 80)).toBe('A座 1 层 大堂亮度是 80%，不能再加 50%，请说调到多少')
  expect(await requestExact(-80, 80)).toBe('A座 1 层 大堂亮度是 80%，不能再减 80%，请说调到多少')
  expect(await requestExact(10, 50, 60)).toMatch(/亮度不一（50%–60%），请说调到多少/)
  expect(await requestExact(0, 50)).toMatch(/没有变化/)
})

it('changes lamps that report a colour temperature', async () => {
  const lamps = [4000, 4200].map((ColorTemperature, n) =>
    createLamp(`${n}`, 60, { reported: { PowerSwitch: 1, ColorTemperature } }),
  )
  const requestTint = (by: number) => {
    const map = Object.fromEntries([...lamps, createLamp('9', 60)].map((item) => [item.id, item]))
    jest.mocked(call).mockResolvedValue({ map })
    return createRelativeChange({ kind: 'tint', by, projectId: 1, tree, space: tree.get('lobby') })
  }
  expect(await requestTint(-500)).toMatchObject({
    title: 'A座 1 层 大堂色温从 4000K 调到 3500K',
    request: { scope: { deviceIds: ['0', '1'] }, values: { ColorTemperature: 3500 } },
  })
  expect(await requestTint(500)).toMatchObject({ request: { values: { ColorTemperature: 4700 } } })
})

it.each([
  [20, [createLamp('1', 100)], 'lobby', 'A座 1 层 大堂已经最亮'],
  [-20, [createLamp('1', 1)], 'lobby', 'A座 1 层 大堂已经最暗'],
  [
    20,
    [createLamp('1', 10), createLamp('2', 90)],
    'lobby',
    'A座 1 层 大堂的灯亮度不一（10%–90%），请说调到多少',
  ],
  [20, [], 'lobby', 'A座 1 层 大堂没有亮着的可以调光的灯'],
  [20, [createLamp('1', 50)], 'a', '请说调到多少，例如“调到百分之六十”'],
])('by %d asks back when the change is ambiguous', async (by, lamps, place, expectedReason) =>
  expect(await requestChange(by, lamps, place)).toBe(expectedReason),
)

it('asks before changing an area with rooms, and strictly for a strict product type', async () => {
  const office = createSpaceTree([
    ...[createSpace('o', null, 'floor', '2 层'), createSpace('open', 'o', 'area', '办公区')],
    createSpace('r', 'open', 'room', '会议室'),
  ])
  expect(['open', 'r'].map((id) => isRoom(office.get(id)!, office))).toEqual([false, true])
  const map = { 1: createLamp('1', 60) }
  jest.mocked(call).mockResolvedValue({ map })
  const command = { kind: 'change', by: 20, projectId: 1, tree, space: tree.get('lobby') } as const
  expect(await createRelativeChange({ ...command, isStrict: true })).toMatchObject({
    confirm: 'strict',
  })
})
