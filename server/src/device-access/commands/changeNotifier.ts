import { and, eq } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { device, product } from '../../tables/device'
import { AlinkError, alinkCode, type Identity } from '../protocol/alink'
import type { Commands } from './commands'
import type { Directory, KnownDevice } from '../directory'
import type { BrokerLink } from '../broker/brokerLink'
import type { DeviceSessions } from '../topology/deviceSessions'

/** Each change of a device has the status number that Alibaba defines for `topo/change`. */
const topoChangeStatus = { bound: 0, unbound: 1, deleted: 1, enabled: 2, disabled: 8 } as const
export type DeviceNoticeKind = keyof typeof topoChangeStatus
const thingTopics: Partial<Record<DeviceNoticeKind, string>> = {
  deleted: 'thing/delete',
  enabled: 'thing/enable',
  disabled: 'thing/disable',
}
/** Error codes sent to a gateway whose sub-device loses its session without a logout. */
const sessionLossCodes: Partial<Record<DeviceNoticeKind, number>> = {
  deleted: alinkCode.childDeleted,
  disabled: alinkCode.childDisabled,
}

/**
 * Notifies devices of changes: `thing/disable`, `enable` or `delete` goes to the device, `topo/change` to the gateway
 * of a sub-device. A disabled or deleted sub-device loses its session. Call it while the row still exists.
 */
export function createChangeNotifier(
  db: Db,
  directory: Directory,
  sessions: DeviceSessions,
  commands: Commands,
  link: () => BrokerLink | undefined,
) {
  async function findGateway(projectId: number, gatewayId: string | null) {
    if (gatewayId === null) return undefined
    const [row] = await db
      .select({ productKey: product.productKey, deviceName: device.deviceName })
      .from(device)
      .innerJoin(product, eq(product.id, device.productId))
      .where(and(eq(device.projectId, projectId), eq(device.id, gatewayId)))
    return row && directory.find(row)
  }

  function endSession(gateway: KnownDevice, child: KnownDevice, code: number) {
    if (!sessions.has(gateway, child)) return
    sessions.logout(gateway, child)
    const { productKey, deviceName } = child
    const { message } = new AlinkError(code)
    link()?.publish(
      `/ext/error/${gateway.productKey}/${gateway.deviceName}`,
      JSON.stringify({ id: '', code, message, data: { productKey, deviceName } }),
    )
  }

  /** @param formerGatewayId gateway to notify if the devices have already been moved away from it */
  return async function notify(
    identities: Identity[],
    change: DeviceNoticeKind,
    formerGatewayId?: string,
  ) {
    for (const identity of identities) {
      const knownDevice = await directory.find(identity)
      if (!knownDevice) continue
      const thingTopic = thingTopics[change]
      if (thingTopic) await commands.notify(knownDevice, thingTopic, {})
      const gateway = await findGateway(
        knownDevice.projectId,
        formerGatewayId ?? knownDevice.gatewayId,
      )
      if (!gateway) continue
      const { productKey, deviceName } = knownDevice
      await commands.notify(gateway, 'thing/topo/change', {
        status: topoChangeStatus[change],
        subList: [{ productKey, deviceName }],
      })
      const code = sessionLossCodes[change]
      if (code) endSession(gateway, knownDevice, code)
    }
  }
}
