import { ThingModel, type DataType } from '@iot/shared/contract/thingModel'
import { refuseValue } from '@iot/shared/contract/thingValue'
import { exampleOf, sampleCode } from './sampleCode'

const int = { type: 'int', specs: { min: 5, max: 9 } }
const types: unknown[] = [
  int,
  { type: 'float', specs: { max: -3 } },
  { type: 'double', specs: {} },
  { type: 'bool', specs: { 0: '关', 1: '开' } },
  { type: 'enum', specs: { 3: '自动' } },
  { type: 'bitmap', specs: { 4: '过压' } },
  { type: 'text', specs: { length: 2 } },
  { type: 'date' },
  { type: 'struct', specs: [{ identifier: 'a', name: '甲', dataType: int }] },
  { type: 'array', specs: { size: 2, item: int } },
]
it.each(types)('reports a value the platform takes: %j', (dataType) =>
  expect(refuseValue(dataType as DataType, exampleOf(dataType as DataType))).toBeUndefined(),
)

const model = ThingModel.parse({
  properties: [{ identifier: 'Level', name: '档位', accessMode: 'rw', dataType: int }],
  services: [
    { identifier: 'Reset', name: '复位', callType: 'async' },
    {
      identifier: 'Tune',
      name: '校准',
      callType: 'sync',
      outputData: [{ identifier: 'Before', name: '原值', dataType: int }],
    },
  ],
  events: [{ identifier: 'Hot', name: '过热', type: 'alert' }],
})
/** Runs the code with a fake SDK that records the calls. */
function run(node: 'direct' | 'gateway' | 'sub') {
  const said: string[] = []
  const note =
    (name: string) =>
    (...given: unknown[]) => {
      said.push([name, ...given.filter((one) => typeof one === 'string')].join(' '))
      const then = given.find((one) => typeof one === 'function') as
        ((a: object, b: object) => void) | undefined
      if (['on', 'addTopo', 'login'].includes(name)) queueMicrotask(() => then?.({}, {}))
      if (name === 'onService') then?.({}, note('reply'))
      return sdk
    }
  const sdk: Record<string, (...given: unknown[]) => unknown> = Object.fromEntries(
    'device gateway on addTopo login postProps postEvent onProps onService'
      .split(' ')
      .map((name) => [name, note(name)]),
  )

  new Function('require', sampleCode({ productKey: 'a1', node, model }, 'mqtt://x'))(() => sdk)
  return new Promise<string[]>((done) => setTimeout(() => done(said)))
}
const talk = [
  'postProps',
  'postEvent Hot',
  'onProps',
  'onService Tune',
  'reply sync',
  'onService Reset',
  'reply async',
]
it('runs: a device and a gateway speak for themselves, a sub-device by its gateway', async () => {
  expect(await run('direct')).toEqual(['device', 'on connect', ...talk])
  expect(await run('gateway')).toEqual(['gateway', 'on connect', ...talk])
  expect(await run('sub')).toEqual(['gateway', 'on connect', 'addTopo', 'login', ...talk])
})
