import {
  registrationModeText,
  registrationRecordApi,
  registrationRuleApi,
  RuleDraft,
  RegistrationRuleFileRow,
  type ProductSecret,
  type RegistrationMode,
  registrationStateText,
  type RegistrationRecord,
  type RegistrationState,
} from '@iot/shared/contract/registration'
import { statusText, type Status } from '@iot/shared/contract/fields'
import { createTree } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import {
  requireRow,
  createMissingRefusal,
  createRefusal,
  refusePastExpiry,
  createFieldRefusal,
} from '../../core/refusal'
import { findRow } from '../../core/db/versionedQueries'
import { createChangeDescriber } from '../../core/serve/actionLog'
import type { Context, WriteCallback } from '../../core/serve/context'
import { createBulkHandlers } from '../../core/serve/bulkHandlers'
import { getIds, applyPerRow } from '../../core/serve/applyPerRow'
import { buildChangeFromLine, createUpdateHandlers } from '../../core/serve/updateHandlers'
import { serve } from '../../core/serve/serve'
import { createExportHandler } from '../../core/tasks/export'
import { createImportHandler } from '../../core/tasks/import'
import {
  areAmbiguous,
  insertDevice,
  ownSecretsOnlyText,
  productDisabledText,
  createSecret,
} from '../../device-access/registration/registration'
import { boundElsewhereText } from '../../device-access/topology/topology'
import { registrationRule as table } from '../../tables/registration'
import { resolveProduct } from '../managedDevice/policy'
import { assertProjectAllows, resolveProject } from '../project/policy'
import { recordQueries, ruleQueries, type RuleRow } from './queries'
import { exportColumns, recordSheet, sheet } from './sheet'

const title = '注册规则'
const entity = '注册记录'
const toAuditEntry = createChangeDescriber(title, RuleDraft, {
  mode: (mode) => registrationModeText[mode as RegistrationMode],
  status: (status) => statusText[status as Status],
  approval: (approval) => (approval ? '是' : '否'),
  addresses: (list) => (list as string[]).join('、'),
})

export function registrationModuleRoutes(app: FastifyInstance) {
  const rules = ruleQueries(app.db)
  app.references.add('product', (db, ids) => ruleQueries(db).findUsingProducts(ids))

  async function assertSeesProject(projectId: number, { seesProject }: Context) {
    if (!seesProject(projectId) || !(await rules.hasProject(projectId)))
      throw createFieldRefusal('projectId', '所选项目不存在')
  }

  const canSeeRule = ({ seesProject }: Context, { projectId }: RuleRow) => seesProject(projectId)
  async function getVisibleRule(id: string, context: Context, rows = rules) {
    const row = requireRow(await rows.get(id), title)
    if (!canSeeRule(context, row)) throw createMissingRefusal(title)
    return row
  }

  const {
    insert,
    change: prepareChange,
    update,
  } = createUpdateHandlers(registrationRuleApi, {
    title,
    table,
    queriesOf: ruleQueries,
    about: toAuditEntry,
    async check(draft, rows, before) {
      const productId = before?.productId ?? ('productId' in draft ? draft.productId : '')
      refusePastExpiry(draft.expireTime, before?.expireTime)
      const productRow = await rows.findProduct(productId)
      if (!productRow) throw createFieldRefusal('productId', '所选产品不存在或已被删除')
      const otherRules = (await rows.findRulesByProduct(productId)).filter(
        ({ id }) => id !== before?.id,
      )
      if (otherRules.some(({ projectId }) => projectId === draft.projectId))
        throw createFieldRefusal('projectId', '这个产品在该项目已有注册规则')
      const conflictingRule = otherRules.find((other) => areAmbiguous(draft, other))
      if (conflictingRule)
        throw createFieldRefusal(
          'addresses',
          `项目“${conflictingRule.projectName}”的免预注册规则也适用于这些地址，设备来时分不清归哪个项目`,
        )
      if ((productRow.node === 'sub') !== (draft.mode === 'gateway'))
        throw createFieldRefusal(
          'mode',
          productRow.node === 'sub' ? '网关子设备只能由网关注册' : '只有网关子设备由网关注册',
        )
      if (!before && productRow.node !== 'sub' && productRow.authType === 'deviceSecret')
        throw createFieldRefusal('productId', `${ownSecretsOnlyText}；自注册请用一型一密的产品`)
    },
    answer: (row) => row,
  })

  /** Creates a rule, and a product secret if the product needs one and has none. */
  const prepareCreate =
    (draft: RuleDraft, actor: string): WriteCallback<typeof ruleQueries, CreatedRule> =>
    async (rows, recordAudit, tx) => {
      const row = await insert(draft, actor)(rows, recordAudit, tx)
      if (row.node === 'sub' || row.hasSecret) return { ...row, made: null }
      const productSecret = createSecret()
      await rows.saveSecret(row.productKey, productSecret)
      const { productKey } = row
      return { ...row, hasSecret: true, made: { productKey, productSecret } }
    }

  serve(app, registrationRuleApi, {
    page: (query, { projectScope }) => rules.page(query, projectScope),
    ...createBulkHandlers(app, {
      name: 'registrationRule',
      title,
      queriesOf: ruleQueries,
      about: toAuditEntry,
      sees: canSeeRule,
    }),
    async create(draft, context) {
      await assertSeesProject(draft.projectId, context)
      return context.write(ruleQueries, prepareCreate(draft, context.user.username))
    },
    exportRows: (exportQuery, context) =>
      createExportHandler(app, registrationRuleApi.exportRows, {
        entity: title,
        sheet: exportColumns,
        page: (query: Parameters<typeof rules.exportPage>[0]) =>
          rules.exportPage(query, context.projectScope),
      })(exportQuery, context),
    importRows: createImportHandler(app, registrationRuleApi.importRows, {
      entity: title,
      schema: RegistrationRuleFileRow,
      sheet,
      queriesOf: ruleQueries,
      secrets: { name: '产品密钥', head: ['产品', 'ProductKey', 'ProductSecret'] },
      preload: async (rows) => ({
        products: await rows.listProducts(),
        projects: await rows.listProjects(),
      }),
      create: (line, actor, context, _, lookups) => async (rows, recordAudit, tx) => {
        const draft = resolveDraft(line, lookups, context)
        const { name, made: newSecret } = await prepareCreate(draft, actor)(rows, recordAudit, tx)
        return newSecret && [name, newSecret.productKey, newSecret.productSecret]
      },
      existing: {
        endpoint: registrationRuleApi.update,
        key: ({ name, productKey, projectName }) =>
          JSON.stringify([productKey || name, projectName]),
        async find(line, { rows, tx, preloaded, context }) {
          const { productId, projectId } = resolveDraft(line, preloaded, context)
          const row = await findRow(tx, table, { productId, projectId })
          return row && rows.get(row.id)
        },
        change: (before, line, { preloaded, context }) => {
          const {
            projectId,
            productId: _,
            ...fields
          } = resolveDraft(line as RegistrationRuleFileRow, preloaded, context)
          const updateInput = buildChangeFromLine(registrationRuleApi.update, before, {
            ...fields,
            projectId,
          })
          return prepareChange(updateInput, context.user.username)
        },
      },
    }),
    async update(change, context) {
      await getVisibleRule(change.id, context)
      await assertSeesProject(change.projectId, context)
      return update(change, context)
    },
    renewSecret: ({ id }, context) =>
      context.write(ruleQueries, async (rows, recordAudit) => {
        const row = await getVisibleRule(id, context, rows)
        if (row.node === 'sub') throw createRefusal('网关子设备不用产品密钥')
        const productSecret = createSecret()
        await rows.saveSecret(row.productKey, productSecret)
        recordAudit({ ...toAuditEntry(row, {}), schema: undefined, after: { 产品密钥: '已更换' } })
        return { productKey: row.productKey, productSecret }
      }),
  })

  const records = recordQueries(app.db)
  async function pageRecords(query: Parameters<typeof records.page>[0]) {
    const { list, ...count } = await records.page(query)
    return { ...count, list: list.map(toResponseRecord) }
  }

  serve(app, registrationRecordApi, {
    async page(query, { seesProject }) {
      if (!seesProject(query.projectId)) throw createMissingRefusal('项目')
      return pageRecords(query)
    },
    async exportRows(query, context) {
      if (!context.seesProject(query.projectId)) throw createMissingRefusal('项目')
      const file = { entity, sheet: recordSheet, page: pageRecords }
      return createExportHandler(app, registrationRecordApi.exportRows, file)(query, context)
    },
    async dropped({ projectId }, { seesProject }) {
      if (!seesProject(projectId)) throw createMissingRefusal('项目')
      return records.listDropped(projectId)
    },
    async approve({ id, projectId, name, spaceId, ...reviewedState }, context) {
      if (!context.seesProject(projectId)) throw createMissingRefusal('项目')
      await assertProjectAllows(app.db, projectId, 'register')
      const { former: previousGatewayId, ...identity } = await context.write(
        recordQueries,
        async (rows, recordAudit, tx) => {
          const row = requireRow((await rows.many(projectId, [id]))[0], entity)
          const refusal = getApprovalRefusal(row) ?? getStaleApprovalRefusal(row, reviewedState)
          if (refusal) throw createRefusal(refusal)
          const { productKey, deviceName, productId, gatewayId } = row
          const tree = createTree(await rows.spaces(projectId))
          if (spaceId && !tree.get(spaceId))
            throw createFieldRefusal('spaceId', '所选位置不存在或已被删除')
          const floorId = tree.path(spaceId).findLast(({ type }) => type === 'floor')?.id ?? null
          const gatewayFields = gatewayId ? { gatewayId } : {}
          const deviceFields = { name, spaceId, floorId, ...gatewayFields }
          const decision = {
            state: 'approved' as const,
            reason: '',
            decideBy: context.user.username,
          }
          if (!(await rows.saveDecision(row, decision)))
            throw createRefusal('这条记录刚被处理过，请刷新')
          if (row.deviceId) {
            await rows.assignDevice(
              { projectId, id: row.deviceId },
              deviceFields,
              context.user.username,
            )
          } else {
            // A registration counts against the quota of this project's rule, never against that of another project.
            const rule = await ruleQueries(tx).findRule(productKey, projectId)
            const actor = context.user.username
            const newDevice = {
              ...deviceFields,
              projectId,
              productId: productId!,
              deviceName,
              createBy: actor,
            }
            if (!(await insertDevice(tx, rule, newDevice, productKey)))
              throw createRefusal('名额已用完，请先在规则里增加剩余名额')
          }
          recordAudit({
            entity,
            id,
            name: deviceName,
            after: { 结果: '通过', 设备名称: name, 网关: row.gatewayName ?? '' },
          })
          if (gatewayId) await rows.markConflicts(row, boundElsewhereText)
          const formerGatewayId = gatewayId && row.ownerId !== gatewayId ? row.ownerId : null
          return { productKey, deviceName, former: formerGatewayId }
        },
      )
      await app.devices.forget([identity], true)
      if (previousGatewayId) await app.devices.notify([identity], 'unbound', previousGatewayId)
      await app.devices.notify([identity], 'bound')
      return null
    },
    async reject({ ids, projectId, reason }, context) {
      if (!context.seesProject(projectId)) throw createMissingRefusal('项目')
      return context.write(recordQueries, async (rows, recordAudit) => {
        const list = (await rows.lockRecords(projectId, ids)).map(withName)
        const getRefusal = ({ state }: (typeof list)[number]) =>
          (state === 'done' || state === 'approved') && '已经注册，不能拒绝'
        return applyPerRow(ids, list, getRefusal, async (rejectableRows) => {
          const rejectionReason = reason ? `已被拒绝：${reason}` : '已被拒绝'
          await rows.markRefused(
            projectId,
            getIds(rejectableRows),
            rejectionReason,
            context.user.username,
          )
          for (const { id, name } of rejectableRows)
            recordAudit({ entity, id, name, after: { 结果: rejectionReason } })
        })
      })
    },
    async removeMany({ ids, projectId }, context) {
      if (!context.seesProject(projectId)) throw createMissingRefusal('项目')
      return context.write(recordQueries, async (rows, recordAudit) => {
        const list = (await rows.many(projectId, ids)).map(withName)
        const removeRows = (recordRows: typeof list) => rows.remove(projectId, getIds(recordRows))
        return applyPerRow(
          ids,
          list,
          () => undefined,
          async (removableRows) => {
            await removeRows(removableRows)
            for (const { id, name } of removableRows)
              recordAudit({ entity, id, name, before: { 序列号: name } })
          },
        )
      })
    },
  })
}

type CreatedRule = RuleRow & { made: ProductSecret | null }

type RuleQueries = ReturnType<typeof ruleQueries>
type ImportLookups = {
  products: Awaited<ReturnType<RuleQueries['listProducts']>>
  projects: Awaited<ReturnType<RuleQueries['listProjects']>>
}

/** Resolves the names of a file row to ids. */
function resolveDraft(
  { name, productKey, projectName, ...line }: RegistrationRuleFileRow,
  { products, projects }: ImportLookups,
  context: Context,
): RuleDraft {
  if (!name && !productKey) throw createFieldRefusal('name', '请填写产品或 ProductKey')
  const { product, why } = resolveProduct(products, productKey || name)
  if (!product) throw createFieldRefusal(productKey ? 'productKey' : 'name', why)
  const { project, why: projectReason } = resolveProject(projects, projectName, context)
  if (!project) throw createFieldRefusal('projectName', projectReason)
  return { ...line, productId: product.id, projectId: project.id }
}

type RecordRow = Awaited<ReturnType<ReturnType<typeof recordQueries>['many']>>[number]

const withName = (row: RecordRow) => ({ ...row, name: row.deviceName })

function getApprovalRefusal(row: RecordRow) {
  if (!row.productId) return '产品已被删除'
  if (row.state === 'done' || row.state === 'approved') return '已经注册，不用审批'
  if (row.deviceProject !== null && row.deviceProject !== row.projectId)
    return '这个序列号已登记在另一个项目'
  if (row.deviceId && !row.gatewayId) return '这台设备已经登记，不用审批'
  if (!row.deviceId && row.productStatus === 'disabled') return productDisabledText
  if (row.gatewayId && row.gatewayName === null) return '网关已被删除'
  return undefined
}

/** An approval requires that the state and the current gateway of the device are still those that the user saw. */
function getStaleApprovalRefusal(
  row: RecordRow,
  reviewed: { state: RegistrationState; ownerId?: string | null },
) {
  const isSame =
    row.state === reviewed.state &&
    (reviewed.ownerId === undefined || row.ownerId === reviewed.ownerId)
  if (isSame) return undefined
  const reasonText = row.reason ? `：${row.reason}` : ''
  return `这条记录现在是“${registrationStateText[row.state]}”${reasonText}，请刷新后看过再通过`
}

function toResponseRecord(row: RecordRow): RegistrationRecord {
  const { productName, productStatus: _, gatewayName, ownerName, ...remainingFields } = row
  const { deviceId, deviceTitle, spaceId, payload, ...rest } = remainingFields
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
