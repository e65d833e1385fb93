import { and, eq } from 'drizzle-orm'
import type { Db } from '../core/db/db'
import { device, product } from '../tables/device'
import { AlinkError, alinkCode, type Identity } from './alink'
import type { Commands } from './commands'
import type { Directory, KnownDevice } from './directory'
import type { Link } from './link'
import type { DeviceSessions } from './sessions'

/** Each change of a device has the status number that Alibaba defines for `topo/change`. */
const changes = { bound: 0, unbound: 1, deleted: 1, enabled: 2, disabled: 8 } as const
export type Change = keyof typeof changes
const words: Partial<Record<Change, string>> = {
  deleted: 'thing/delete',
  enabled: 'thing/enable',
  disabled: 'thing/disable',
}
/** Error codes sent to a gateway whose sub-device loses its session without a logout. */
const losses: Partial<Record<Change, number>> = {
  deleted: alinkCode.childDeleted,
  disabled: alinkCode.childDisabled,
}

/**
 * Notifies devices of changes: `thing/disable`, `enable` or `delete` goes to the device, `topo/change` to the gateway
 * of a sub-device. A disabled or deleted sub-device loses its session. Call it while the row still exists.
 */
export function openNotices(
  db: Db,
  directory: Directory,
  sessions: DeviceSessions,
  commands: Commands,
  link: () => Link | undefined,
) {
  async function gatewayOf(projectId: number, gatewayId: string | null) {
    if (gatewayId === null) return undefined
    const [row] = await db
      .select({ productKey: product.productKey, deviceName: device.deviceName })
      .from(device)
      .innerJoin(product, eq(product.id, device.productId))
      .where(and(eq(device.projectId, projectId), eq(device.id, gatewayId)))
    return row && directory.find(row)
  }

  function lose(gateway: KnownDevice, child: KnownDevice, code: number) {
    if (!sessions.has(gateway, child)) return
    sessions.logout(gateway, child)
    const { productKey, deviceName } = child
    const { message } = new AlinkError(code)
    link()?.publish(
      `/ext/error/${gateway.productKey}/${gateway.deviceName}`,
      JSON.stringify({ id: '', code, message, data: { productKey, deviceName } }),
    )
  }

  /** @param former gateway to notify if the devices have already been moved away from it */
  return async function notify(identities: Identity[], change: Change, former?: string) {
    for (const identity of identities) {
      const known = await directory.find(identity)
      if (!known) continue
      const word = words[change]
      if (word) await commands.tell(known, word, {})
      const gateway = await gatewayOf(known.projectId, former ?? known.gatewayId)
      if (!gateway) continue
      const { productKey, deviceName } = known
      await commands.tell(gateway, 'thing/topo/change', {
        status: changes[change],
        subList: [{ productKey, deviceName }],
      })
      const code = losses[change]
      if (code) lose(gateway, known, code)
    }
  }
}
