import mqtt, { type MqttClient } from 'mqtt'
import { connectOptions } from 'server/src/device-access/protocol/signature'
import { deviceRow, lampModel, productRow, type DeviceRow } from 'server/src/device-access/testing'

const productCount = 4
const devicesPerProduct = 25
const tickMs = 20
/** Every so many values of a device it also reports an event, which has no key that would hide a second one. */
const valuesPerEvent = 20

/** Several products, because partitions are shares of whole products. */
export const loadProducts = Array.from({ length: productCount }, (_, n) =>
  productRow(`benchLoad${n}`, 'direct', { model: lampModel }),
)
export const loadDevices = loadProducts.flatMap((product, productIndex) =>
  Array.from({ length: devicesPerProduct }, (_, n) =>
    deviceRow(product, `load-${productIndex}-${n}`),
  ),
)

/** Connects devices that report values at QoS 1, each value once and with its own device time. */
export async function connectLoad(url: string) {
  const clients = await Promise.all(loadDevices.map((row) => connectDevice(url, row)))
  let sentValues = 0
  let sentEvents = 0
  let lastMessageId = 0
  let timer: NodeJS.Timeout | undefined
  const lastTimes = new Map<string, number>()

  function publish(index: number, action: string, params: object) {
    const { productKey, deviceName } = loadDevices[index]!
    clients[index]!.publish(
      `/sys/${productKey}/${deviceName}/thing/event/${action}/post`,
      JSON.stringify({ id: String(++lastMessageId), version: '1.0', sys: { ack: 0 }, params }),
      { qos: 1 },
    )
  }
  function sendNext() {
    const index = sentValues % loadDevices.length
    const { id } = loadDevices[index]!
    // History has one row per time, so no two values of a device may share one.
    const time = Math.max(Date.now(), (lastTimes.get(id) ?? 0) + 1)
    lastTimes.set(id, time)
    const value = Math.floor(sentValues / loadDevices.length)
    publish(index, 'property', { Brightness: { value: value % 101, time } })
    sentValues++
    if (value % valuesPerEvent === 0) publish(index, 'Error', { code: ++sentEvents })
  }

  return {
    getSent: () => ({ values: sentValues, events: sentEvents }),
    /** Sends at a steady rate; a late timer catches up. */
    start(valuesPerSecond: number) {
      const startTime = performance.now()
      const startCount = sentValues
      timer = setInterval(() => {
        const dueCount = startCount + ((performance.now() - startTime) / 1000) * valuesPerSecond
        while (sentValues < dueCount) sendNext()
      }, tickMs)
    },
    stop: () => clearInterval(timer),
    async close() {
      clearInterval(timer)
      await Promise.all(clients.map((client) => client.endAsync(true)))
    },
  }
}
export type ProcessLoad = Awaited<ReturnType<typeof connectLoad>>

function connectDevice(url: string, row: DeviceRow): Promise<MqttClient> {
  return mqtt.connectAsync(url, { ...connectOptions(row), keepalive: 600 })
}
