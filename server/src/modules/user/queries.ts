import type { UserChange, UserDraft, userSchemas } from '@iot/shared/contract/access/user.schema'
import { and, arrayOverlaps, eq, exists, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { now } from '../../tables/columns'
import type { Session } from '../../core/http/session'
import type { Db } from '../../core/db/db'
import { readPage } from '../../core/db/page'
import { matchesRevision, contains, buildOrderBy, buildUpdateColumns } from '../../core/db/rows'
import { secondFactorQueries } from '../secondFactor/policy/queries'
import { loginFailure, session } from '../../tables/auth'
import { role } from '../../tables/role'
import { user as table, userRole } from '../../tables/user'
import { whereFailureOfUser } from '../auth/policy/failureKeys'
import { keepFormerPassword } from '../auth/policy/newPassword'
import { whereHoldsPermission } from '../auth/policy/rightGrants'
import { getAssignedProjects } from '../auth/policy/rights'
import { listProjectNames } from '../project/policy'

export type PageQuery = z.output<typeof userSchemas.page.input> & { ids?: string[] }
type StoredUser = typeof table.$inferSelect
type PublicUserColumns = Omit<StoredUser, 'passwordHash' | 'projectIds' | 'allProjects'>

const toAssignment = (projectIds: UserDraft['projectIds']) =>
  projectIds === 'all' ? { allProjects: true, projectIds: [] } : { allProjects: false, projectIds }

const stateExpression = () => sql<'normal' | 'disabled' | 'locked' | 'expired'>`case
  when ${table.disabled} then 'disabled'
  when ${table.expireTime} <= ${now()} then 'expired'
  when ${table.lockedUntil} > ${now()} then 'locked'
  else 'normal' end`
const getSortColumns = () => ({
  id: table.id,
  username: table.username,
  name: table.name,
  phone: table.phone,
  expireTime: table.expireTime,
  lastLoginTime: table.lastLoginTime,
  createTime: table.createTime,
  updateTime: table.updateTime,
  state: stateExpression(),
})

/** User who lists accounts and sees only those of their projects. */
export type Viewer = Pick<Session, 'projectScope' | 'user'>
/** Accounts of other projects only are hidden from the viewer; accounts without a project are visible to all. */
const whereVisibleTo = ({ projectScope, user }: Viewer) =>
  projectScope === 'all'
    ? undefined
    : or(
        eq(table.id, user.id),
        sql`cardinality(${table.projectIds}) = 0`,
        projectScope.length > 0 ? arrayOverlaps(table.projectIds, projectScope) : undefined,
      )

async function addRolesAndState(db: Db, rows: StoredUser[]) {
  const roles = rows.length
    ? await db
        .select({ userId: userRole.userId, id: role.id, name: role.name })
        .from(userRole)
        .innerJoin(role, eq(role.id, userRole.roleId))
        .where(
          inArray(
            userRole.userId,
            rows.map((row) => row.id),
          ),
        )
        .orderBy(role.id)
    : []
  const factors = new Set(await secondFactorQueries(db).listActiveUserIds(rows.map(({ id }) => id)))
  return rows.map(({ passwordHash: _, allProjects, ...row }) => {
    const ownRoles = roles.filter(({ userId }) => userId === row.id)
    return {
      ...row,
      projectIds: getAssignedProjects({ allProjects, projectIds: row.projectIds }),
      secondFactor: factors.has(row.id),
      roleIds: ownRoles.map(({ id }) => id),
      roleNames: ownRoles.map(({ name }) => name),
      state: deriveState(row),
    }
  })
}

/** Finds accounts; those that the viewer may not see are left out. */
const userReadQueries = (db: Db) => ({
  async page(
    { username, name, phone, roleId, state: stateFilter, permission, sort, ...page }: PageQuery,
    viewer: Viewer,
  ) {
    const roleMembership = db
      .select({ one: sql`1` })
      .from(userRole)
      .where(and(eq(userRole.userId, table.id), sql`${userRole.roleId}::text = ${roleId ?? ''}`))
    const where = and(
      whereVisibleTo(viewer),
      page.ids ? inArray(table.id, page.ids) : undefined,
      contains(table.username, username),
      contains(table.name, name),
      contains(table.phone, phone),
      roleId ? exists(roleMembership) : undefined,
      stateFilter ? sql`${stateExpression()} = ${stateFilter}` : undefined,
      permission
        ? and(
            whereHoldsPermission(db, table.id, permission),
            sql`${stateExpression()} not in ('disabled', 'expired')`,
          )
        : undefined,
    )
    const sortOrder = buildOrderBy(getSortColumns(), sort, '-createTime')
    const { list, ...count } = await readPage(db, table, where, page, ({ limit, offset }) =>
      db
        .select()
        .from(table)
        .where(where)
        .orderBy(...sortOrder)
        .limit(limit)
        .offset(offset),
    )
    return { list: await addRolesAndState(db, list), ...count }
  },
  get: async (id: string, viewer: Viewer) =>
    (
      await addRolesAndState(
        db,
        await db
          .select()
          .from(table)
          .where(and(eq(table.id, id), whereVisibleTo(viewer))),
      )
    )[0],
  many: async (ids: string[], viewer: Viewer) =>
    addRolesAndState(
      db,
      await db
        .select()
        .from(table)
        .where(and(inArray(table.id, ids), whereVisibleTo(viewer))),
    ),
  findIdByUsername: async (username: string) =>
    (
      await db
        .select({ id: table.id })
        .from(table)
        .where(eq(table.usernameKey, username.toLowerCase()))
    )[0]?.id,
  isUsernameTaken: async (username: string) =>
    (await db.$count(table, eq(table.usernameKey, username.toLowerCase()))) > 0,
  isPhoneTaken: async (phone: string) =>
    phone !== '' && (await db.$count(table, eq(table.phone, phone))) > 0,
})

const userWriteQueries = (db: Db) => ({
  async insert(
    { roleIds, projectIds, ...draft }: UserDraft,
    passwordHash: string,
    actorName: string,
  ) {
    const [row] = await db
      .insert(table)
      .values({
        ...draft,
        ...toAssignment(projectIds),
        usernameKey: draft.username.toLowerCase(),
        disabled: false,
        builtin: false,
        passwordHash,
        mustChangePassword: true,
        createBy: actorName,
        updateBy: actorName,
      })
      .returning({ id: table.id })
    await this.setRoles(row!.id, roleIds)
    return row!.id
  },
  async update(
    { id, version, roleIds, projectIds, ...change }: z.output<typeof UserChange>,
    actorName: string,
  ) {
    const [row] = await db
      .update(table)
      .set({ ...change, ...toAssignment(projectIds), ...buildUpdateColumns(table, actorName) })
      .where(matchesRevision(table, { id, version }))
      .returning({ id: table.id })
    if (row) await this.setRoles(id, roleIds)
    return row !== undefined
  },
  async setRoles(userId: string, roleIds: string[]) {
    await db.delete(userRole).where(eq(userRole.userId, userId))
    await db.insert(userRole).values(roleIds.map((roleId) => ({ userId, roleId })))
  },
  setDisabled: (ids: string[], isDisabled: boolean, actorName: string) =>
    db
      .update(table)
      .set({ disabled: isDisabled, ...buildUpdateColumns(table, actorName) })
      .where(inArray(table.id, ids)),
  async setPassword(id: string, passwordHash: string, actorName: string) {
    await keepFormerPassword(db, id)
    await db
      .update(table)
      .set({
        passwordHash,
        passwordTime: now(),
        mustChangePassword: true,
        ...buildUpdateColumns(table, actorName),
      })
      .where(eq(table.id, id))
  },
  async unlock({ id, username }: PublicUserColumns, actorName: string) {
    await db
      .update(table)
      .set({ lockedUntil: null, ...buildUpdateColumns(table, actorName) })
      .where(eq(table.id, id))
    await db.delete(loginFailure).where(whereFailureOfUser(username))
  },
  remove: (id: string) => db.delete(table).where(eq(table.id, id)),
})

/** Reads the roles and projects that accounts can be assigned to, and the accounts that are administrators. */
const userAssignmentQueries = (db: Db) => ({
  allRoles: () => db.select({ id: role.id, name: role.name, dataScope: role.dataScope }).from(role),
  projects: () => listProjectNames(db),
  /**
   * Lists administrators who can sign in. The rows stay locked until the transaction ends, so that two administrators
   * cannot remove each other.
   */
  async administrators() {
    await db
      .select({ id: role.id })
      .from(role)
      .where(eq(role.everything, true))
      .for('no key update')
    const rows = await db
      .selectDistinct({ id: table.id })
      .from(table)
      .innerJoin(userRole, eq(userRole.userId, table.id))
      .innerJoin(role, eq(role.id, userRole.roleId))
      .where(
        and(
          eq(role.everything, true),
          eq(table.disabled, false),
          or(isNull(table.expireTime), gt(table.expireTime, now())),
        ),
      )
    return rows.map(({ id }) => id)
  },
})

const userSessionQueries = (db: Db) => ({
  sessions: (userId: string) =>
    db
      .select()
      .from(session)
      .where(and(eq(session.userId, userId), isNull(session.ended), gt(session.expireTime, now())))
      .orderBy(sql`${session.lastSeen} desc`),
  kick: async (userIds: string[]) =>
    (
      await db
        .update(session)
        .set({ ended: 'kicked' })
        .where(
          and(
            inArray(session.userId, userIds),
            isNull(session.ended),
            gt(session.expireTime, now()),
          ),
        )
        .returning({ id: session.id })
    ).length,
})

export const userQueries = (db: Db) => ({
  ...userReadQueries(db),
  ...userWriteQueries(db),
  ...userAssignmentQueries(db),
  ...userSessionQueries(db),
})

function deriveState({ disabled, expireTime, lockedUntil }: PublicUserColumns) {
  if (disabled) return 'disabled' as const
  if (expireTime && Date.parse(expireTime) <= Date.now()) return 'expired' as const
  return lockedUntil && Date.parse(lockedUntil) > Date.now()
    ? ('locked' as const)
    : ('normal' as const)
}
export type UserRow = Awaited<ReturnType<ReturnType<typeof userQueries>['many']>>[number]
