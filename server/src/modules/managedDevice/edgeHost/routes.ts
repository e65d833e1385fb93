import {
  EdgeHost,
  EdgeHostDraft,
  EdgeHostFileRow,
  edgeHostApi,
  edgeStateText,
  type EdgeConfig,
  type EdgeState,
} from '@iot/shared/contract/edgeHost'
import { deviceStateText, type DeviceSecret } from '@iot/shared/contract/managedDevice'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import {
  createConflictRefusal,
  createMissingRefusal,
  createRefusal,
  createFieldRefusal,
} from '../../../core/refusal'
import { createChangeDescriber } from '../../../core/serve/actionLog'
import type { Context, WriteCallback } from '../../../core/serve/context'
import { buildChangeFromLine } from '../../../core/serve/updateHandlers'
import { serve } from '../../../core/serve/serve'
import { createExportHandler } from '../../../core/tasks/export'
import {
  createImportHandler,
  type ImportInput,
  type ImportPortion,
} from '../../../core/tasks/import'
import { buildConfigFile } from '../../../device-access/commands/configFile'
import { createSecret } from '../../../device-access/registration/registration'
import { assertCanView } from '../../device/policy'
import { assertProjectAllows } from '../../project/policy'
import { snapshotBefore } from '../../snapshot/policy'
import { createDeviceActions, toNamedDevice, registerDevice } from '../actions'
import { assertProductAcceptsDevices, resolveProduct } from '../policy'
import type { DeviceRow } from '../queries'
import { edgeHostQueries } from './queries'
import {
  hasNewHosts,
  resolveDraft,
  exportColumns,
  loadImportLookups,
  secretColumns,
  sheet,
} from './sheet'

const entity = '边缘主机'
const toAuditEntry = createChangeDescriber(
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

type Queries = ReturnType<typeof edgeHostQueries>
type EdgeHostChange = z.output<typeof edgeHostApi.update.input>
type Host = Awaited<ReturnType<Queries['addHostDetails']>>[number]
type HostImportInput = ImportInput & { projectId: number }

export function edgeHostRoutes(app: FastifyInstance) {
  const queries = edgeHostQueries(app.db)
  const { devices } = app
  const actions = createDeviceActions(app)

  /**
   * Returns the edge host.
   * @throws "not found" if the device does not exist, is no gateway, or belongs to a project that the user cannot see
   */
  async function getVisibleHost(id: string, context: Context, rows = queries) {
    const row = await rows.get(id)
    if (!row || !context.seesProject(row.projectId)) throw createMissingRefusal(entity)
    const productRow = await rows.findProduct(row.productId)
    if (productRow?.node !== 'gateway') throw createMissingRefusal(entity)
    return row
  }
  const loadHost = async (row: DeviceRow, rows = queries) => (await rows.addHostDetails([row]))[0]!
  const loadHostDetail = async (row: DeviceRow) => ({
    ...(await loadHost(row)),
    ...(await devices.refusals.describe(row)),
  })
  const assertProductIsGateway = async (productId: string, rows: Queries) => {
    const productRow = await rows.findProduct(productId)
    if (productRow && productRow.node !== 'gateway')
      throw createFieldRefusal('productId', '所选产品不是网关，不能登记为边缘主机')
    return assertProductAcceptsDevices(productRow)
  }
  function assertOnline({ state }: DeviceRow, action: string) {
    if (state !== 'online') throw createRefusal(`边缘主机${deviceStateText[state]}，不能${action}`)
  }
  async function loadConfig(row: DeviceRow, rows = queries): Promise<EdgeConfig> {
    const hostSettings = await rows.findSettings(row)
    const { configVersion = 0, content = '', configBy = '' } = hostSettings ?? {}
    return { id: row.id, version: configVersion, content, updateBy: configBy }
  }

  const prepareCreate =
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
  const prepareUpdate =
    (
      { heartbeatInterval, ...change }: EdgeHostChange,
      context: Context,
    ): WriteCallback<typeof edgeHostQueries, Host> =>
    async (rows, recordAudit) => {
      const before = await loadHost(await getVisibleHost(change.id, context, rows), rows)
      const place = await rows.findPlacement(before.projectId, change.spaceId)
      if (!place) throw createFieldRefusal('spaceId', '所选位置不存在或已被删除')
      // A position belongs to the floor plan of one floor, so it is cleared when the host changes the floor.
      const clearedPosition = place.floorId !== before.floorId && { x: null, y: null }
      const row = await rows.update(
        { ...change, ...place, ...clearedPosition },
        context.user.username,
      )
      if (!row)
        throw createConflictRefusal(
          await loadHost(await getVisibleHost(change.id, context, rows), rows),
        )
      await rows.saveSettings(row, { heartbeatInterval })
      const after = await loadHost(row, rows)
      recordAudit(
        toAuditEntry(row, { before: withoutLiveFields(before), after: withoutLiveFields(after) }),
      )
      return after
    }
  const forgetHosts = async (ids: string[]) =>
    devices.forget(await queries.findIdentities(ids), false)
  const importHosts = createImportHandler(app, edgeHostApi.importRows, {
    entity,
    schema: EdgeHostFileRow,
    sheet,
    queriesOf: edgeHostQueries,
    secrets: { name: '密钥', head: secretColumns },
    async preload(
      rows,
      {
        drafts,
        importedCount,
        input,
        by: actor,
      }: ImportPortion<typeof EdgeHostFileRow, HostImportInput>,
      tx,
    ) {
      const { projectId } = input
      const lookups = await loadImportLookups(projectId, rows)
      if (importedCount === 0 && (await hasNewHosts(drafts, lookups, rows)))
        await snapshotBefore(tx, projectId, `导入${entity}`, actor)
      return lookups
    },
    create:
      (line, actor, _, { projectId }: HostImportInput, lookups) =>
      async (rows, recordAudit, tx) => {
        const draft = { ...resolveDraft(line, lookups), projectId }
        const hostSecret = await prepareCreate(draft, actor)(rows, recordAudit, tx)
        return [
          hostSecret.name,
          hostSecret.productKey,
          hostSecret.deviceName,
          hostSecret.deviceSecret,
        ]
      },
    existing: {
      endpoint: edgeHostApi.update,
      key: ({ productName, deviceName }) => JSON.stringify([productName, deviceName]),
      async find({ productName, deviceName }, { rows, preloaded, input: { projectId } }) {
        const { product } = resolveProduct(preloaded.products, productName)
        const row = product && (await rows.findByName(product.productKey, deviceName))
        return row?.projectId === projectId ? loadHost(row, rows) : undefined
      },
      change: (before, line, { preloaded, context }) => {
        const { productId: _, ...draft } = resolveDraft(line as EdgeHostFileRow, preloaded)
        return prepareUpdate(buildChangeFromLine(edgeHostApi.update, before, draft), context)
      },
      onStored: forgetHosts,
    },
  })

  serve(app, edgeHostApi, {
    async page(query, context) {
      assertCanView(context, query.projectId)
      await devices.states.flush()
      return queries.listHosts(query)
    },
    async get({ id }, context) {
      await devices.states.flush()
      return loadHostDetail(await getVisibleHost(id, context))
    },

    async create(draft, context) {
      assertCanView(context, draft.projectId)
      return context.write(edgeHostQueries, prepareCreate(draft, context.user.username))
    },
    async importRows(input, context) {
      assertCanView(context, input.projectId)
      await assertProjectAllows(app.db, input.projectId, 'register')
      return importHosts(input, context)
    },
    async exportRows(query, context) {
      assertCanView(context, query.projectId)
      await devices.states.flush()
      const page = queries.listHosts.bind(queries)
      return createExportHandler(app, edgeHostApi.exportRows, {
        entity,
        sheet: exportColumns,
        page,
      })(query, context)
    },

    async update(change, context) {
      await devices.states.flush()
      const updatedHost = await context.write(edgeHostQueries, prepareUpdate(change, context))
      await forgetHosts([change.id])
      return {
        ...updatedHost,
        ...(await devices.refusals.describe(await getVisibleHost(change.id, context))),
      }
    },

    async replace({ id, productId, deviceName, name }, context) {
      await devices.states.flush()
      const actor = context.user.username
      const {
        secret,
        childIds,
        shown: changedDevices,
      } = await context.write(edgeHostQueries, async (rows, recordAudit, tx) => {
        const formerHost = await getVisibleHost(id, context, rows)
        const before = await loadHost(formerHost, rows)
        const { productKey } = await assertProductIsGateway(productId, rows)
        const { projectId, spaceId, floorId, x, y } = formerHost
        const place = { spaceId, floorId, x, y }
        const spareHost = await rows.findByName(productKey, deviceName)
        if (spareHost?.id === id) throw createFieldRefusal('deviceName', '新主机须有另一个序列号')
        if (spareHost && (spareHost.projectId !== projectId || spareHost.state === 'disabled'))
          throw createFieldRefusal('deviceName', `序列号“${deviceName}”已被使用`)
        const spareChildCount = spareHost ? (await rows.lockChildIds(spareHost)).length : 0
        if (spareChildCount > 0)
          throw createFieldRefusal(
            'deviceName',
            `主机“${spareHost!.name}”已有 ${spareChildCount} 台子设备，不能用来替换`,
          )
        const secret = spareHost
          ? await renewSecret(rows, spareHost, name)
          : await registerDevice(
              { projectId, productId, deviceName, name, spaceId, protected: false },
              actor,
            )(rows, () => {}, tx)
        const newHost = { projectId, id: secret.id }
        await rows.setAll([secret.id], { name, ...place }, actor)
        const formerSettings = await rows.findSettings(formerHost)
        if (formerSettings) {
          const { heartbeatInterval, content, configBy, configTime } = formerSettings
          const ownConfigVersion = (await rows.findSettings(newHost))?.configVersion ?? 0
          // The new host may have applied this version number with its own content, so the version continues after
          // both.
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
        const childIds = await rows.lockChildIds(formerHost)
        await rows.moveChildren(newHost, formerHost, actor)
        await rows.moveRegistrations(newHost, formerHost)
        await rows.saveSettings(formerHost, { replacedBy: secret.id })
        await rows.setAll([id], { x: null, y: null }, actor)
        await rows.setDisabled([id], true, actor)
        const ids = [id, secret.id, ...childIds]
        const liveRows = await rows.findLiveRows(ids)
        const after = await loadHost((await rows.get(secret.id))!, rows)
        const { childCount, deviceName: formerSerial } = before
        recordAudit({
          ...toAuditEntry(before, {}),
          schema: undefined,
          before: { 状态: edgeStateText[before.state], 子设备: childCount },
          after: { 状态: edgeStateText.disabled, 子设备: 0, 替换为: `${name}（${deviceName}）` },
        })
        recordAudit({
          ...toAuditEntry(after, {}),
          schema: undefined,
          before: {},
          after: { 替换: `${before.name}（${formerSerial}）`, 子设备: after.childCount },
        })
        return { secret, childIds, shown: liveRows }
      })
      devices.states.events.emit('changed', changedDevices)
      await actions.disconnectDevices([id], 'disabled')
      await devices.forget(await queries.findIdentities([secret.id]), true)
      await devices.forget(await queries.findIdentities(childIds), false)
      return secret
    },

    async restart({ id }, context) {
      const row = await getVisibleHost(id, context)
      assertOnline(row, '重启')
      const { model } = (await queries.findProduct(row.productId))!
      if (!model.services.some(({ identifier }) => identifier === 'Restart'))
        throw createRefusal('产品的物模型没有 Restart 服务，不能远程重启')
      const { code, message } = await actions.callService(row, 'Restart', {}, context, entity)
      if (code !== 200) throw createRefusal(`主机没有重启：返回 ${code} ${message}`.trim())
      return { code, message }
    },

    config: async ({ id }, context) => loadConfig(await getVisibleHost(id, context)),
    async setConfig({ id, version, content }, context) {
      assertReadableConfig(content)
      return context.write(edgeHostQueries, async (rows, recordAudit) => {
        const row = await getVisibleHost(id, context, rows)
        const actor = context.user.username
        if (!(await rows.saveConfigVersion(row, version, content, actor)))
          throw createConflictRefusal(await loadConfig(row, rows))
        // The configuration may contain secrets, so the audit log records only its version.
        recordAudit({
          entity,
          id,
          name: row.name,
          before: { 配置版本: version || '' },
          after: { 配置版本: version + 1 },
        })
        return loadConfig(row, rows)
      })
    },
    async push({ id }, context) {
      const row = await getVisibleHost(id, context)
      const { publicUrl } = app.settings
      if (!publicUrl) throw createRefusal('平台没有设置 PUBLIC_URL，设备取不到配置')
      const { productKey, deviceName } = await toNamedDevice(row, queries)
      const namedHost = { ...row, productKey, deviceName }
      const { configVersion = 0 } = (await queries.findSettings(row)) ?? {}
      if (configVersion === 0) throw createRefusal('还没有配置，先填写配置再推送')
      assertOnline(row, '推送配置')
      context.recordChange({ entity, id, name: row.name, after: { 推送配置版本: configVersion } })
      const file = await buildConfigFile(app.db, namedHost, publicUrl)
      context.assertBeforeDeadline()
      const reply = await devices.commands
        .ask(namedHost, 'thing/config/push', file, actions.answerTimeoutMs)
        .catch((error: Error) => ({ code: 0, message: error.message }))
      const { code, message = '' } = reply
      const isAccepted = code === 200
      const failureReason = code === 0 ? message : `主机返回 ${code} ${message}`.trim()
      await queries.saveSettings(row, {
        pushTime: new Date().toISOString(),
        pushFailure: isAccepted ? '' : failureReason,
      })
      if (!isAccepted) throw createRefusal(`配置没有推送成功：${failureReason}`)
      return { code, message }
    },
  })

  /** Gives a registered spare host a new secret, so that no earlier reader knows it. */
  async function renewSecret(rows: Queries, { id }: DeviceRow, name: string) {
    const { productKey, deviceName } = await toNamedDevice((await rows.get(id))!, rows)
    const deviceSecret = createSecret()
    await rows.replaceSecret({ productKey, deviceName }, deviceSecret)
    return { id, name, productKey, deviceName, deviceSecret }
  }
}

/** Content that begins like JSON must be valid JSON; other formats are not checked. */
function assertReadableConfig(content: string) {
  if (!/^\s*[[{]/.test(content)) return
  try {
    JSON.parse(content)
  } catch (error) {
    throw createFieldRefusal(
      'content',
      `配置内容不是正确的 JSON：${formatErrorLine((error as Error).message, content)}`,
    )
  }
}

function formatErrorLine(message: string, content: string) {
  const position = /position (\d+)/.exec(message)?.[1]
  const textBefore = content.slice(0, position === undefined ? content.length : Number(position))
  return `第 ${textBefore.split('\n').length} 行`
}
