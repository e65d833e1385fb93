import { registrationModeText } from '@iot/shared/contract/device/registration'
import {
  RegistrationRuleFileRow,
  RuleDraft,
  type ProductSecret,
  type RegistrationMode,
  type RuleChange,
  registrationRuleSchemas,
} from '@iot/shared/contract/device/registration.schema'
import { registrationRuleApi } from '@iot/shared/contract/device/registration.api'
import { statusText } from '@iot/shared/contract/fields'
import type { Status } from '@iot/shared/contract/fields.schema'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { findRow } from '../../core/db/versionedQueries'
import {
  requireRow,
  createMissingRefusal,
  createRefusal,
  refusePastExpiry,
  createFieldRefusal,
} from '../../core/refusal'
import { createChangeDescriber } from '../../core/http/actionLog'
import { createBulkHandlers } from '../../core/http/bulkHandlers'
import type { Context, WriteCallback } from '../../core/http/context'
import { serve } from '../../core/http/serve'
import { buildChangeFromLine, createUpdateHandlers } from '../../core/http/updateHandlers'
import { createExportHandler } from '../../core/tasks/export'
import { createImportHandler } from '../../core/tasks/import'
import {
  ownSecretsOnlyText,
  productDisabledText,
  createSecret,
} from '../../device-access/registration/registration'
import { areAmbiguous } from '../../device-access/registration/ruleChoice'
import { registrationRule as table } from '../../tables/registration'
import { resolveProduct } from '../device/policy/management'
import { resolveProject } from '../project/policy'
import { ruleQueries, type RuleRow } from './ruleQueries'
import { exportColumns, sheet } from './sheet'

const title = '注册规则'
const toAuditEntry = createChangeDescriber(title, RuleDraft, {
  mode: (mode) => registrationModeText[mode as RegistrationMode],
  status: (status) => statusText[status as Status],
  approval: (approval) => (approval ? '是' : '否'),
  addresses: (list) => (list as string[]).join('、'),
})

const {
  insert,
  change: prepareChange,
  update,
} = createUpdateHandlers(registrationRuleSchemas, {
  title,
  table,
  createQueries: ruleQueries,
  about: toAuditEntry,
  check: assertRuleIsValid,
  answer: (row) => row,
})

export function ruleRoutes(app: FastifyInstance) {
  const rules = ruleQueries(app.db)
  app.references.add('product', (db, ids) => ruleQueries(db).findUsingProducts(ids))

  async function assertSeesProject(projectId: number, { seesProject }: Context) {
    if (!seesProject(projectId) || !(await rules.hasProject(projectId)))
      throw createFieldRefusal('projectId', '所选项目不存在')
  }

  async function getVisibleRule(id: string, context: Context, rows = rules) {
    const row = requireRow(await rows.get(id), title)
    if (!canSeeRule(context, row)) throw createMissingRefusal(title)
    return row
  }

  serve(app, registrationRuleApi, registrationRuleSchemas, {
    page: (query, { projectScope }) => rules.page(query, projectScope),
    ...createBulkHandlers(app, {
      name: 'registrationRule',
      title,
      createQueries: ruleQueries,
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
    importRows: createRuleImportHandler(app),
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
}

const canSeeRule = ({ seesProject }: Context, { projectId }: RuleRow) => seesProject(projectId)

async function assertRuleIsValid(
  draft: RuleDraft | z.output<typeof RuleChange>,
  rows: RuleQueries,
  previousRule?: RuleRow,
) {
  const productId = previousRule?.productId ?? ('productId' in draft ? draft.productId : '')
  refusePastExpiry(draft.expireTime, previousRule?.expireTime)
  const productRow = await rows.findProduct(productId)
  if (!productRow) throw createFieldRefusal('productId', '所选产品不存在或已被删除')
  if (!previousRule && productRow.status === 'disabled')
    throw createFieldRefusal('productId', productDisabledText)
  const otherRules = (await rows.findRulesByProduct(productId)).filter(
    ({ id }) => id !== previousRule?.id,
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
  if (!previousRule && productRow.node !== 'sub' && productRow.authType === 'deviceSecret')
    throw createFieldRefusal('productId', `${ownSecretsOnlyText}；自注册请用一型一密的产品`)
}

type CreatedRule = RuleRow & { made: ProductSecret | null }

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

/** Creates the handler that creates and updates rules from a file. */
const createRuleImportHandler = (app: FastifyInstance) =>
  createImportHandler(app, registrationRuleApi.importRows, {
    entity: title,
    removal: registrationRuleApi.removeMany,
    schema: RegistrationRuleFileRow,
    sheet,
    createQueries: ruleQueries,
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
      key: ({ name, productKey, projectName }) => JSON.stringify([productKey || name, projectName]),
      async find(line, { rows, tx, preloaded, context }) {
        const { productId, projectId } = resolveDraft(line, preloaded, context)
        const row = await findRow(tx, table, { productId, projectId })
        return row && rows.get(row.id)
      },
      change: (previousRule, line, { preloaded, context }) => {
        const {
          projectId,
          productId: _,
          ...fields
        } = resolveDraft(line as RegistrationRuleFileRow, preloaded, context)
        const updateInput = buildChangeFromLine(registrationRuleSchemas.update, previousRule, {
          ...fields,
          projectId,
        })
        return prepareChange(updateInput, context.user.username)
      },
    },
  })

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
