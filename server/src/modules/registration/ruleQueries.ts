import type {
  RuleChange,
  RuleDraft,
  registrationRuleSchemas,
} from '@iot/shared/contract/device/registration.schema'
import type { Status } from '@iot/shared/contract/fields.schema'
import { and, eq, getTableColumns, inArray, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../core/db/db'
import { readPage, type PageQuery } from '../../core/db/page'
import { whereIdIn, contains, whereEquals, buildOrderBy } from '../../core/db/rows'
import { versionedQueries } from '../../core/db/versionedQueries'
import { product } from '../../tables/device'
import { project } from '../../tables/project'
import { productCredential, registrationRule as rule } from '../../tables/registration'
import { listProjectNames } from '../project/policy'

type RulePageInput = z.output<typeof registrationRuleSchemas.page.input>
export type RuleRow = Awaited<ReturnType<ReturnType<typeof ruleQueries>['many']>>[number]

const { enabled: _, ...ruleColumns } = getTableColumns(rule)
const toStoredFields = <T extends { status?: Status }>({ status, ...rest }: T) => ({
  ...rest,
  ...(status && { enabled: status === 'enabled' }),
})
const resultColumns = {
  ...ruleColumns,
  status: sql<Status>`case when ${rule.enabled} then 'enabled' else 'disabled' end`,
  name: product.name,
  productKey: product.productKey,
  node: product.node,
  hasSecret: sql<boolean>`${productCredential.productKey} is not null`,
}

export const ruleQueries = (db: Db) => ({
  ...ruleRowQueries(db),
  ...ruleListQueries(db),
  ...ruleReferenceQueries(db),
  ...productSecretQueries(db),
})

const createRuleSelect = (db: Db) => () =>
  db
    .select(resultColumns)
    .from(rule)
    .innerJoin(product, eq(product.id, rule.productId))
    .leftJoin(productCredential, eq(productCredential.productKey, product.productKey))

const ruleRowQueries = (db: Db) => {
  const rows = versionedQueries(db, rule)
  const selectRules = createRuleSelect(db)
  const many = (ids: string[]) => selectRules().where(inArray(rule.id, ids))
  const get = async (id: string) => (await many([id]))[0]

  return {
    get,
    many,
    insert: async (draft: RuleDraft, actor: string) => {
      const { id } = await rows.insert(
        toStoredFields(draft) as Parameters<typeof rows.insert>[0],
        actor,
      )
      return (await get(id))!
    },
    update: async (change: z.output<typeof RuleChange>, actor: string) => {
      const row = await rows.update(toStoredFields(change), actor)
      return row && get(row.id)
    },
    setAll: (ids: string[], change: { status: Status }, actor: string) =>
      rows.setAll(ids, toStoredFields(change), actor),
    remove: rows.remove,
  }
}

const ruleListQueries = (db: Db) => {
  const selectRules = createRuleSelect(db)
  const listProjects = () => listProjectNames(db)
  async function page(
    { name, mode, status, sort, ...page }: RulePageInput & PageQuery,
    scope: 'all' | number[],
  ) {
    const where = and(
      whereIdIn(rule.id, page.ids),
      scope === 'all' ? undefined : inArray(rule.projectId, scope),
      name
        ? inArray(
            rule.productId,
            db
              .select({ id: product.id })
              .from(product)
              .where(or(contains(product.name, name), contains(product.productKey, name))),
          )
        : undefined,
      whereEquals(rule.mode, mode),
      status && eq(rule.enabled, status === 'enabled'),
    )
    const sortOrder = buildOrderBy(resultColumns, sort, '-createTime')
    return readPage(db, rule, where, page, ({ limit, offset }) =>
      selectRules()
        .where(where)
        .orderBy(...sortOrder)
        .limit(limit)
        .offset(offset),
    )
  }

  return {
    page,
    listProjects,
    /** Lists rules for an export, with the names of their projects. */
    async exportPage(query: RulePageInput, scope: 'all' | number[]) {
      const { list, ...count } = await page(query, scope)
      const projectNames = await listProjects()
      const formatProjectName = (projectId: number) => {
        const namedProject = projectNames.find(({ id }) => id === projectId)
        return namedProject ? `${namedProject.groupName}/${namedProject.name}` : ''
      }
      return {
        ...count,
        list: list.map((row) => ({ ...row, projectName: formatProjectName(row.projectId) })),
      }
    },
  }
}

/** Queries for the products and projects of rules. */
const ruleReferenceQueries = (db: Db) => ({
  listProducts: () =>
    db.select({ id: product.id, name: product.name, productKey: product.productKey }).from(product),
  findProduct: async (id: string) =>
    (
      await db
        .select({
          node: product.node,
          productKey: product.productKey,
          status: product.status,
          authType: product.authType,
        })
        .from(product)
        .where(eq(product.id, id))
    )[0],
  hasProject: async (projectId: number) =>
    (await db.$count(project, eq(project.projectId, projectId))) > 0,
  /** Adds the names of the projects. */
  findRulesByProduct: (productId: string) =>
    db
      .select({ ...getTableColumns(rule), projectName: project.name })
      .from(rule)
      .leftJoin(project, eq(project.projectId, rule.projectId))
      .where(eq(rule.productId, productId)),
  findRule: async (productKey: string, projectId: number) =>
    (
      await db
        .select(getTableColumns(rule))
        .from(rule)
        .innerJoin(product, eq(product.id, rule.productId))
        .where(and(eq(product.productKey, productKey), eq(rule.projectId, projectId)))
    )[0],
  /** Lists the rules of each product, which keep the product from being deleted. */
  findUsingProducts: (ids: string[]) =>
    db
      .select({
        to: rule.productId,
        entity: sql<string>`'注册规则'`,
        id: rule.id,
        name: product.name,
        projectId: rule.projectId,
      })
      .from(rule)
      .innerJoin(product, eq(product.id, rule.productId))
      .where(inArray(rule.productId, ids)),
})

const productSecretQueries = (db: Db) => ({
  hasSecret: async (productKey: string) =>
    (await db.$count(productCredential, eq(productCredential.productKey, productKey))) > 0,
  saveSecret: (productKey: string, productSecret: string) =>
    db
      .insert(productCredential)
      .values({ productKey, productSecret })
      .onConflictDoUpdate({ target: productCredential.productKey, set: { productSecret } }),
})
