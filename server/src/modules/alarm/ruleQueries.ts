import type {
  AlarmRule,
  AlarmRuleRow,
  alarmRuleSchemas,
} from '@iot/shared/contract/alarm/alarmRule.schema'
import { describeRule } from '@iot/shared/contract/alarm/alarmText'
import { createTree, formatTreePath } from '@iot/shared/contract/tree'
import { and, desc, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { contains, whereEquals } from '../../core/db/rows'
import { versionedQueries } from '../../core/db/versionedQueries'
import { alarmIncident, alarmRule, alarmRuleLog, alarmState } from '../../tables/alarm'
import { product } from '../../tables/device'
import { deviceGroup } from '../../tables/deviceGroup'
import { project } from '../../tables/project'
import { space } from '../../tables/space'
import type { RuleRow } from './ruleIndex'
import { damagedSource, findSourceProblem, isDamaged } from './ruleSource'

const maxLogLines = 100

/** The project id of a rule for all projects is null in the contract and 0 in the table. */
export const toContractRule = (row: RuleRow): AlarmRule => ({
  ...row,
  projectId: row.projectId || null,
})
export const toTableRule = <D extends { projectId: number | null }>(draft: D) => ({
  ...draft,
  projectId: draft.projectId ?? 0,
})

export const whereRuleVisible = (scope: 'all' | number[]) =>
  scope === 'all' ? undefined : inArray(alarmRule.projectId, [0, ...scope])

/** Reads the names of what rules refer to. */
async function readNames(
  db: Db,
  rules: Pick<AlarmRule, 'projectId' | 'spaceId' | 'groupId' | 'productId'>[],
) {
  const collect = <K extends keyof (typeof rules)[number]>(key: K) => [
    ...new Set(rules.flatMap((rule) => (rule[key] === null ? [] : [rule[key]]))),
  ]
  const projectIds = collect('projectId') as number[]
  const groupIds = collect('groupId') as string[]
  const productIds = collect('productId') as string[]
  const projects =
    projectIds.length > 0
      ? await db
          .select({ id: project.projectId, name: project.name })
          .from(project)
          .where(inArray(project.projectId, projectIds))
      : []
  const hasSpaces = rules.some(({ spaceId }) => spaceId)
  const spaces = hasSpaces
    ? await db
        .select({ id: space.id, parentId: space.parentId, name: space.name })
        .from(space)
        .where(inArray(space.projectId, projectIds))
    : []
  const groups =
    groupIds.length > 0
      ? await db
          .select({ id: deviceGroup.id, name: deviceGroup.name })
          .from(deviceGroup)
          .where(inArray(deviceGroup.id, groupIds))
      : []
  const products =
    productIds.length > 0
      ? await db
          .select({ id: product.id, name: product.name, model: product.model })
          .from(product)
          .where(inArray(product.id, productIds))
      : []
  return {
    projects: new Map(projects.map(({ id, name }) => [id, name])),
    tree: createTree(spaces),
    groups: new Map(groups.map(({ id, name }) => [id, name])),
    products: new Map(products.map((row) => [row.id, row])),
  }
}
const missingText = '（已删除）'

/** Describes rules in sentences with the current names. */
export async function describeRules<
  R extends Pick<
    AlarmRule,
    'projectId' | 'spaceId' | 'groupId' | 'productId' | 'source' | 'severity' | 'forMinutes'
  >,
>(db: Db, rules: R[]): Promise<string[]> {
  const { projects, tree, groups, products } = await readNames(db, rules)
  return rules.map((rule) => {
    if (isDamaged(rule.source)) return '条件已损坏'
    const { projectId, spaceId, groupId, productId } = rule
    const foundProduct = productId ? products.get(productId) : undefined
    return describeRule(rule, {
      ...(projectId !== null && { project: projects.get(projectId) ?? missingText }),
      ...(spaceId && { spacePath: formatTreePath(tree, spaceId) || missingText }),
      ...(groupId && { group: groups.get(groupId) ?? missingText }),
      ...(productId && { product: foundProduct?.name ?? missingText }),
      ...(foundProduct && { model: foundProduct.model }),
    })
  })
}

async function readModels(db: Db, rules: Pick<AlarmRule, 'productId'>[]) {
  const ids = [...new Set(rules.flatMap(({ productId }) => productId ?? []))]
  if (ids.length === 0) return new Map<string, never>()
  const rows = await db
    .select({ id: product.id, model: product.model })
    .from(product)
    .where(inArray(product.id, ids))
  return new Map(rows.map(({ id, model }) => [id, model]))
}

export const alarmRuleQueries = (db: Db) => {
  const rows = versionedQueries(db, alarmRule)
  const listUsing =
    (column: typeof alarmRule.productId | typeof alarmRule.spaceId | typeof alarmRule.groupId) =>
    async (ids: string[]) =>
      db
        .select({
          to: sql<string>`${column}`,
          id: alarmRule.id,
          name: alarmRule.name,
          entity: sql<string>`'告警规则'`,
          projectId: alarmRule.projectId,
        })
        .from(alarmRule)
        .where(inArray(column, ids))
        .orderBy(alarmRule.id)
  return {
    ...rows,
    async page(
      { name, severity, status, projectId, ...query }: z.output<typeof alarmRuleSchemas.page.input>,
      scope: 'all' | number[],
    ) {
      const filter: SQL | undefined = and(
        whereRuleVisible(scope),
        contains(alarmRule.name, name),
        whereEquals(alarmRule.severity, severity),
        whereEquals(alarmRule.status, status),
        whereEquals(alarmRule.projectId, projectId),
      )
      const { list, ...count } = await rows.list(filter, query)
      return { ...count, list: await this.addFacts(list) }
    },
    /** Adds the sentence and the numbers of incidents. */
    async addFacts(list: RuleRow[]): Promise<AlarmRuleRow[]> {
      if (list.length === 0) return []
      const rules = list.map(toContractRule)
      const sentences = await describeRules(db, rules)
      const counts = await db
        .select({
          ruleId: alarmIncident.ruleId,
          openCount: sql<number>`(count(*) filter (where ${alarmIncident.status} <> 'resolved'))::int`,
          recentCount: sql<number>`(count(*) filter (where ${alarmIncident.openedTime} > now() - interval '7 days'))::int`,
        })
        .from(alarmIncident)
        .where(
          and(
            inArray(
              alarmIncident.ruleId,
              list.map(({ id }) => id),
            ),
            sql`(${alarmIncident.status} <> 'resolved' or ${alarmIncident.openedTime} > now() - interval '7 days')`,
          ),
        )
        .groupBy(alarmIncident.ruleId)
      const countsByRule = new Map(counts.map(({ ruleId, ...one }) => [ruleId, one]))
      const models = await readModels(db, rules)
      return rules.map((rule, position) => ({
        ...rule,
        source: isDamaged(rule.source) ? damagedSource : rule.source,
        sentence: sentences[position]!,
        brokenReason:
          findSourceProblem(rule.source, models.get(rule.productId ?? ''))?.reason ?? '',
        openCount: 0,
        recentCount: 0,
        ...countsByRule.get(rule.id),
      }))
    },
    listUsingProducts: listUsing(alarmRule.productId),
    listUsingSpaces: listUsing(alarmRule.spaceId),
    listUsingGroups: listUsing(alarmRule.groupId),
    findProduct: async (productId: string) =>
      (
        await db
          .select({ model: product.model, node: product.node })
          .from(product)
          .where(eq(product.id, productId))
      )[0],
    spaceExists: async (projectId: number, id: string) =>
      (await db.$count(space, and(eq(space.projectId, projectId), eq(space.id, id)))) > 0,
    groupExists: async (projectId: number, id: string) =>
      (await db.$count(
        deviceGroup,
        and(eq(deviceGroup.projectId, projectId), eq(deviceGroup.id, id)),
      )) > 0,
    projectExists: async (projectId: number) =>
      (await db.$count(project, eq(project.projectId, projectId))) > 0,
    listLog: (ruleId: string, scope: 'all' | number[]) =>
      db
        .select({ id: alarmRuleLog.id, time: alarmRuleLog.time, text: alarmRuleLog.text })
        .from(alarmRuleLog)
        .where(
          and(
            eq(alarmRuleLog.ruleId, ruleId),
            scope === 'all' ? undefined : inArray(alarmRuleLog.projectId, scope),
          ),
        )
        .orderBy(desc(alarmRuleLog.time), desc(alarmRuleLog.id))
        .limit(maxLogLines),
    listOpenIncidents: (ruleIds: string[]) =>
      db
        .select({
          id: alarmIncident.id,
          projectId: alarmIncident.projectId,
          severity: alarmIncident.severity,
        })
        .from(alarmIncident)
        .where(
          and(inArray(alarmIncident.ruleId, ruleIds), sql`${alarmIncident.status} <> 'resolved'`),
        ),
    /** Forgets the running durations of rules; open incidents keep their conditions. */
    removeWaitingStates: (ruleIds: string[]) =>
      db
        .delete(alarmState)
        .where(and(inArray(alarmState.ruleId, ruleIds), sql`${alarmState.incidentId} is null`)),
    setIncidentSeverity: (ruleId: string, severity: AlarmRule['severity'], isRise: boolean) =>
      db
        .update(alarmIncident)
        .set({
          severity,
          version: sql`${alarmIncident.version} + 1`,
          ...(isRise && { snoozedUntil: null }),
        })
        .where(and(eq(alarmIncident.ruleId, ruleId), sql`${alarmIncident.status} <> 'resolved'`)),
  }
}
export type AlarmRuleQueries = ReturnType<typeof alarmRuleQueries>
