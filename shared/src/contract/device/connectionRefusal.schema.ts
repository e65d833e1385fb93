import * as z from '../zod'
import { Id, Time } from '../fields.schema'

export const RefusalReason = z.enum([
  'wrongSecret',
  'wrongToken',
  'wrongSignMethod',
  'wrongFormat',
  'expired',
  'unknownDevice',
  'unknownProduct',
  'disabled',
  'replaced',
  'slowed',
  'keepAlive',
  'registration',
  'wrongProductSecret',
  'alreadyActive',
  'notInTopology',
  'otherProject',
  'protocolVersion',
  'notMqtt',
  'connectTooLarge',
  'tlsOnPlainPort',
  'tls',
  'tooManyConnections',
])
export type RefusalReason = z.infer<typeof RefusalReason>

/**
 * Refused connections with the same claimed name, source and reason. The address alone is verified. The names are empty
 * if the connection ended before it sent them.
 */
export const ConnectionRefusal = z.object({
  id: Id,
  lastTime: Time.meta({ title: '最近一次' }),
  firstTime: Time.meta({ title: '首次' }),
  count: z.number().int().meta({ title: '次数' }),
  /** The connection came from this address; for a sub-device it is the gateway that logged it in. */
  address: z.string().meta({ title: '来源' }),
  productKey: z.string().meta({ title: 'ProductKey' }),
  deviceName: z.string().meta({ title: 'DeviceName' }),
  clientId: z.string().meta({ title: 'clientId' }),
  reason: RefusalReason.meta({ title: '原因' }),
  /** This id is set if a registered device has this name. */
  deviceId: Id.nullable(),
})
export type ConnectionRefusal = z.infer<typeof ConnectionRefusal>

/** Connection failures on the page of a device. */
export const deviceRefusalFields = {
  /** The device connected too often and is blocked until this time. */
  slowedUntil: Time.nullable(),
  /** Newest refused connections of the device. */
  refusals: z.array(ConnectionRefusal),
}
