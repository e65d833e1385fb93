import type { managedDeviceSchemas } from '@iot/shared/contract/device/managedDevice.schema'
import type { FastifyInstance } from 'fastify'
import { createFieldRefusal } from '../../core/refusal'
import { getIds, applyPerRow } from '../../core/http/applyPerRow'
import type { WriteCallback } from '../../core/http/context'
import type { Handlers } from '../../core/http/serve'
import { assertCanView } from './policy/scope'
import { assertProjectAllows } from '../project/policy'
import { findVisibleDevices, toDeviceAuditEntry, withoutState } from './actions'
import { managedDeviceQueries, type DeviceRow } from './queries'

type Placement = NonNullable<
  Awaited<ReturnType<ReturnType<typeof managedDeviceQueries>['findPlacement']>>
>

/** Handler that moves devices to another place, which may be in another project. */
export const createMoveHandler =
  ({ db, devices, references }: FastifyInstance): Handlers<typeof managedDeviceSchemas>['move'] =>
  async ({ ids, projectId, spaceId }, context) => {
    const queries = managedDeviceQueries(db)
    assertCanView(context, projectId)
    await assertProjectAllows(db, projectId, 'register')
    const place = await queries.findPlacement(projectId, spaceId)
    if (!place) throw createFieldRefusal('spaceId', '所选位置不存在或已被删除')
    await devices.states.flush()
    const list = await findVisibleDevices(ids, context, queries)
    const leavingIds = getIds(list.filter((row) => row.projectId !== projectId))
    const usageCounts = await references.counts(db, 'device', leavingIds)
    const getRefusal = ({ id }: DeviceRow) =>
      usageCounts.has(id) && `正被 ${usageCounts.get(id)} 处使用（子设备或场景），不能移到别的项目`
    const answer = await applyPerRow(ids, list, getRefusal, (movableRows) =>
      context.write(managedDeviceQueries, prepareMove(place, movableRows, context.user.username)),
    )
    // The moved devices reconnect and are then assigned to the new project.
    const movedIds = new Set(getIds(answer.filter(({ ok }) => ok)))
    const identities = await queries.findIdentities(leavingIds.filter((id) => movedIds.has(id)))
    devices.endCalls(identities, '等待应答时设备已移到别的项目')
    await devices.forget(identities, true)
    return answer
  }

const prepareMove =
  (
    place: Placement,
    movableRows: DeviceRow[],
    actor: string,
  ): WriteCallback<typeof managedDeviceQueries, void> =>
  async (rows, recordAudit) => {
    const { projectId } = place
    const previousRows = await rows.addNames(movableRows)
    const stayingRows = movableRows.filter((row) => row.projectId === projectId)
    await rows.moveWithinProject(place, stayingRows, actor)
    for (const sourceProjectId of new Set(movableRows.map((row) => row.projectId)))
      if (sourceProjectId !== projectId) {
        const rowsOfProject = movableRows.filter((row) => row.projectId === sourceProjectId)
        await rows.moveToProject(place, rowsOfProject, actor)
      }
    const movedRows = await rows.addNames(await rows.many(getIds(movableRows)))
    for (const previousRow of previousRows)
      recordAudit(
        toDeviceAuditEntry(previousRow, {
          before: withoutState(previousRow),
          after: withoutState(movedRows.find(({ id }) => id === previousRow.id)!),
        }),
      )
  }
