import { edgeStateText } from '@iot/shared/contract/device/edgeHost'
import {
  EdgeHost,
  EdgeHostDraft,
  type EdgeState,
  type edgeHostSchemas,
} from '@iot/shared/contract/device/edgeHost.schema'
import { deviceStateText } from '@iot/shared/contract/device/managedDevice'
import type { DeviceSecret } from '@iot/shared/contract/device/managedDevice.schema'
import type { z } from 'zod'
import {
  createConflictRefusal,
  createMissingRefusal,
  createRefusal,
  createFieldRefusal,
} from '../../../core/refusal'
import { createChangeDescriber } from '../../../core/http/actionLog'
import type { Context, WriteCallback } from '../../../core/http/context'
import { registerDevice } from '../actions'
import { assertProductAcceptsDevices } from '../policy/management'
import type { DeviceRow } from '../queries'
import type { edgeHostQueries } from './queries'

export const entity = '边缘主机'
export const toAuditEntry = createChangeDescriber(
  entity,
  EdgeHostDraft.omit({ productId: true, spaceId: true }).extend({
    productName: EdgeHost.shape.productName,
    place: EdgeHost.shape.place,
    state: EdgeHost.shape.state,
    childCount: EdgeHost.shape.childCount,
  }),
  { state: (state) => edgeStateText[state as EdgeState] },
)
/** Drops child count and state, because they change without a user. */
const withoutLiveFields = ({
  state: _,
  childCount: __,
  ...row
}: object & { state?: unknown; childCount?: unknown }) => row

export type EdgeHostQueries = ReturnType<typeof edgeHostQueries>
type EdgeHostChange = z.output<typeof edgeHostSchemas.update.input>
export type Host = Awaited<ReturnType<EdgeHostQueries['addHostDetails']>>[number]

/**
 * Returns the edge host.
 * @throws "not found" if the device does not exist, is no gateway, or belongs to a project that the user cannot see
 */
export async function getVisibleHost(id: string, context: Context, rows: EdgeHostQueries) {
  const row = await rows.get(id)
  if (!row || !context.seesProject(row.projectId)) throw createMissingRefusal(entity)
  const productRow = await rows.findProduct(row.productId)
  if (productRow?.node !== 'gateway') throw createMissingRefusal(entity)
  return row
}

export const loadHost = async (row: DeviceRow, rows: EdgeHostQueries) =>
  (await rows.addHostDetails([row]))[0]!

export const assertProductIsGateway = async (productId: string, rows: EdgeHostQueries) => {
  const productRow = await rows.findProduct(productId)
  if (productRow && productRow.node !== 'gateway')
    throw createFieldRefusal('productId', '所选产品不是网关，不能登记为边缘主机')
  return assertProductAcceptsDevices(productRow)
}

export function assertOnline({ state }: DeviceRow, action: string) {
  if (state !== 'online') throw createRefusal(`边缘主机${deviceStateText[state]}，不能${action}`)
}

/** Registers an edge host with its settings in the transaction of the caller. */
export const prepareCreate =
  (
    { heartbeatInterval, ...draft }: EdgeHostDraft & { projectId: number },
    actor: string,
  ): WriteCallback<typeof edgeHostQueries, DeviceSecret> =>
  async (rows, recordAudit, tx) => {
    await assertProductIsGateway(draft.productId, rows)
    const secret = await registerDevice({ ...draft, protected: false }, actor, '序列号')(
      rows,
      () => {},
      tx,
    )
    await rows.saveSettings({ projectId: draft.projectId, id: secret.id }, { heartbeatInterval })
    const createdHost = await loadHost((await rows.get(secret.id))!, rows)
    recordAudit(toAuditEntry(createdHost, { after: withoutLiveFields(createdHost) }))
    return secret
  }

/** Saves the fields that a form or an imported file sets on an edge host. */
export const prepareUpdate =
  (
    { heartbeatInterval, ...change }: EdgeHostChange,
    context: Context,
  ): WriteCallback<typeof edgeHostQueries, Host> =>
  async (rows, recordAudit) => {
    const previousHost = await loadHost(await getVisibleHost(change.id, context, rows), rows)
    const place = await rows.findPlacement(previousHost.projectId, change.spaceId)
    if (!place) throw createFieldRefusal('spaceId', '所选位置不存在或已被删除')
    // A position belongs to the floor plan of one floor, so it is cleared when the host changes the floor.
    const clearedPosition = place.floorId !== previousHost.floorId && { x: null, y: null }
    const row = await rows.update(
      { ...change, ...place, ...clearedPosition },
      context.user.username,
    )
    if (!row)
      throw createConflictRefusal(
        await loadHost(await getVisibleHost(change.id, context, rows), rows),
      )
    await rows.saveSettings(row, { heartbeatInterval })
    const changedHost = await loadHost(row, rows)
    recordAudit(
      toAuditEntry(row, {
        before: withoutLiveFields(previousHost),
        after: withoutLiveFields(changedHost),
      }),
    )
    return changedHost
  }
