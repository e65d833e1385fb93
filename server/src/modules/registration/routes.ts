import {
  modeText,
  registrationRecordApi,
  registrationRuleApi,
  RuleDraft,
  RuleLine,
  type ProductSecret,
  type RegistrationMode,
  registrationStateText,
  type RegistrationRecord,
  type RegistrationState,
} from '@iot/shared/contract/registration'
import { statusText, type Status } from '@iot/shared/contract/fields'
import { treeOf } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import { found, missing, refused, refusePastExpiry, wrongField } from '../../core/refusal'
import { findRow } from '../../core/db/versioned'
import { changeOf } from '../../core/serve/actionLog'
import type { Context, Writing } from '../../core/serve/context'
import { manyRows } from '../../core/serve/manyRows'
import { idsOf, perRow } from '../../core/serve/perRow'
import { changeFrom, savedRow } from '../../core/serve/savedRow'
import { serve } from '../../core/serve/serve'
import { exporter } from '../../core/tasks/export'
import { importer } from '../../core/tasks/import'
import {
  areAmbiguous,
  enter,
  ownSecretsOnly,
  productClosed,
  secretOf,
} from '../../device-access/registration'
import { belongsElsewhere } from '../../device-access/topology'
import { registrationRule as table } from '../../tables/registration'
import { productNamed } from '../managedDevice/policy'
import { projectMustAllow, projectNamed } from '../project/policy'
import { recordQueries, ruleQueries, type RuleRow } from './queries'
import { exported, recordSheet, sheet } from './sheet'

const title = '注册规则'
const entity = '注册记录'
const about = changeOf(title, RuleDraft, {
  mode: (mode) => modeText[mode as RegistrationMode],
  status: (status) => statusText[status as Status],
  approval: (approval) => (approval ? '是' : '否'),
  addresses: (list) => (list as string[]).join('、'),
})

export function registrationModuleRoutes(app: FastifyInstance) {
  const rules = ruleQueries(app.db)
  app.references.add('product', (db, ids) => ruleQueries(db).ofProducts(ids))

  async function mustSeeProject(projectId: number, { seesProject }: Context) {
    if (!seesProject(projectId) || !(await rules.project(projectId)))
      throw wrongField('projectId', '所选项目不存在')
  }

  const sees = ({ seesProject }: Context, { projectId }: RuleRow) => seesProject(projectId)
  async function mine(id: string, context: Context, rows = rules) {
    const row = found(await rows.get(id), title)
    if (!sees(context, row)) throw missing(title)
    return row
  }

  const {
    insert,
    change: changing,
    update,
  } = savedRow(registrationRuleApi, {
    title,
    table,
    queriesOf: ruleQueries,
    about,
    async check(draft, rows, before) {
      const productId = before?.productId ?? ('productId' in draft ? draft.productId : '')
      refusePastExpiry(draft.expireTime, before?.expireTime)
      const of = await rows.product(productId)
      if (!of) throw wrongField('productId', '所选产品不存在或已被删除')
      const others = (await rows.rulesOfProduct(productId)).filter(({ id }) => id !== before?.id)
      if (others.some(({ projectId }) => projectId === draft.projectId))
        throw wrongField('projectId', '这个产品在该项目已有注册规则')
      const rival = others.find((other) => areAmbiguous(draft, other))
      if (rival)
        throw wrongField(
          'addresses',
          `项目“${rival.projectName}”的免预注册规则也适用于这些地址，设备来时分不清归哪个项目`,
        )
      if ((of.node === 'sub') !== (draft.mode === 'gateway'))
        throw wrongField(
          'mode',
          of.node === 'sub' ? '网关子设备只能由网关注册' : '只有网关子设备由网关注册',
        )
      if (!before && of.node !== 'sub' && of.authType === 'deviceSecret')
        throw wrongField('productId', `${ownSecretsOnly}；自注册请用一型一密的产品`)
    },
    answer: (row) => row,
  })

  /** Creates a rule, and a product secret if the product needs one and has none. */
  const creating =
    (draft: RuleDraft, by: string): Writing<typeof ruleQueries, Made> =>
    async (rows, note, tx) => {
      const row = await insert(draft, by)(rows, note, tx)
      if (row.node === 'sub' || row.hasSecret) return { ...row, made: null }
      const productSecret = secretOf()
      await rows.keepSecret(row.productKey, productSecret)
      const { productKey } = row
      return { ...row, hasSecret: true, made: { productKey, productSecret } }
    }

  serve(app, registrationRuleApi, {
    page: (query, { projectScope }) => rules.page(query, projectScope),
    ...manyRows(app, { name: 'registrationRule', title, queriesOf: ruleQueries, about, sees }),
    async create(draft, context) {
      await mustSeeProject(draft.projectId, context)
      return context.write(ruleQueries, creating(draft, context.user.username))
    },
    exportRows: (asked, context) =>
      exporter(app, registrationRuleApi.exportRows, {
        entity: title,
        sheet: exported,
        page: (query: Parameters<typeof rules.lines>[0]) =>
          rules.lines(query, context.projectScope),
      })(asked, context),
    importRows: importer(app, registrationRuleApi.importRows, {
      entity: title,
      schema: RuleLine,
      sheet,
      queriesOf: ruleQueries,
      secrets: { name: '产品密钥', head: ['产品', 'ProductKey', 'ProductSecret'] },
      hold: async (rows) => ({ products: await rows.products(), projects: await rows.projects() }),
      create: (line, by, context, _, known) => async (rows, note, tx) => {
        const draft = draftOf(line, known, context)
        const { name, made } = await creating(draft, by)(rows, note, tx)
        return made && [name, made.productKey, made.productSecret]
      },
      existing: {
        endpoint: registrationRuleApi.update,
        key: ({ name, productKey, projectName }) =>
          JSON.stringify([productKey || name, projectName]),
        async find(line, { rows, tx, held, context }) {
          const { productId, projectId } = draftOf(line, held, context)
          const row = await findRow(tx, table, { productId, projectId })
          return row && rows.get(row.id)
        },
        change: (before, line, { held, context }) => {
          const { projectId, productId: _, ...fields } = draftOf(line as RuleLine, held, context)
          const wanted = changeFrom(registrationRuleApi.update, before, { ...fields, projectId })
          return changing(wanted, context.user.username)
        },
      },
    }),
    async update(change, context) {
      await mine(change.id, context)
      await mustSeeProject(change.projectId, context)
      return update(change, context)
    },
    renewSecret: ({ id }, context) =>
      context.write(ruleQueries, async (rows, note) => {
        const row = await mine(id, context, rows)
        if (row.node === 'sub') throw refused('网关子设备不用产品密钥')
        const productSecret = secretOf()
        await rows.keepSecret(row.productKey, productSecret)
        note({ ...about(row, {}), schema: undefined, after: { 产品密钥: '已更换' } })
        return { productKey: row.productKey, productSecret }
      }),
  })

  const records = recordQueries(app.db)
  async function shownPage(query: Parameters<typeof records.page>[0]) {
    const { list, ...count } = await records.page(query)
    return { ...count, list: list.map(shownRecord) }
  }

  serve(app, registrationRecordApi, {
    async page(query, { seesProject }) {
      if (!seesProject(query.projectId)) throw missing('项目')
      return shownPage(query)
    },
    async exportRows(asked, context) {
      if (!context.seesProject(asked.projectId)) throw missing('项目')
      const file = { entity, sheet: recordSheet, page: shownPage }
      return exporter(app, registrationRecordApi.exportRows, file)(asked, context)
    },
    async dropped({ projectId }, { seesProject }) {
      if (!seesProject(projectId)) throw missing('项目')
      return records.dropped(projectId)
    },
    async approve({ id, projectId, name, spaceId, ...read }, context) {
      if (!context.seesProject(projectId)) throw missing('项目')
      await projectMustAllow(app.db, projectId, 'register')
      const { former, ...identity } = await context.write(recordQueries, async (rows, note, tx) => {
        const row = found((await rows.many(projectId, [id]))[0], entity)
        const why = refuseApproval(row) ?? refuseChanged(row, read)
        if (why) throw refused(why)
        const { productKey, deviceName, productId, gatewayId } = row
        const tree = treeOf(await rows.spaces(projectId))
        if (spaceId && !tree.get(spaceId)) throw wrongField('spaceId', '所选位置不存在或已被删除')
        const floorId = tree.path(spaceId).findLast(({ type }) => type === 'floor')?.id ?? null
        const belongs = gatewayId ? { gatewayId } : {}
        const set = { name, spaceId, floorId, ...belongs }
        const decided = { state: 'approved' as const, reason: '', decideBy: context.user.username }
        if (!(await rows.decide(row, decided))) throw refused('这条记录刚被处理过，请刷新')
        if (row.deviceId) {
          await rows.place({ projectId, id: row.deviceId }, set, context.user.username)
        } else {
          // A registration counts against the quota of this project's rule, never against that of another project.
          const rule = await ruleQueries(tx).findRule(productKey, projectId)
          const by = context.user.username
          const made = { ...set, projectId, productId: productId!, deviceName, createBy: by }
          if (!(await enter(tx, rule, made, productKey)))
            throw refused('名额已用完，请先在规则里增加剩余名额')
        }
        note({
          entity,
          id,
          name: deviceName,
          after: { 结果: '通过', 设备名称: name, 网关: row.gatewayName ?? '' },
        })
        if (gatewayId) await rows.contest(row, belongsElsewhere)
        const former = gatewayId && row.ownerId !== gatewayId ? row.ownerId : null
        return { productKey, deviceName, former }
      })
      await app.devices.forget([identity], true)
      if (former) await app.devices.notify([identity], 'unbound', former)
      await app.devices.notify([identity], 'bound')
      return null
    },
    async reject({ ids, projectId, reason }, context) {
      if (!context.seesProject(projectId)) throw missing('项目')
      return context.write(recordQueries, async (rows, note) => {
        const list = (await rows.held(projectId, ids)).map(named)
        const refusal = ({ state }: (typeof list)[number]) =>
          (state === 'done' || state === 'approved') && '已经注册，不能拒绝'
        return perRow(ids, list, refusal, async (free) => {
          const said = reason ? `已被拒绝：${reason}` : '已被拒绝'
          await rows.refuse(projectId, idsOf(free), said, context.user.username)
          for (const { id, name } of free) note({ entity, id, name, after: { 结果: said } })
        })
      })
    },
    async removeMany({ ids, projectId }, context) {
      if (!context.seesProject(projectId)) throw missing('项目')
      return context.write(recordQueries, async (rows, note) => {
        const list = (await rows.many(projectId, ids)).map(named)
        const gone = (free: typeof list) => rows.remove(projectId, idsOf(free))
        return perRow(
          ids,
          list,
          () => undefined,
          async (free) => {
            await gone(free)
            for (const { id, name } of free) note({ entity, id, name, before: { 序列号: name } })
          },
        )
      })
    },
  })
}

type Made = RuleRow & { made: ProductSecret | null }

type Rows = ReturnType<typeof ruleQueries>
type Known = {
  products: Awaited<ReturnType<Rows['products']>>
  projects: Awaited<ReturnType<Rows['projects']>>
}

/** Resolves the names of a file row to ids. */
function draftOf(
  { name, productKey, projectName, ...line }: RuleLine,
  { products, projects }: Known,
  context: Context,
): RuleDraft {
  if (!name && !productKey) throw wrongField('name', '请填写产品或 ProductKey')
  const { product, why } = productNamed(products, productKey || name)
  if (!product) throw wrongField(productKey ? 'productKey' : 'name', why)
  const { project, why: whyNot } = projectNamed(projects, projectName, context)
  if (!project) throw wrongField('projectName', whyNot)
  return { ...line, productId: product.id, projectId: project.id }
}

type RecordRow = Awaited<ReturnType<ReturnType<typeof recordQueries>['many']>>[number]

const named = (row: RecordRow) => ({ ...row, name: row.deviceName })

function refuseApproval(row: RecordRow) {
  if (!row.productId) return '产品已被删除'
  if (row.state === 'done' || row.state === 'approved') return '已经注册，不用审批'
  if (row.deviceProject !== null && row.deviceProject !== row.projectId)
    return '这个序列号已登记在另一个项目'
  if (row.deviceId && !row.gatewayId) return '这台设备已经登记，不用审批'
  if (!row.deviceId && row.productStatus === 'disabled') return productClosed
  if (row.gatewayId && row.gatewayName === null) return '网关已被删除'
  return undefined
}

/** An approval requires that the state and the current gateway of the device are still those that the user saw. */
function refuseChanged(
  row: RecordRow,
  read: { state: RegistrationState; ownerId?: string | null },
) {
  const isSame =
    row.state === read.state && (read.ownerId === undefined || row.ownerId === read.ownerId)
  if (isSame) return undefined
  const because = row.reason ? `：${row.reason}` : ''
  return `这条记录现在是“${registrationStateText[row.state]}”${because}，请刷新后看过再通过`
}

function shownRecord(row: RecordRow): RegistrationRecord {
  const { productName, productStatus: _, gatewayName, ownerName, ...other } = row
  const { deviceId, deviceTitle, spaceId, payload, ...rest } = other
  return {
    ...rest,
    productName: productName ?? '',
    gatewayName: gatewayName ?? '',
    payload: payload ?? null,
    device: deviceId
      ? { name: deviceTitle!, spaceId, gatewayId: row.ownerId, gatewayName: ownerName ?? '' }
      : null,
  }
}
