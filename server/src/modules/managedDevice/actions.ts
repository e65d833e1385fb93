import type { z } from 'zod'
import type { Values } from '@iot/shared/contract/device'
import {
  DeviceDraft,
  DevicePlace,
  deviceStateText,
  ManagedDevice,
  type managedDeviceApi,
  type DeviceSecret,
} from '@iot/shared/contract/managedDevice'
import type { DeviceState } from '@iot/shared/contract/device'
import { codes } from '@iot/shared/contract/endpoint'
import type { FastifyInstance } from 'fastify'
import { changedSince, found, missing, Refusal, refused, wrongField } from '../../core/refusal'
import { changeOf } from '../../core/serve/actionLog'
import type { Context, Writing } from '../../core/serve/context'
import { secretOf } from '../../device-access/registration'
import { CutOff, unanswered } from '../../device-access/commands'
import { projectMustAllow } from '../project/policy'
import { asRecord, mustTakeDevices, readParams } from './policy'
import { managedDeviceQueries, type DeviceRow } from './queries'
import { recordQueries } from './records'

type DeviceChange = z.output<typeof managedDeviceApi.update.input>

export const entity = '设备'
export const about = changeOf(
  entity,
  ManagedDevice.pick({ name: true, deviceName: true, productName: true, place: true }).extend({
    protected: DeviceDraft.shape.protected,
    state: ManagedDevice.shape.state,
    projectId: ManagedDevice.shape.projectId,
  }),
  { state: (state) => deviceStateText[state as DeviceState] },
)
export const placed = changeOf(
  entity,
  DevicePlace.pick({ x: true, y: true }).extend({ place: ManagedDevice.shape.place }),
)
/** Drops the state, because a device that goes online or offline is not a change by a user. */
export const asChanged = ({ state: _, ...row }: object & { state?: unknown }) => row

export const named = async (
  row: DeviceRow,
  rows: Pick<ReturnType<typeof managedDeviceQueries>, 'named'>,
) => (await rows.named([row]))[0]!

/** Registers a device with its secret in the transaction of the caller. */
export const register =
  (
    { projectId, ...draft }: DeviceDraft & { projectId: number },
    by: string,
    called = 'DeviceName',
  ): Writing<typeof managedDeviceQueries, DeviceSecret> =>
  async (rows, note, tx) => {
    await projectMustAllow(tx, projectId, 'register')
    const { productKey } = mustTakeDevices(await rows.product(draft.productId))
    const { deviceName, name } = draft
    if (await rows.deviceNameTaken(productKey, deviceName))
      throw wrongField('deviceName', `${called}“${deviceName}”已被使用`)
    const place = await rows.placeOf(projectId, draft.spaceId)
    if (!place) throw wrongField('spaceId', '所选位置不存在或已被删除')
    const row = await rows.insert(
      { ...draft, ...place, state: 'inactive', reported: {}, address: '' },
      by,
    )
    const deviceSecret = secretOf()
    const { id } = row
    await rows.credential({ productKey, deviceName, deviceSecret, projectId, deviceId: id })
    note(about(row, { after: asChanged(await named(row, rows)) }))
    return { id, name, productKey, deviceName, deviceSecret }
  }

/** Actions that all screens about devices share. */
export function deviceActions({ db, devices, settings }: FastifyInstance) {
  const queries = managedDeviceQueries(db)
  const records = recordQueries(db)
  const answerWithin = settings.controlTimeout ?? 10_000
  /** Closes the record of a call whose request passed its deadline before the call was sent. */
  async function abandonLate(row: DeviceRow, id: string, context: Context) {
    try {
      context.assertBeforeDeadline()
    } catch (error) {
      await records.ended(row, id, { state: 'failed', reason: (error as Error).message })
      throw error
    }
  }
  /**
   * Returns the device.
   * @throws "not found" if the device does not exist or the user cannot see its project
   */
  async function mine(
    id: string,
    context: Context,
    rows: Pick<typeof queries, 'get'> = queries,
  ): Promise<DeviceRow> {
    const row = found(await rows.get(id), entity)
    if (!context.seesProject(row.projectId)) throw missing(entity)
    return row
  }
  return {
    answerWithin,
    mine,
    /** Saves the fields that a form or an imported file sets on a device. */
    updating:
      (
        change: DeviceChange,
        context: Context,
      ): Writing<typeof managedDeviceQueries, Awaited<ReturnType<typeof named>>> =>
      async (rows, note) => {
        const before = await named(await mine(change.id, context, rows), rows)
        const place = await rows.placeOf(before.projectId, change.spaceId)
        if (!place) throw wrongField('spaceId', '所选位置不存在或已被删除')
        const row = await rows.update(
          { ...change, ...place, ...(place.floorId !== before.floorId && { x: null, y: null }) },
          context.user.username,
        )
        if (!row) throw changedSince(await named(await mine(change.id, context, rows), rows))
        const after = await named(row, rows)
        note(about(row, { before: asChanged(before), after: asChanged(after) }))
        return after
      },
    /** Notifies devices and their gateways and ends their connections, while their rows still exist. */
    async cut(ids: string[], change: 'disabled' | 'deleted') {
      const identities = await queries.identities(ids)
      devices.endCalls(identities, `等待应答时设备已${change === 'disabled' ? '禁用' : '删除'}`)
      await devices.forget(identities, false)
      await devices.notify(identities, change)
      await devices.forget(identities, true)
    },
    /**
     * Calls a service of the product model and returns the answer of the device.
     * @throws if the device is not online, or does not answer in time, or the call fails
     */
    async call(row: DeviceRow, identifier: string, params: Values, context: Context, of = entity) {
      if (row.state !== 'online') throw refused(`${of}${deviceStateText[row.state]}，不能调用服务`)
      await projectMustAllow(db, row.projectId, 'control')
      const { model, productKey } = (await queries.product(row.productId))!
      const service = found(
        model.services.find((one) => one.identifier === identifier),
        '服务',
      )
      const given = readParams(service, params)
      context.note({ entity: of, id: row.id, name: row.name, after: { 服务: service.name } })
      const { deviceName } = row
      const { callType } = service
      const title = identifier === 'Restart' ? '请求重启' : `调用服务“${service.name}”`
      const id = await records.call(row, {
        identifier,
        title,
        params,
        createBy: context.user.username,
      })
      await abandonLate(row, id, context)
      const reply = await devices.commands
        .call({ productKey, deviceName }, identifier, given, { callType, timeout: answerWithin })
        .catch(async (error: Error) => {
          const isSilent = error.message === unanswered
          // The device may have been disconnected while the call waited.
          const now = isSilent ? (await queries.get(row.id))?.state : undefined
          const gone = now && now !== 'online' ? `，期间已${deviceStateText[now]}` : ''
          const reason = error.message + gone
          const isUnknown = error instanceof CutOff
          const state = isSilent ? 'timeout' : isUnknown ? 'unknown' : 'failed'
          await records.ended(row, id, { state, reason })
          throw isSilent ? new Refusal(codes.unanswered, reason) : refused(reason)
        })
      const said = `设备返回 ${reply.code} ${reply.message ?? ''}`.trim().slice(0, 200)
      await records.ended(row, id, {
        ...(reply.code === 200
          ? { state: 'success', reason: '' }
          : { state: 'failed', reason: said }),
        output: JSON.stringify(reply.data),
      })
      return { code: reply.code, message: reply.message ?? '', data: asRecord(reply.data) }
    },
  }
}
