import type { APIRequestContext } from '@playwright/test'
import type { Values } from '@iot/shared/contract/device/device.schema'
import { connectEdge, type CommandResponder } from '../server/src/device-access/protocol/edgeClient'
import { address, expect } from './fixtures'
import { createManufacturerDraft, createSender, createUniqueName } from './listHelpers'

type CreatedRow = { id: string; version: number; productKey: string }
type Access = { mqttPort: number }
const boolType = { type: 'bool', specs: { 0: '关闭', 1: '开启' } }
const properties = [
  { identifier: 'PowerSwitch', name: '电源开关', accessMode: 'rw', dataType: boolType },
  {
    identifier: 'Brightness',
    name: '亮度',
    accessMode: 'rw',
    dataType: { type: 'int', specs: { min: 0, max: 100, step: 1, unit: '%' } },
  },
]

const byteType = { type: 'int', specs: { min: 0, max: 255 } }
export const colourProperty = {
  identifier: 'Colour',
  name: '颜色',
  accessMode: 'rw',
  dataType: {
    type: 'struct',
    specs: [
      { identifier: 'Red', name: '红', dataType: byteType },
      { identifier: 'Blue', name: '蓝', dataType: byteType },
    ],
  },
}
export const stepsProperty = {
  identifier: 'Steps',
  name: '步骤',
  accessMode: 'rw',
  dataType: { type: 'array', specs: { size: 3, item: byteType } },
}

const service = {
  identifier: 'Restart',
  name: '重启',
  callType: 'async',
  outputData: [],
  inputData: [{ identifier: 'Colour', name: '颜色', dataType: colourProperty.dataType }],
}

type LampOptions = {
  /** The lamp has these properties apart from switch and brightness. */
  extraProperties?: object[]
  projectId?: number
  spaceId?: string | null
}

/** Creates and connects a lamp of a product of its own; commands are queued until the test answers them. */
export async function createLamp(
  api: APIRequestContext,
  { extraProperties = [], projectId = 1, spaceId = null }: LampOptions = {},
) {
  const send = createSender(api)
  const { id: manufacturerId } = await send<CreatedRow>(
    'post',
    '/v1/manufacturer',
    createManufacturerDraft(),
  )
  const product = await send<CreatedRow>('post', '/v1/product', {
    name: createUniqueName('筒灯'),
    modelNo: createUniqueName('M'),
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
    model: { properties: [...properties, ...extraProperties], services: [service], events: [] },
  })
  const name = createUniqueName('大堂灯')
  const createdDevice = await send<CreatedRow & { deviceName: string; deviceSecret: string }>(
    'post',
    '/v1/device',
    {
      projectId,
      productId: product.id,
      name,
      deviceName: createUniqueName('lamp-'),
      spaceId,
      protected: false,
    },
  )
  const { mqttPort } = await send<Access>('get', `/v1/product/${product.id}/access`)
  type ReceivedCommand = Pick<CommandResponder, 'reply'> &
    Partial<CommandResponder> & { values: unknown }
  const receivedCommands: ReceivedCommand[] = []
  const url = `mqtt://${new URL(address).hostname}:${mqttPort}`
  const edge = await connectEdge({
    url,
    gateway: createdDevice,
    children: [],
    onSet: (_key, values, answering) => void receivedCommands.push({ ...answering, values }),
    onAsk: (_action, values, reply) => void receivedCommands.push({ reply, values }),
  })
  edge.post(createdDevice, { PowerSwitch: 0, Brightness: 30 })
  return {
    id: createdDevice.id,
    name,
    close: edge.close,
    productId: product.id,
    deviceName: createdDevice.deviceName,
    /** Connects with a wrong secret and expects a refusal. */
    connectWrongly: () =>
      expect(
        connectEdge({
          url,
          children: [],
          onSet: () => {},
          gateway: { ...createdDevice, deviceSecret: 'typed-wrong' },
        }),
      ).rejects.toThrow(),
    post: (values: Parameters<typeof edge.post>[1]) => edge.post(createdDevice, values),
    /** Answers the oldest command. */
    async answer(code: number, values?: object) {
      await expect.poll(() => receivedCommands.length).toBeGreaterThan(0)
      const { reply, post, values: requestedValues } = receivedCommands.shift()!
      reply(code, code === 200 ? '' : '驱动电源故障')
      if (values) post?.(values as Values)
      return requestedValues
    },
  }
}
