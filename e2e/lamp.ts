import type { APIRequestContext } from '@playwright/test'
import type { Values } from '@iot/shared/contract/device'
import { connectEdge, type Answering } from '../server/src/device-access/edgeClient'
import { address, expect } from './fixtures'
import { draft, sender, unique } from './lists'

type Made = { id: string; version: number; productKey: string }
type Access = { mqttPort: number }
const bool = { type: 'bool', specs: { 0: '关闭', 1: '开启' } }
const properties = [
  { identifier: 'PowerSwitch', name: '电源开关', accessMode: 'rw', dataType: bool },
  {
    identifier: 'Brightness',
    name: '亮度',
    accessMode: 'rw',
    dataType: { type: 'int', specs: { min: 0, max: 100, step: 1, unit: '%' } },
  },
]

const byte = { type: 'int', specs: { min: 0, max: 255 } }
export const colour = {
  identifier: 'Colour',
  name: '颜色',
  accessMode: 'rw',
  dataType: {
    type: 'struct',
    specs: [
      { identifier: 'Red', name: '红', dataType: byte },
      { identifier: 'Blue', name: '蓝', dataType: byte },
    ],
  },
}
export const steps = {
  identifier: 'Steps',
  name: '步骤',
  accessMode: 'rw',
  dataType: { type: 'array', specs: { size: 3, item: byte } },
}

const service = {
  identifier: 'Restart',
  name: '重启',
  callType: 'async',
  outputData: [],
  inputData: [{ identifier: 'Colour', name: '颜色', dataType: colour.dataType }],
}

type Options = {
  /** The lamp has these properties apart from switch and brightness. */
  more?: object[]
  projectId?: number
  spaceId?: string | null
}

/** Creates and connects a lamp of a product of its own; commands are queued until the test answers them. */
export async function lamp(
  api: APIRequestContext,
  { more = [], projectId = 1, spaceId = null }: Options = {},
) {
  const send = sender(api)
  const { id: manufacturerId } = await send<Made>('post', '/v1/manufacturer', draft())
  const product = await send<Made>('post', '/v1/product', {
    name: unique('筒灯'),
    modelNo: unique('M'),
    manufacturerId,
    brandId: null,
    categoryId: null,
    productType: 'SAFEWAY_LIGHT',
    node: 'direct',
    net: 'wifi',
    protocol: 'mqtt',
    controlTypes: [],
    authType: 'deviceSecret',
    dataFormat: 'alink',
    ratedPower: null,
    ratedLifeHours: null,
    icon: '',
    picture: '',
    description: '',
  })
  await send('put', `/v1/product/${product.id}/model`, {
    version: product.version,
    model: { properties: [...properties, ...more], services: [service], events: [] },
  })
  const name = unique('大堂灯')
  const made = await send<Made & { deviceName: string; deviceSecret: string }>(
    'post',
    '/v1/device',
    {
      projectId,
      productId: product.id,
      name,
      deviceName: unique('lamp-'),
      spaceId,
      protected: false,
    },
  )
  const { mqttPort } = await send<Access>('get', `/v1/product/${product.id}/access`)
  type Asked = Pick<Answering, 'reply'> & Partial<Answering> & { values: unknown }
  const asked: Asked[] = []
  const url = `mqtt://${new URL(address).hostname}:${mqttPort}`
  const edge = await connectEdge({
    url,
    gateway: made,
    children: [],
    onSet: (_key, values, answering) => void asked.push({ ...answering, values }),
    onAsk: (_action, values, reply) => void asked.push({ reply, values }),
  })
  edge.post(made, { PowerSwitch: 0, Brightness: 30 })
  return {
    id: made.id,
    name,
    close: edge.close,
    productId: product.id,
    deviceName: made.deviceName,
    /** Connects with a wrong secret and expects a refusal. */
    connectWrongly: () =>
      expect(
        connectEdge({
          url,
          children: [],
          onSet: () => {},
          gateway: { ...made, deviceSecret: 'typed-wrong' },
        }),
      ).rejects.toThrow(),
    post: (values: Parameters<typeof edge.post>[1]) => edge.post(made, values),
    /** Answers the oldest command. */
    async answer(code: number, values?: object) {
      await expect.poll(() => asked.length).toBeGreaterThan(0)
      const { reply, post, values: wanted } = asked.shift()!
      reply(code, code === 200 ? '' : '驱动电源故障')
      if (values) post?.(values as Values)
      return wanted
    },
  }
}
