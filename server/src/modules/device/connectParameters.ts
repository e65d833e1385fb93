import { dayMs } from '@iot/shared/contract/duration'
import type { managedDeviceSchemas } from '@iot/shared/contract/device/managedDevice.schema'
import type { FastifyInstance } from 'fastify'
import { createRefusal } from '../../core/refusal'
import type { Handlers } from '../../core/http/serve'
import { connectOptions } from '../../device-access/protocol/signature'
import { createDeviceActions, entity, toNamedDevice } from './actions'
import { managedDeviceQueries } from './queries'

/** Handler that signs the connection of one device, so that it can be copied into any MQTT client. */
export function createConnectParametersHandler(
  app: FastifyInstance,
): Handlers<typeof managedDeviceSchemas>['connectParameters'] {
  const queries = managedDeviceQueries(app.db)
  const { getVisibleDevice } = createDeviceActions(app)
  return async ({ id, days }, context) => {
    const row = await toNamedDevice(await getVisibleDevice(id, context), queries)
    if (row.node === 'sub') throw createRefusal('子设备由网关代为登录，没有自己的连接参数')
    if (row.state === 'disabled') throw createRefusal('设备已禁用，启用后才能生成连接参数')
    const deviceSecret = await queries.findSecret(row)
    const expireMs = days === null ? undefined : Date.now() + days * dayMs
    const options = connectOptions(
      { productKey: row.productKey, deviceName: row.deviceName, deviceSecret },
      'hmacsha256',
      String(Date.now()),
      expireMs,
    )
    const expireTime = expireMs === undefined ? null : new Date(expireMs).toISOString()
    context.recordChange({
      entity,
      id,
      name: row.name,
      after: { 连接参数有效期至: expireTime ?? '更换密钥为止' },
    })
    return {
      name: row.name,
      // Credentials of the platform in the URL of an external broker are not for devices.
      mqttUrl: app.settings.mqttUrl?.replace(/\/\/.*@/, '//') ?? null,
      mqttPort: app.devices.mqttPort ?? null,
      mqttTlsPort: app.devices.mqttPorts?.tls ?? null,
      ...options,
      expireTime,
    }
  }
}
