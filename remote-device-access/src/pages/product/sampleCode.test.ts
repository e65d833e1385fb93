import { ThingModel, type DataType } from '@iot/shared/contract/thingModel/thingModel.schema'
import { validateValue } from '@iot/shared/contract/thingModel/thingValue'
import { createExample, generateSampleCode } from './sampleCode'

const intType = { type: 'int', specs: { min: 5, max: 9 } }
const sampleTypes: unknown[] = [
  intType,
  { type: 'float', specs: { max: -3 } },
  { type: 'double', specs: {} },
  { type: 'bool', specs: { 0: '关', 1: '开' } },
  { type: 'enum', specs: { 3: '自动' } },
  { type: 'bitmap', specs: { 4: '过压' } },
  { type: 'text', specs: { length: 2 } },
  { type: 'date' },
  { type: 'struct', specs: [{ identifier: 'a', name: '甲', dataType: intType }] },
  { type: 'array', specs: { size: 2, item: intType } },
]
it.each(sampleTypes)('reports a value that the platform accepts: %j', (dataType) =>
  expect(validateValue(dataType as DataType, createExample(dataType as DataType))).toBeUndefined(),
)

const model = ThingModel.parse({
  properties: [{ identifier: 'Level', name: '档位', accessMode: 'rw', dataType: intType }],
  services: [
    { identifier: 'Reset', name: '复位', callType: 'async' },
    {
      identifier: 'Tune',
      name: '校准',
      callType: 'sync',
      outputData: [{ identifier: 'Before', name: '原值', dataType: intType }],
    },
  ],
  events: [
    { identifier: 'Hot', name: '过热', type: 'alert' },
    { identifier: 'Started', name: '启动', type: 'info' },
  ],
})
/** Runs the code with a fake SDK that records the calls. */
function runSampleCode(node: 'direct' | 'gateway' | 'sub', sampleModel = model) {
  const sdkCalls: string[] = []
  const createStub =
    (name: string) =>
    (...stubArguments: unknown[]) => {
      sdkCalls.push(
        [name, ...stubArguments.filter((argument) => typeof argument === 'string')].join(' '),
      )
      const callback = stubArguments.find((argument) => typeof argument === 'function') as
        | ((a: object, b: object) => void)
        | undefined
      if (['on', 'addTopo', 'login'].includes(name)) queueMicrotask(() => callback?.({}, {}))
      if (name === 'onService') callback?.({}, createStub('reply'))
      return fakeSdk
    }
  const fakeSdk: Record<string, (...stubArguments: unknown[]) => unknown> = Object.fromEntries(
    'device gateway on addTopo login postProps postEvent onProps onService'
      .split(' ')
      .map((name) => [name, createStub(name)]),
  )

  new Function(
    'require',
    generateSampleCode({ productKey: 'a1', node, model: sampleModel }, 'mqtt://x'),
  )(() => fakeSdk)
  return new Promise<string[]>((resolve) => setTimeout(() => resolve(sdkCalls)))
}
const expectedCalls = [
  'postProps',
  'postEvent Started',
  'onProps',
  'onService Tune',
  'reply sync',
  'onService Reset',
  'reply async',
]
it('runs for a device, a gateway, and a sub-device through its gateway', async () => {
  expect(await runSampleCode('direct')).toEqual(['device', 'on connect', ...expectedCalls])
  expect(await runSampleCode('gateway')).toEqual(['gateway', 'on connect', ...expectedCalls])
  expect(await runSampleCode('sub')).toEqual([
    'gateway',
    'on connect',
    'addTopo',
    'login',
    ...expectedCalls,
  ])
})

it('shows a fault event but reports none', async () => {
  const faultModel = { ...model, events: model.events.slice(0, 1) }
  const code = generateSampleCode(
    { productKey: 'a1', node: 'direct', model: faultModel },
    'mqtt://x',
  )
  expect(code).toContain(`// 发生“过热”时：device.postEvent('Hot', {}, console.log)`)
  expect(await runSampleCode('direct', faultModel)).not.toContain('postEvent Hot')
})
it('uses no deprecated function', async () => {
  const deprecated = { isDeprecated: true }
  const sdkCalls = await runSampleCode('direct', {
    ...model,
    services: [model.services[0]!, { ...model.services[1]!, ...deprecated }],
    events: model.events.map((event) => ({ ...event, ...deprecated })),
  })
  expect(sdkCalls).toContain('onService Reset')
  expect(sdkCalls.filter((text) => /Tune|Started/.test(text))).toEqual([])
})
it.each([
  [{ min: -40, max: 120 }, 0],
  [{ min: 5, max: 9 }, 5],
  [{ max: -3 }, -3],
])('takes an ordinary number within %j', (specs, value) =>
  expect(createExample({ type: 'double', specs })).toBe(value),
)
