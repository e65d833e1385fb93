import { alarmRuleApi } from '@iot/shared/contract/alarm/alarmRule.api'
import {
  AlarmRuleDraft,
  alarmRuleSchemas,
  sourceKindText,
  type AlarmOperator,
  type AlarmSource,
  type PlatformCheck,
} from '@iot/shared/contract/alarm/alarmRule.schema'
import {
  severityRank,
  severityText,
  type AlarmSeverity,
} from '@iot/shared/contract/alarm/alarmSeverity'
import { statusText } from '@iot/shared/contract/fields'
import type { Status } from '@iot/shared/contract/fields.schema'
import { platformOnlyReason } from '@iot/shared/contract/access/ownership'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../core/db/db'
import {
  createConflictRefusal,
  createFieldRefusal,
  createMissingRefusal,
  createRefusal,
  requireRow,
} from '../../core/refusal'
import { createChangeDescriber } from '../../core/http/actionLog'
import { applyPerRow, getIds } from '../../core/http/applyPerRow'
import type { Context } from '../../core/http/context'
import { assertOwnsProjects } from '../../core/http/ownership'
import { serve } from '../../core/http/serve'
import { assertUnique } from '../../core/http/uniqueness'
import { alarmRule as table } from '../../tables/alarm'
import { addIncidentEvents, resolveIncidents } from './incidentWriter'
import { getFingerprint, type RuleRow } from './ruleIndex'
import { previewRule } from './preview'
import { findDraftProblem } from './ruleSource'
import { alarmRuleQueries, toContractRule, toTableRule, type AlarmRuleQueries } from './ruleQueries'

const title = '告警规则'
const toAuditEntry = createChangeDescriber(title, AlarmRuleDraft, {
  severity: (severity) => severityText[severity as AlarmSeverity],
  status: (status) => statusText[status as Status],
  source: (source) => `${sourceKindText[(source as AlarmSource).kind]} ${JSON.stringify(source)}`,
})

/** A rule of a project that the user cannot see is reported as "not found". */
function assertVisible(row: RuleRow | undefined, { seesProject }: Context) {
  if (row && row.projectId !== 0 && !seesProject(row.projectId)) throw createMissingRefusal(title)
  return requireRow(row, title)
}
function assertCanChange(row: RuleRow | undefined, context: Context) {
  const { projectId, name } = assertVisible(row, context)
  assertOwnsProjects(context, projectId === 0 ? [] : [projectId], `告警规则“${name}”`)
  return row!
}

/** These checks find nothing that belongs to a project, so a rule of a project would never report. */
const platformOnlyChecks: PlatformCheck[] = [
  'backup',
  'disk',
  'database',
  'broker',
  'certificate',
  'queue',
]

/** Checks know projects alone, and those of the platform itself belong to none. */
function checkPlatformScope({ projectId, spaceId, groupId, productId, source }: AlarmRuleDraft) {
  if (source.kind !== 'check') return
  const reason = '任务和平台的规则只按项目，不分位置、设备组和产品'
  if (spaceId) throw createFieldRefusal('spaceId', reason)
  if (groupId) throw createFieldRefusal('groupId', reason)
  if (productId) throw createFieldRefusal('productId', reason)
  const isOfPlatform = platformOnlyChecks.includes(source.check)
  if (isOfPlatform && projectId !== null)
    throw createFieldRefusal('projectId', '平台自身的检查不属于任何项目，请选择全部项目')
}

/** Refuses what the contract cannot check: unknown rows, and conditions that can never be met. */
async function checkDraft(rows: AlarmRuleQueries, draft: AlarmRuleDraft, context: Context) {
  const { projectId, spaceId, groupId, productId, source } = draft
  if (projectId === null && context.projectScope !== 'all')
    throw createFieldRefusal('projectId', `全部项目的规则${platformOnlyReason}，请选择项目`)
  if (
    projectId !== null &&
    !(context.seesProject(projectId) && (await rows.projectExists(projectId)))
  )
    throw createFieldRefusal('projectId', '所选项目不存在')
  if (source.kind === 'check') checkPlatformScope(draft)
  if (projectId === null && spaceId) throw createFieldRefusal('spaceId', '选择位置前请先选择项目')
  if (projectId === null && groupId) throw createFieldRefusal('groupId', '选择设备组前请先选择项目')
  if (spaceId && !(await rows.spaceExists(projectId!, spaceId)))
    throw createFieldRefusal('spaceId', '所选位置不存在')
  if (groupId && !(await rows.groupExists(projectId!, groupId)))
    throw createFieldRefusal('groupId', '所选设备组不存在')
  const product = productId ? await rows.findProduct(productId) : undefined
  if (productId && !product) throw createFieldRefusal('productId', '所选产品不存在')
  if (source.kind === 'offline' && product && source.target !== 'all') {
    const isGateway = product.node === 'gateway'
    if (isGateway !== (source.target === 'gateway'))
      throw createFieldRefusal(
        'source.target',
        `所选产品${isGateway ? '是' : '不是'}网关，这个条件永远不会满足`,
      )
  }
  if (source.kind === 'event' && draft.forMinutes > 0)
    throw createFieldRefusal('forMinutes', '事件没有持续时间，请填 0')
  const problem = findDraftProblem(source, product?.model)
  if (problem) throw createFieldRefusal(problem.field, problem.reason)
}

/** Closes the open incidents of rules that no longer apply, in the transaction of that change. */
async function closeIncidents(tx: Db, ruleIds: string[], reason: string, { user }: Context) {
  const rows = alarmRuleQueries(tx)
  await resolveIncidents(tx, await rows.listOpenIncidents(ruleIds), {
    reason,
    user: { id: user.id, name: user.username },
  })
  await rows.removeWaitingStates(ruleIds)
}

/** An open incident tells of what its rule watched when it was opened, so it cannot go on as one of something else. */
function watchesOther(before: AlarmSource, after: AlarmSource) {
  if (before.kind === 'check' && after.kind === 'check') return before.check !== after.check
  if (before.kind === 'event' && after.kind === 'event')
    // A rule for all events goes on to tell of each of them, unless it leaves out a type.
    return (
      (after.identifier !== '' && before.identifier !== after.identifier) ||
      before.types.some((type) => !after.types.includes(type))
    )
  return before.kind === 'threshold' && after.kind === 'threshold'
    ? before.identifier !== after.identifier ||
        getDirection(before.operator) !== getDirection(after.operator)
    : before.kind !== after.kind
}

/** “Too bright” is another problem than “too dark”; the limit itself may change. */
const getDirection = (operator: AlarmOperator) =>
  operator === 'gt' || operator === 'gte'
    ? 'above'
    : operator === 'lt' || operator === 'lte'
      ? 'below'
      : operator

/** Carries a saved change over to running durations and open incidents; name and text concern neither. */
async function applyChange(tx: Db, before: RuleRow, after: RuleRow, context: Context) {
  const rows = alarmRuleQueries(tx)
  if (before.status === 'enabled' && after.status === 'disabled')
    return closeIncidents(tx, [after.id], '规则已禁用', context)
  if (watchesOther(before.source, after.source))
    await closeIncidents(tx, [after.id], '规则改为监视别的内容', context)
  if (getFingerprint(before) !== getFingerprint(after)) await rows.removeWaitingStates([after.id])
  if (before.severity === after.severity) return
  const isRise = severityRank[after.severity] < severityRank[before.severity]
  const incidents = await rows.listOpenIncidents([after.id])
  await rows.setIncidentSeverity(after.id, after.severity, isRise)
  await addIncidentEvents(
    tx,
    incidents.map(({ id, projectId, severity }) => ({
      projectId,
      incidentId: id,
      kind: isRise ? 'raised' : 'noted',
      userId: context.user.id,
      detail: { cause: 'severity', from: severity, to: after.severity },
    })),
  )
}

function registerReferences({ references }: FastifyInstance) {
  references.add('product', (db, ids) => alarmRuleQueries(db).listUsingProducts(ids))
  references.add('space', (db, ids) => alarmRuleQueries(db).listUsingSpaces(ids))
  references.add('deviceGroup', (db, ids) => alarmRuleQueries(db).listUsingGroups(ids))
}

export function alarmRuleRoutes(app: FastifyInstance) {
  const queries = alarmRuleQueries(app.db)
  registerReferences(app)
  const answer = async (rows: AlarmRuleQueries, row: RuleRow) => (await rows.addFacts([row]))[0]!
  const applyAfter = async <T>(result: Promise<T>) => {
    const value = await result
    await app.alarms.applyChanges()
    return value
  }

  serve(app, alarmRuleApi, alarmRuleSchemas, {
    page: (query, { projectScope }) => queries.page(query, projectScope),
    get: async ({ id }, context) => answer(queries, assertVisible(await queries.get(id), context)),
    create: (draft, context) =>
      applyAfter(
        context.write(alarmRuleQueries, async (rows, recordAudit, tx) => {
          await checkDraft(rows, draft, context)
          await assertUnique(tx, table, AlarmRuleDraft, toTableRule(draft))
          const row = await rows.insert(toTableRule(draft), context.user.username)
          recordAudit(toAuditEntry(row, { after: toContractRule(row) }))
          return answer(rows, row)
        }),
      ),
    update: ({ id, version, ...draft }, context) =>
      applyAfter(
        context.write(alarmRuleQueries, async (rows, recordAudit, tx) => {
          const previousRow = assertCanChange(await rows.get(id), context)
          await checkDraft(rows, draft, context)
          await assertUnique(tx, table, AlarmRuleDraft, { ...toTableRule(draft), id })
          const change = { ...toTableRule(draft), id, version }
          const row = await rows.update(change, context.user.username)
          if (!row)
            throw createConflictRefusal(await answer(rows, requireRow(await rows.get(id), title)))
          await applyChange(tx, previousRow, row, context)
          recordAudit(
            toAuditEntry(row, { before: toContractRule(previousRow), after: toContractRule(row) }),
          )
          return answer(rows, row)
        }),
      ),
    remove: ({ id }, context) =>
      applyAfter(
        context.write(alarmRuleQueries, async (rows, recordAudit, tx) => {
          const row = assertCanChange(await rows.get(id), context)
          if (row.builtin) throw createRefusal('内置规则不能删除，可以禁用')
          await closeIncidents(tx, [id], '规则已删除', context)
          await rows.remove([id])
          recordAudit(toAuditEntry(row, { before: toContractRule(row) }))
          return null
        }),
      ),
    setStatus: ({ ids, status }, context) =>
      applyAfter(
        context.write(alarmRuleQueries, async (rows, recordAudit, tx) => {
          const visibleRows = (await rows.many(ids)).filter(
            ({ projectId }) => projectId === 0 || context.seesProject(projectId),
          )
          const getRefusalReason = ({ projectId }: RuleRow) =>
            projectId === 0 &&
            context.projectScope !== 'all' &&
            `全部项目的规则${platformOnlyReason}`
          return applyPerRow(ids, visibleRows, getRefusalReason, async (accepted) => {
            const changedRows = accepted.filter((row) => row.status !== status)
            if (changedRows.length === 0) return new Set<string>()
            await rows.setAll(getIds(changedRows), { status }, context.user.username)
            if (status === 'disabled')
              await closeIncidents(tx, getIds(changedRows), '规则已禁用', context)
            for (const row of changedRows)
              recordAudit(toAuditEntry(row, { before: { status: row.status }, after: { status } }))
            return new Set(getIds(changedRows))
          })
        }),
      ),
    async preview(draft, context) {
      await checkDraft(queries, draft, context)
      return previewRule(app.db, toTableRule(draft), context.projectScope)
    },
    model: async ({ id }) => requireRow(await queries.findProduct(id), '产品').model,
    async log({ id }, context) {
      assertVisible(await queries.get(id), context)
      return queries.listLog(id, context.projectScope)
    },
  })
}
