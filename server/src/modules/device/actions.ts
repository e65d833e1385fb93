import { getCommandTimeouts } from '../../device-access/commands/timeouts'
import type { z } from 'zod'
import type { Values } from '@iot/shared/contract/device/device.schema'
import { deviceStateText } from '@iot/shared/contract/device/managedDevice'
import {
  DeviceDraft,
  DevicePlace,
  ManagedDevice,
  type DeviceSecret,
  type managedDeviceSchemas,
} from '@iot/shared/contract/device/managedDevice.schema'
import type { DeviceState } from '@iot/shared/contract/device/device.schema'
import { responseCodes } from '@iot/shared/contract/endpoint'
import type { FastifyInstance } from 'fastify'
import {
  createConflictRefusal,
  requireRow,
  createMissingRefusal,
  Refusal,
  createRefusal,
  createFieldRefusal,
} from '../../core/refusal'
import { createChangeDescriber } from '../../core/http/actionLog'
import type { Context, WriteCallback } from '../../core/http/context'
import { createSecret } from '../../device-access/registration/registration'
import { CallEndedError, unansweredText } from '../../device-access/commands/commands'
import { assertProjectAllows } from '../project/policy'
import { toRecord, assertProductAcceptsDevices, parseServiceParams } from './policy/management'
import { managedDeviceQueries, type DeviceRow } from './queries'
import { recordQueries } from './records'

type DeviceChange = z.output<typeof managedDeviceSchemas.update.input>

export const entity = '设备'
export const toDeviceAuditEntry = createChangeDescriber(
  entity,
  ManagedDevice.pick({ name: true, deviceName: true, productName: true, place: true }).extend({
    protected: DeviceDraft.shape.protected,
    state: ManagedDevice.shape.state,
    projectId: ManagedDevice.shape.projectId,
  }),
  { state: (state) => deviceStateText[state as DeviceState] },
)
export const toPlacementAuditEntry = createChangeDescriber(
  entity,
  DevicePlace.pick({ x: true, y: true }).extend({ place: ManagedDevice.shape.place }),
)
/** Drops the state, because a device that goes online or offline is not a change by a user. */
export const withoutState = ({ state: _, ...row }: object & { state?: unknown }) => row

export const toNamedDevice = async (
  row: DeviceRow,
  rows: Pick<ReturnType<typeof managedDeviceQueries>, 'addNames'>,
) => (await rows.addNames([row]))[0]!

/** Registers a device with its secret in the transaction of the caller. */
export const registerDevice =
  (
    { projectId, ...draft }: DeviceDraft & { projectId: number },
    actor: string,
    fieldTitle = 'DeviceName',
  ): WriteCallback<typeof managedDeviceQueries, DeviceSecret> =>
  async (rows, recordAudit, tx) => {
    await assertProjectAllows(tx, projectId, 'register')
    const { productKey } = assertProductAcceptsDevices(await rows.findProduct(draft.productId))
    const { deviceName, name } = draft
    if (await rows.isDeviceNameTaken(productKey, deviceName))
      throw createFieldRefusal('deviceName', `${fieldTitle}“${deviceName}”已被使用`)
    const place = await rows.findPlacement(projectId, draft.spaceId)
    if (!place) throw createFieldRefusal('spaceId', '所选位置不存在或已被删除')
    const row = await rows.insert(
      { ...draft, ...place, state: 'inactive', reported: {}, address: '' },
      actor,
    )
    const deviceSecret = createSecret()
    const { id } = row
    await rows.insertCredential({ productKey, deviceName, deviceSecret, projectId, deviceId: id })
    recordAudit(toDeviceAuditEntry(row, { after: withoutState(await toNamedDevice(row, rows)) }))
    return { id, name, productKey, deviceName, deviceSecret }
  }

/** Returns those of the devices that exist and whose projects the user can see. */
export const findVisibleDevices = async (
  ids: string[],
  { seesProject }: Context,
  rows: Pick<ReturnType<typeof managedDeviceQueries>, 'many'>,
) => (await rows.many(ids)).filter(({ projectId }) => seesProject(projectId))

/** Actions that all screens about devices share. */
export function createDeviceActions(app: FastifyInstance) {
  const { db, devices, settings } = app
  const queries = managedDeviceQueries(db)
  const answerTimeoutMs = getCommandTimeouts(settings.commandTimeouts).serviceReplyMs
  /**
   * Returns the device.
   * @throws "not found" if the device does not exist or the user cannot see its project
   */
  async function getVisibleDevice(
    id: string,
    context: Context,
    rows: Pick<typeof queries, 'get'> = queries,
  ): Promise<DeviceRow> {
    const row = requireRow(await rows.get(id), entity)
    if (!context.seesProject(row.projectId)) throw createMissingRefusal(entity)
    return row
  }
  return {
    answerTimeoutMs,
    getVisibleDevice,
    /** Saves the fields that a form or an imported file sets on a device. */
    prepareUpdate:
      (
        change: DeviceChange,
        context: Context,
      ): WriteCallback<typeof managedDeviceQueries, Awaited<ReturnType<typeof toNamedDevice>>> =>
      async (rows, recordAudit) => {
        const previousDevice = await toNamedDevice(
          await getVisibleDevice(change.id, context, rows),
          rows,
        )
        const place = await rows.findPlacement(previousDevice.projectId, change.spaceId)
        if (!place) throw createFieldRefusal('spaceId', '所选位置不存在或已被删除')
        const row = await rows.update(
          {
            ...change,
            ...place,
            ...(place.floorId !== previousDevice.floorId && { x: null, y: null }),
          },
          context.user.username,
        )
        if (!row)
          throw createConflictRefusal(
            await toNamedDevice(await getVisibleDevice(change.id, context, rows), rows),
          )
        const changedDevice = await toNamedDevice(row, rows)
        recordAudit(
          toDeviceAuditEntry(row, {
            before: withoutState(previousDevice),
            after: withoutState(changedDevice),
          }),
        )
        return changedDevice
      },
    /** Notifies devices and their gateways and ends their connections, while their rows still exist. */
    async disconnectDevices(ids: string[], change: 'disabled' | 'deleted') {
      const identities = await queries.findIdentities(ids)
      devices.endCalls(identities, `等待应答时设备已${change === 'disabled' ? '禁用' : '删除'}`)
      await devices.forget(identities, false)
      await devices.notify(identities, change)
      await devices.forget(identities, true)
    },
    callService: createServiceCaller(app, answerTimeoutMs),
  }
}

/** Creates the function that calls services of devices and records each call. */
function createServiceCaller({ db, devices }: FastifyInstance, answerTimeoutMs: number) {
  const queries = managedDeviceQueries(db)
  const records = recordQueries(db)
  /** Closes the record of a call whose request passed its deadline before the call was sent. */
  async function failCallPastDeadline(row: DeviceRow, id: string, context: Context) {
    try {
      context.assertBeforeDeadline()
    } catch (error) {
      await records.finishCall(row, id, { state: 'failed', reason: (error as Error).message })
      throw error
    }
  }
  /** Records why a call got no answer and returns the refusal for the user. */
  async function recordUnansweredCall(row: DeviceRow, id: string, error: Error) {
    const isUnanswered = error.message === unansweredText
    // The device may have been disconnected while the call waited.
    const currentState = isUnanswered ? (await queries.get(row.id))?.state : undefined
    const disconnectNote =
      currentState && currentState !== 'online' ? `，期间已${deviceStateText[currentState]}` : ''
    const reason = error.message + disconnectNote
    const isUnknown = error instanceof CallEndedError
    const state = isUnanswered ? 'timeout' : isUnknown ? 'unknown' : 'failed'
    await records.finishCall(row, id, { state, reason })
    return isUnanswered ? new Refusal(responseCodes.unanswered, reason) : createRefusal(reason)
  }

  /**
   * Calls a service of the product model and returns the answer of the device.
   * @throws if the device is not online, or does not answer in time, or the call fails
   */
  return async function callService(
    row: DeviceRow,
    identifier: string,
    params: Values,
    context: Context,
    entityName = entity,
  ) {
    if (row.state !== 'online')
      throw createRefusal(`${entityName}${deviceStateText[row.state]}，不能调用服务`)
    await assertProjectAllows(db, row.projectId, 'control')
    const { model, productKey } = (await queries.findProduct(row.productId))!
    const service = requireRow(
      model.services.find((candidate) => candidate.identifier === identifier),
      '服务',
    )
    const parsedParams = parseServiceParams(service, params)
    context.recordChange({
      entity: entityName,
      id: row.id,
      name: row.name,
      after: { 服务: service.name },
    })
    const { deviceName } = row
    const { callType } = service
    const title = identifier === 'Restart' ? '请求重启' : `调用服务“${service.name}”`
    const id = await records.insertCall(row, {
      identifier,
      title,
      params,
      createBy: context.user.username,
    })
    await failCallPastDeadline(row, id, context)
    const reply = await devices.commands
      .call({ productKey, deviceName }, identifier, parsedParams, {
        callType,
        timeout: answerTimeoutMs,
      })
      .catch(async (error: Error) => {
        throw await recordUnansweredCall(row, id, error)
      })
    const replyReason = `设备返回 ${reply.code} ${reply.message ?? ''}`.trim().slice(0, 200)
    await records.finishCall(row, id, {
      ...(reply.code === 200
        ? { state: 'success', reason: '' }
        : { state: 'failed', reason: replyReason }),
      output: JSON.stringify(reply.data),
    })
    return { code: reply.code, message: reply.message ?? '', data: toRecord(reply.data) }
  }
}
