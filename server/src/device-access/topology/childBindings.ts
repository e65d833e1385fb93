import { and, asc, count, eq, inArray, isNull, or } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import type { WriteAsHolder } from '../../core/lease/leases'
import { device, product } from '../../tables/device'
import { AlinkError, alinkCode, deviceKey, type Identity } from '../protocol/alink'
import type { Directory, KnownDevice } from '../directory'
import type { SignedCredentials } from '../protocol/signature'
import { settleOpenRecords, type AttemptRecorder } from './attemptRecorder'
import type { ChildVerifier } from './childVerifier'
import { checkAll, pickIdentity } from './collectResults'
import { maxChildrenPerGateway, type DeviceSessions } from './deviceSessions'

class BoundMeanwhileError extends Error {}

type ChildBindingDependencies = {
  db: Db
  writeAsHolder: WriteAsHolder
  directory: Directory
  sessions: DeviceSessions
  verifyChild: ChildVerifier['verifyChild']
  assertNotBoundElsewhere: AttemptRecorder['assertNotBoundElsewhere']
}

/** Binds sub-devices to their gateway, releases them and lists them. */
export function createChildBindings({
  db,
  writeAsHolder,
  directory,
  sessions,
  verifyChild,
  assertNotBoundElsewhere,
}: ChildBindingDependencies) {
  /** Binds all sub-devices, or none if one of them belongs to another gateway by now. */
  async function bindChildren(
    gateway: KnownDevice,
    children: KnownDevice[],
    gatewayId: string | null,
  ) {
    const ids = children.map(({ id }) => id)
    const isOwnChild = eq(device.gatewayId, gateway.id)
    const isBound = await writeAsHolder(async (tx) => {
      const rows = await tx
        .update(device)
        .set({ gatewayId })
        .where(
          and(
            eq(device.projectId, gateway.projectId),
            inArray(device.id, ids),
            gatewayId === null ? isOwnChild : or(isNull(device.gatewayId), isOwnChild),
          ),
        )
        .returning({ id: device.id })
      if (rows.length < new Set(ids).size) throw new BoundMeanwhileError()
      if (gatewayId !== null) await settleOpenRecords(tx, gateway, children)
      return true
    }).catch((error: unknown) => {
      if (error instanceof BoundMeanwhileError) return false
      throw error
    })
    for (const child of children) directory.forget(child)
    return isBound
  }

  async function addChildren(
    gateway: KnownDevice,
    signedChildren: SignedCredentials[],
  ): Promise<Identity[]> {
    // All sub-devices are checked before the first row changes.
    const children = await checkAll(signedChildren, async (credentials) => {
      if (deviceKey(credentials) === deviceKey(gateway)) throw new AlinkError(alinkCode.self)
      const child = await verifyChild(gateway, credentials, {
        signature: alinkCode.unauthorized,
        disabled: alinkCode.disabled,
      })
      if (child.node !== 'sub') throw new AlinkError(alinkCode.parameter, 'not a sub-device')
      await assertNotBoundElsewhere(gateway, child, 'topology', credentials)
      return child
    })
    const [childCount] = await db
      .select({ children: count() })
      .from(device)
      .where(and(eq(device.projectId, gateway.projectId), eq(device.gatewayId, gateway.id)))
    const newChildren = children.filter((child) => child.gatewayId !== gateway.id)
    if (childCount!.children + newChildren.length > maxChildrenPerGateway)
      throw new AlinkError(alinkCode.topologyFull)
    // Another gateway was faster; the repeated checks return the right error.
    if (!(await bindChildren(gateway, newChildren, gateway.id)))
      return addChildren(gateway, signedChildren)
    return children.map(pickIdentity)
  }

  async function deleteChildren(gateway: KnownDevice, identities: Identity[]): Promise<object> {
    const children = await checkAll(identities, async (identity) => {
      const child = await directory.find(identity)
      if (!child || child.gatewayId !== gateway.id)
        throw new AlinkError(alinkCode.topologyMissing, identity.deviceName)
      return child
    })
    // An engineer has moved a device meanwhile; the repeated checks return the right error.
    if (!(await bindChildren(gateway, children, null))) return deleteChildren(gateway, identities)
    for (const child of children) sessions.logout(gateway, child)
    return {}
  }

  const listChildren = async (gateway: KnownDevice) =>
    db
      .select({ productKey: product.productKey, deviceName: device.deviceName })
      .from(device)
      .innerJoin(product, eq(product.id, device.productId))
      .where(and(eq(device.projectId, gateway.projectId), eq(device.gatewayId, gateway.id)))
      .orderBy(asc(device.deviceName))

  return { addChildren, deleteChildren, listChildren }
}
