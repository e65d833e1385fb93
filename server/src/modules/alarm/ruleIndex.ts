import type { AlarmRule } from '@iot/shared/contract/alarm/alarmRule.schema'
import type { DataType, ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { createHash } from 'node:crypto'
import { createTree } from '@iot/shared/contract/tree'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { alarmRule } from '../../tables/alarm'
import { product } from '../../tables/device'
import { getGroupMembers, listProjectSpaces } from '../deviceGroup/policy'
import { findSourceProblem } from './ruleSource'
import { judgeOffline, judgeThreshold, type ObservedDevice, type Signal } from './conditions'

export type RuleRow = typeof alarmRule.$inferSelect
type ProductNode = typeof product.$inferSelect.node
/** These fields decide if a device is in the scope of a rule. */
export type ScopedDevice = {
  id: string
  projectId: number
  productId: string
  spaceId: string | null
}
export type CompiledRule = RuleRow & {
  /** Changes whenever the condition or its scope changes, but not with name, severity or text. */
  fingerprint: string
  covers: (device: ScopedDevice) => boolean
  judge: (device: ObservedDevice) => Signal
  model?: ThingModel
  /** Why the condition can never be met with the model of the product as it is now; it covers nothing then. */
  brokenReason: string
}

/** A rule with the same fingerprint keeps its running durations. */
export const getFingerprint = ({
  projectId,
  spaceId,
  groupId,
  productId,
  source,
}: Pick<RuleRow, 'spaceId' | 'groupId' | 'productId'> & {
  projectId: number
  source: AlarmRule['source']
}) => JSON.stringify([projectId, spaceId, groupId, productId, source])

const ruleIndexQueries = (db: Db) => ({
  /** Changes with every saved, added or removed rule; one short statement, because every process asks each second. */
  async readVersion() {
    const { rows } = await db.execute<{ version: string | null }>(
      sql`select md5(string_agg(id::text || version::text, ',' order by id)) as version from alarm_rule`,
    )
    return rows[0]!.version ?? ''
  },
  listEnabled: () => db.select().from(alarmRule).where(eq(alarmRule.status, 'enabled')),
  listNodes: () => db.select({ id: product.id, node: product.node }).from(product),
  listModels: (ids: string[]) =>
    db
      .select({ id: product.id, model: product.model })
      .from(product)
      .where(inArray(product.id, ids)),
})

/** A scope with other places or other members is another one, although its rule is the same. */
const hashIds = (ids: ReadonlySet<string> | undefined) =>
  ids &&
  createHash('sha256')
    .update([...ids].sort().join())
    .digest('base64')

type CompileFacts = {
  nodes: ReadonlyMap<string, ProductNode>
  models: ReadonlyMap<string, ThingModel>
  spaceIds?: ReadonlySet<string>
  memberIds?: ReadonlySet<string>
}

function compileRule(
  rule: RuleRow,
  { nodes, models, spaceIds, memberIds }: CompileFacts,
): CompiledRule {
  const { source, projectId, productId } = rule
  const model = productId ? models.get(productId) : undefined
  const dataType: DataType | undefined =
    source.kind === 'threshold'
      ? model?.properties.find(({ identifier }) => identifier === source.identifier)?.dataType
      : undefined
  const brokenReason = findSourceProblem(source, model)?.reason ?? ''
  // No device meets the condition of a check, nor one that its product does not know any more.
  const isForDevices = source.kind !== 'check' && !brokenReason
  const target = source.kind === 'offline' ? source.target : 'all'
  return {
    ...rule,
    model,
    brokenReason,
    fingerprint: JSON.stringify([
      getFingerprint(rule),
      brokenReason,
      hashIds(spaceIds),
      hashIds(memberIds),
    ]),
    covers: (device) =>
      isForDevices &&
      (projectId === 0 || device.projectId === projectId) &&
      (productId === null || device.productId === productId) &&
      (!spaceIds || (device.spaceId !== null && spaceIds.has(device.spaceId))) &&
      (!memberIds || memberIds.has(device.id)) &&
      (target === 'all' || (nodes.get(device.productId) === 'gateway') === (target === 'gateway')),
    judge: (device) =>
      source.kind === 'threshold'
        ? judgeThreshold(source, dataType, device)
        : source.kind === 'offline'
          ? judgeOffline(device)
          : 'unknown',
  }
}

/** Reads the enabled rules with what their scopes contain now. */
export const compileRules = async (db: Db) =>
  compileRows(db, await ruleIndexQueries(db).listEnabled())

export type RuleDraftRow = Pick<
  RuleRow,
  'projectId' | 'spaceId' | 'groupId' | 'productId' | 'source' | 'forMinutes' | 'recoverMinutes'
> & { name: string; severity: RuleRow['severity'] }
/** Compiles a rule that is not saved. */
export async function compileDraft(db: Db, draft: RuleDraftRow) {
  const row = {
    ...draft,
    id: '',
    version: 0,
    builtin: false,
    description: '',
    status: 'enabled' as const,
  }
  const author = { createBy: '', createTime: '', updateBy: '', updateTime: '' }
  return (await compileRows(db, [{ ...row, ...author }]))[0]!
}

async function compileRows(db: Db, rows: RuleRow[]): Promise<CompiledRule[]> {
  const queries = ruleIndexQueries(db)
  const nodes = new Map((await queries.listNodes()).map(({ id, node }) => [id, node]))
  const productIds = [...new Set(rows.flatMap(({ productId }) => productId ?? []))]
  const models = new Map(
    productIds.length > 0
      ? (await queries.listModels(productIds)).map(({ id, model }) => [id, model])
      : [],
  )
  const compiledRules: CompiledRule[] = []
  for (const rule of rows) {
    const { projectId, spaceId, groupId } = rule
    const tree = spaceId ? createTree(await listProjectSpaces(db, projectId)) : undefined
    const members = groupId ? await getGroupMembers(db, projectId, [groupId]) : undefined
    compiledRules.push(
      compileRule(rule, {
        nodes,
        models,
        ...(spaceId && tree && { spaceIds: new Set(tree.within(spaceId)) }),
        ...(groupId && { memberIds: members?.get(groupId) ?? new Set<string>() }),
      }),
    )
  }
  return compiledRules
}

/** Holds the compiled rules of this process and looks them up by product. */
export function createRuleIndex(db: Db) {
  const queries = ruleIndexQueries(db)
  let rules: CompiledRule[] = []
  let rulesByProduct = new Map<string, CompiledRule[]>()
  let version: string | undefined
  return {
    /**
     * Reads the rules again if one was changed, or always with `isForced`, because spaces and groups change, too.
     * @returns true if rules were read
     */
    async refresh(isForced = false) {
      const currentVersion = await queries.readVersion()
      if (currentVersion === version && !isForced) return false
      rules = await compileRules(db)
      rulesByProduct = new Map()
      version = currentVersion
      return true
    },
    list: () => rules,
    find: (id: string) => rules.find((rule) => rule.id === id),
    /** Returns the rules that judge states and values of devices of this product. */
    listForProduct(productId: string) {
      let productRules = rulesByProduct.get(productId)
      if (!productRules) {
        productRules = rules.filter(
          (rule) =>
            rule.source.kind !== 'event' &&
            (rule.productId === null || rule.productId === productId),
        )
        rulesByProduct.set(productId, productRules)
      }
      return productRules
    },
  }
}
export type RuleIndex = ReturnType<typeof createRuleIndex>
