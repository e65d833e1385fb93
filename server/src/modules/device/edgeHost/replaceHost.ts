import { edgeStateText } from '@iot/shared/contract/device/edgeHost'
import type { edgeHostSchemas } from '@iot/shared/contract/device/edgeHost.schema'
import type { DeviceSecret } from '@iot/shared/contract/device/managedDevice.schema'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { createFieldRefusal, createRefusal } from '../../../core/refusal'
import type { Context, WriteCallback } from '../../../core/http/context'
import type { Handlers } from '../../../core/http/serve'
import { createSecret } from '../../../device-access/registration/registration'
import { registerDevice, toNamedDevice, type createDeviceActions } from '../actions'
import type { DeviceRow } from '../queries'
import {
  assertProductIsGateway,
  getVisibleHost,
  loadHost,
  toAuditEntry,
  type EdgeHostQueries,
  type Host,
} from './actions'
import { edgeHostQueries } from './queries'

type ReplaceInput = z.output<typeof edgeHostSchemas.replace.input>
type Replacement = {
  secret: DeviceSecret
  childIds: string[]
  changedDevices: Awaited<ReturnType<EdgeHostQueries['findLiveRows']>>
}
type DeviceKey = Pick<DeviceRow, 'projectId' | 'id'>

/** Handler that replaces an edge host; its children, place and settings move to the new host. */
export const createReplaceHandler =
  (
    { devices, db }: FastifyInstance,
    { disconnectDevices }: Pick<ReturnType<typeof createDeviceActions>, 'disconnectDevices'>,
  ): Handlers<typeof edgeHostSchemas>['replace'] =>
  async (input, context) => {
    const queries = edgeHostQueries(db)
    await devices.states.flush()
    const { secret, childIds, changedDevices } = await context.write(
      edgeHostQueries,
      prepareReplacement(input, context),
    )
    devices.states.events.emit('changed', changedDevices)
    await disconnectDevices([input.id], 'disabled')
    await devices.forget(await queries.findIdentities([secret.id]), true)
    await devices.forget(await queries.findIdentities(childIds), false)
    return secret
  }

const prepareReplacement =
  (
    { id, seenVersion, productId, deviceName, name }: ReplaceInput,
    context: Context,
  ): WriteCallback<typeof edgeHostQueries, Replacement> =>
  async (rows, recordAudit, tx) => {
    const actor = context.user.username
    const formerHost = await getVisibleHost(id, context, rows)
    const previousHost = await loadHost(formerHost, rows)
    // The version locks the host, so that the second of two replacements sees the first. The host leaves the floor plan.
    if (!(await rows.update({ id, version: seenVersion, x: null, y: null }, actor)))
      throw createRefusal(await describeChangedHost(rows, previousHost))
    const { productKey } = await assertProductIsGateway(productId, rows)
    const { projectId, spaceId, floorId, x, y } = formerHost
    const place = { spaceId, floorId, x, y }
    const spareHost = await findSpareHost(rows, formerHost, productKey, deviceName)
    const secret = spareHost
      ? await renewSecret(rows, spareHost, name)
      : await registerDevice(
          { projectId, productId, deviceName, name, spaceId, protected: false },
          actor,
        )(rows, () => {}, tx)
    const newHost = { projectId, id: secret.id }
    await rows.setAll([secret.id], { name, ...place }, actor)
    await copySettings(rows, formerHost, newHost)
    const childIds = await rows.lockChildIds(formerHost)
    await rows.moveChildren(newHost, formerHost, actor)
    await rows.moveRegistrations(newHost, formerHost)
    await rows.saveSettings(formerHost, { replacedBy: secret.id })
    await rows.setDisabled([id], true, actor)
    const changedDevices = await rows.findLiveRows([id, secret.id, ...childIds])
    const after = await loadHost((await rows.get(secret.id))!, rows)
    for (const entry of describeReplacement(previousHost, after, `${name}（${deviceName}）`))
      recordAudit(entry)
    return { secret, childIds, changedDevices }
  }

/** Says what happened to a host whose version is no longer the one that the user saw. */
async function describeChangedHost(rows: EdgeHostQueries, { id, name }: Host) {
  const { replacedBy } = await loadHost((await rows.get(id))!, rows)
  return replacedBy ? `“${name}”已经替换为“${replacedBy}”` : `“${name}”刚被修改，请看过再替换`
}

/**
 * Returns the registered device with this serial, which takes the place of the former host.
 * @throws if the device cannot replace the host
 */
async function findSpareHost(
  rows: EdgeHostQueries,
  { id, projectId }: DeviceKey,
  productKey: string,
  deviceName: string,
) {
  const spareHost = await rows.findByName(productKey, deviceName)
  if (!spareHost) return undefined
  if (spareHost.id === id) throw createFieldRefusal('deviceName', '新主机须有另一个序列号')
  if (spareHost.projectId !== projectId || spareHost.state === 'disabled')
    throw createFieldRefusal('deviceName', `序列号“${deviceName}”已被使用`)
  const spareChildCount = (await rows.lockChildIds(spareHost)).length
  if (spareChildCount > 0)
    throw createFieldRefusal(
      'deviceName',
      `主机“${spareHost.name}”已有 ${spareChildCount} 台子设备，不能用来替换`,
    )
  return spareHost
}

/** Gives a registered spare host a new secret, so that no earlier reader knows it. */
async function renewSecret(rows: EdgeHostQueries, { id }: DeviceRow, name: string) {
  const { productKey, deviceName } = await toNamedDevice((await rows.get(id))!, rows)
  const deviceSecret = createSecret()
  await rows.replaceSecret({ productKey, deviceName }, deviceSecret)
  return { id, name, productKey, deviceName, deviceSecret }
}

/** Copies settings and configuration of the former host to the new one. */
async function copySettings(rows: EdgeHostQueries, formerHost: DeviceKey, newHost: DeviceKey) {
  const formerSettings = await rows.findSettings(formerHost)
  if (!formerSettings) return
  const { heartbeatInterval, content, configBy, configTime } = formerSettings
  const ownConfigVersion = (await rows.findSettings(newHost))?.configVersion ?? 0
  // The new host may have applied this version number with its own content, so the version continues after both.
  const hasBothVersions = formerSettings.configVersion > 0 && ownConfigVersion > 0
  const configVersion = hasBothVersions
    ? Math.max(formerSettings.configVersion, ownConfigVersion) + 1
    : formerSettings.configVersion
  await rows.saveSettings(newHost, {
    heartbeatInterval,
    content,
    configVersion,
    configBy,
    configTime,
  })
}

/** Builds the audit entries of both hosts. */
function describeReplacement(previousHost: Host, newHost: Host, newHostText: string) {
  return [
    {
      ...toAuditEntry(previousHost, {}),
      schema: undefined,
      before: { 状态: edgeStateText[previousHost.state], 子设备: previousHost.childCount },
      after: { 状态: edgeStateText.disabled, 子设备: 0, 替换为: newHostText },
    },
    {
      ...toAuditEntry(newHost, {}),
      schema: undefined,
      before: {},
      after: {
        替换: `${previousHost.name}（${previousHost.deviceName}）`,
        子设备: newHost.childCount,
      },
    },
  ]
}
