import {
  EdgeHost,
  EdgeHostDraft,
  EdgeHostLine,
  edgeHostApi,
  edgeStateText,
  type EdgeConfig,
  type EdgeState,
} from '@iot/shared/contract/edgeHost'
import { deviceStateText, type DeviceSecret } from '@iot/shared/contract/managedDevice'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { changedSince, missing, refused, wrongField } from '../../../core/refusal'
import { changeOf } from '../../../core/serve/actionLog'
import type { Context, Writing } from '../../../core/serve/context'
import { changeFrom } from '../../../core/serve/savedRow'
import { serve } from '../../../core/serve/serve'
import { exporter } from '../../../core/tasks/export'
import { importer, type ImportInput, type Portion } from '../../../core/tasks/import'
import { configFile } from '../../../device-access/configFile'
import { secretOf } from '../../../device-access/registration'
import { mustView } from '../../device/policy'
import { projectMustAllow } from '../../project/policy'
import { keepBefore } from '../../snapshot/policy'
import { deviceActions, named, register } from '../actions'
import { mustTakeDevices, productNamed } from '../policy'
import type { DeviceRow } from '../queries'
import { edgeHostQueries } from './queries'
import { bringsNew, draftOf, exported, knownIn, secretHead, sheet } from './sheet'

const entity = '边缘主机'
const about = changeOf(
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
const asChanged = ({
  state: _,
  childCount: __,
  ...row
}: object & { state?: unknown; childCount?: unknown }) => row

type Queries = ReturnType<typeof edgeHostQueries>
type EdgeHostChange = z.output<typeof edgeHostApi.update.input>
type Host = Awaited<ReturnType<Queries['asHosts']>>[number]
type Input = ImportInput & { projectId: number }

export function edgeHostRoutes(app: FastifyInstance) {
  const queries = edgeHostQueries(app.db)
  const { devices } = app
  const actions = deviceActions(app)

  /**
   * Returns the edge host.
   * @throws "not found" if the device does not exist, is no gateway, or belongs to a project that the user cannot see
   */
  async function mine(id: string, context: Context, rows = queries) {
    const row = await rows.get(id)
    if (!row || !context.seesProject(row.projectId)) throw missing(entity)
    const of = await rows.product(row.productId)
    if (of?.node !== 'gateway') throw missing(entity)
    return row
  }
  const asHost = async (row: DeviceRow, rows = queries) => (await rows.asHosts([row]))[0]!
  const detailOf = async (row: DeviceRow) => ({
    ...(await asHost(row)),
    ...(await devices.refusals.describe(row)),
  })
  const mustBeGateway = async (productId: string, rows: Queries) => {
    const of = await rows.product(productId)
    if (of && of.node !== 'gateway')
      throw wrongField('productId', '所选产品不是网关，不能登记为边缘主机')
    return mustTakeDevices(of)
  }
  function mustBeOnline({ state }: DeviceRow, what: string) {
    if (state !== 'online') throw refused(`边缘主机${deviceStateText[state]}，不能${what}`)
  }
  async function configOf(row: DeviceRow, rows = queries): Promise<EdgeConfig> {
    const kept = await rows.settings(row)
    const { configVersion = 0, content = '', configBy = '' } = kept ?? {}
    return { id: row.id, version: configVersion, content, updateBy: configBy }
  }

  const creating =
    (
      { heartbeatInterval, ...draft }: EdgeHostDraft & { projectId: number },
      by: string,
    ): Writing<typeof edgeHostQueries, DeviceSecret> =>
    async (rows, note, tx) => {
      await mustBeGateway(draft.productId, rows)
      const secret = await register({ ...draft, protected: false }, by, '序列号')(
        rows,
        () => {},
        tx,
      )
      await rows.keep({ projectId: draft.projectId, id: secret.id }, { heartbeatInterval })
      const made = await asHost((await rows.get(secret.id))!, rows)
      note(about(made, { after: asChanged(made) }))
      return secret
    }
  const updating =
    (
      { heartbeatInterval, ...change }: EdgeHostChange,
      context: Context,
    ): Writing<typeof edgeHostQueries, Host> =>
    async (rows, note) => {
      const before = await asHost(await mine(change.id, context, rows), rows)
      const place = await rows.placeOf(before.projectId, change.spaceId)
      if (!place) throw wrongField('spaceId', '所选位置不存在或已被删除')
      // A position belongs to the floor plan of one floor, so it is cleared when the host changes the floor.
      const leaves = place.floorId !== before.floorId && { x: null, y: null }
      const row = await rows.update({ ...change, ...place, ...leaves }, context.user.username)
      if (!row) throw changedSince(await asHost(await mine(change.id, context, rows), rows))
      await rows.keep(row, { heartbeatInterval })
      const after = await asHost(row, rows)
      note(about(row, { before: asChanged(before), after: asChanged(after) }))
      return after
    }
  const forget = async (ids: string[]) => devices.forget(await queries.identities(ids), false)
  const importHosts = importer(app, edgeHostApi.importRows, {
    entity,
    schema: EdgeHostLine,
    sheet,
    queriesOf: edgeHostQueries,
    secrets: { name: '密钥', head: secretHead },
    async hold(rows, { drafts, made, input, by }: Portion<typeof EdgeHostLine, Input>, tx) {
      const { projectId } = input
      const known = await knownIn(projectId, rows)
      if (made === 0 && (await bringsNew(drafts, known, rows)))
        await keepBefore(tx, projectId, `导入${entity}`, by)
      return known
    },
    create:
      (line, by, _, { projectId }: Input, known) =>
      async (rows, note, tx) => {
        const draft = { ...draftOf(line, known), projectId }
        const made = await creating(draft, by)(rows, note, tx)
        return [made.name, made.productKey, made.deviceName, made.deviceSecret]
      },
    existing: {
      endpoint: edgeHostApi.update,
      key: ({ productName, deviceName }) => JSON.stringify([productName, deviceName]),
      async find({ productName, deviceName }, { rows, held, input: { projectId } }) {
        const { product } = productNamed(held.products, productName)
        const row = product && (await rows.byName(product.productKey, deviceName))
        return row?.projectId === projectId ? asHost(row, rows) : undefined
      },
      change: (before, line, { held, context }) => {
        const { productId: _, ...draft } = draftOf(line as EdgeHostLine, held)
        return updating(changeFrom(edgeHostApi.update, before, draft), context)
      },
      stored: forget,
    },
  })

  serve(app, edgeHostApi, {
    async page(query, context) {
      mustView(context, query.projectId)
      await devices.states.flush()
      return queries.hosts(query)
    },
    async get({ id }, context) {
      await devices.states.flush()
      return detailOf(await mine(id, context))
    },

    async create(draft, context) {
      mustView(context, draft.projectId)
      return context.write(edgeHostQueries, creating(draft, context.user.username))
    },
    async importRows(input, context) {
      mustView(context, input.projectId)
      await projectMustAllow(app.db, input.projectId, 'register')
      return importHosts(input, context)
    },
    async exportRows(asked, context) {
      mustView(context, asked.projectId)
      await devices.states.flush()
      const page = queries.hosts.bind(queries)
      return exporter(app, edgeHostApi.exportRows, { entity, sheet: exported, page })(
        asked,
        context,
      )
    },

    async update(change, context) {
      await devices.states.flush()
      const saved = await context.write(edgeHostQueries, updating(change, context))
      await forget([change.id])
      return { ...saved, ...(await devices.refusals.describe(await mine(change.id, context))) }
    },

    async replace({ id, productId, deviceName, name }, context) {
      await devices.states.flush()
      const by = context.user.username
      const { secret, childIds, shown } = await context.write(
        edgeHostQueries,
        async (rows, note, tx) => {
          const old = await mine(id, context, rows)
          const before = await asHost(old, rows)
          const { productKey } = await mustBeGateway(productId, rows)
          const { projectId, spaceId, floorId, x, y } = old
          const place = { spaceId, floorId, x, y }
          const known = await rows.byName(productKey, deviceName)
          if (known?.id === id) throw wrongField('deviceName', '新主机须有另一个序列号')
          if (known && (known.projectId !== projectId || known.state === 'disabled'))
            throw wrongField('deviceName', `序列号“${deviceName}”已被使用`)
          const taken = known ? (await rows.childIds(known)).length : 0
          if (taken > 0)
            throw wrongField(
              'deviceName',
              `主机“${known!.name}”已有 ${taken} 台子设备，不能用来替换`,
            )
          const secret = known
            ? await renew(rows, known, name)
            : await register(
                { projectId, productId, deviceName, name, spaceId, protected: false },
                by,
              )(rows, () => {}, tx)
          const made = { projectId, id: secret.id }
          await rows.setAll([secret.id], { name, ...place }, by)
          const kept = await rows.settings(old)
          if (kept) {
            const { heartbeatInterval, content, configBy, configTime } = kept
            const had = (await rows.settings(made))?.configVersion ?? 0
            // The new host may have applied this version number with its own content, so the version continues after
            // both.
            const isNumbered = kept.configVersion > 0 && had > 0
            const configVersion = isNumbered
              ? Math.max(kept.configVersion, had) + 1
              : kept.configVersion
            await rows.keep(made, {
              heartbeatInterval,
              content,
              configVersion,
              configBy,
              configTime,
            })
          }
          const childIds = await rows.childIds(old)
          await rows.adopt(made, old, by)
          await rows.inherit(made, old)
          await rows.keep(old, { replacedBy: secret.id })
          await rows.setAll([id], { x: null, y: null }, by)
          await rows.setDisabled([id], true, by)
          const ids = [id, secret.id, ...childIds]
          const shown = await rows.shown(ids)
          const after = await asHost((await rows.get(secret.id))!, rows)
          const { childCount, deviceName: serial } = before
          note({
            ...about(before, {}),
            schema: undefined,
            before: { 状态: edgeStateText[before.state], 子设备: childCount },
            after: { 状态: edgeStateText.disabled, 子设备: 0, 替换为: `${name}（${deviceName}）` },
          })
          note({
            ...about(after, {}),
            schema: undefined,
            before: {},
            after: { 替换: `${before.name}（${serial}）`, 子设备: after.childCount },
          })
          return { secret, childIds, shown }
        },
      )
      devices.states.events.emit('changed', shown)
      await actions.cut([id], 'disabled')
      await devices.forget(await queries.identities([secret.id]), true)
      await devices.forget(await queries.identities(childIds), false)
      return secret
    },

    async restart({ id }, context) {
      const row = await mine(id, context)
      mustBeOnline(row, '重启')
      const { model } = (await queries.product(row.productId))!
      if (!model.services.some(({ identifier }) => identifier === 'Restart'))
        throw refused('产品的物模型没有 Restart 服务，不能远程重启')
      const { code, message } = await actions.call(row, 'Restart', {}, context, entity)
      if (code !== 200) throw refused(`主机没有重启：返回 ${code} ${message}`.trim())
      return { code, message }
    },

    config: async ({ id }, context) => configOf(await mine(id, context)),
    async setConfig({ id, version, content }, context) {
      mustBeReadable(content)
      return context.write(edgeHostQueries, async (rows, note) => {
        const row = await mine(id, context, rows)
        const by = context.user.username
        if (!(await rows.nextConfig(row, version, content, by)))
          throw changedSince(await configOf(row, rows))
        // The configuration may contain secrets, so the audit log records only its version.
        note({
          entity,
          id,
          name: row.name,
          before: { 配置版本: version || '' },
          after: { 配置版本: version + 1 },
        })
        return configOf(row, rows)
      })
    },
    async push({ id }, context) {
      const row = await mine(id, context)
      const { publicUrl } = app.settings
      if (!publicUrl) throw refused('平台没有设置 PUBLIC_URL，设备取不到配置')
      const { productKey, deviceName } = await named(row, queries)
      const known = { ...row, productKey, deviceName }
      const { configVersion = 0 } = (await queries.settings(row)) ?? {}
      if (configVersion === 0) throw refused('还没有配置，先填写配置再推送')
      mustBeOnline(row, '推送配置')
      context.note({ entity, id, name: row.name, after: { 推送配置版本: configVersion } })
      const file = await configFile(app.db, known, publicUrl)
      context.assertBeforeDeadline()
      const reply = await devices.commands
        .ask(known, 'thing/config/push', file, actions.answerWithin)
        .catch((error: Error) => ({ code: 0, message: error.message }))
      const { code, message = '' } = reply
      const isTaken = code === 200
      const why = code === 0 ? message : `主机返回 ${code} ${message}`.trim()
      await queries.keep(row, {
        pushTime: new Date().toISOString(),
        pushFailure: isTaken ? '' : why,
      })
      if (!isTaken) throw refused(`配置没有推送成功：${why}`)
      return { code, message }
    },
  })

  /** Gives a registered spare host a new secret, so that no earlier reader knows it. */
  async function renew(rows: Queries, { id }: DeviceRow, name: string) {
    const { productKey, deviceName } = await named((await rows.get(id))!, rows)
    const deviceSecret = secretOf()
    await rows.replaceSecret({ productKey, deviceName }, deviceSecret)
    return { id, name, productKey, deviceName, deviceSecret }
  }
}

/** Content that begins like JSON must be valid JSON; other formats are not checked. */
function mustBeReadable(content: string) {
  if (!/^\s*[[{]/.test(content)) return
  try {
    JSON.parse(content)
  } catch (error) {
    throw wrongField(
      'content',
      `配置内容不是正确的 JSON：${placeOf((error as Error).message, content)}`,
    )
  }
}

function placeOf(message: string, content: string) {
  const at = /position (\d+)/.exec(message)?.[1]
  const before = content.slice(0, at === undefined ? content.length : Number(at))
  return `第 ${before.split('\n').length} 行`
}
