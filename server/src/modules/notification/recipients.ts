import { and, countDistinct, eq, gt, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { now } from '../../tables/columns'
import { user, userRole } from '../../tables/user'

const hasMail = ne(user.email, '')
/** Users with one of the roles who may sign in. */
const hasRoleNow = (roleIds: string[]) =>
  and(
    inArray(userRole.roleId, roleIds),
    eq(user.disabled, false),
    or(isNull(user.expireTime), gt(user.expireTime, now())),
  )

/** Lists the mail addresses of the users with one of the roles who may sign in and may see the project. */
export async function listRoleAddresses(db: Db, roleIds: string[], projectId: number | null) {
  if (roleIds.length === 0) return []
  const rows = await db
    .selectDistinct({ email: user.email })
    .from(user)
    .innerJoin(userRole, eq(userRole.userId, user.id))
    .where(
      and(
        hasRoleNow(roleIds),
        hasMail,
        or(
          eq(user.allProjects, true),
          projectId === null ? undefined : sql`${projectId} = any(${user.projectIds})`,
        ),
      ),
    )
  return rows.map(({ email }) => email)
}

/**
 * Counts the users with one of the roles who may sign in and see at least one of the projects.
 * @param projectIds empty for all projects and the platform
 */
export async function countRoleUsers(
  db: Db,
  roleIds: string[],
  projectIds: number[],
  needsMail: boolean,
) {
  if (roleIds.length === 0) return 0
  const seesProject =
    projectIds.length === 0
      ? undefined
      : or(
          eq(user.allProjects, true),
          sql`${user.projectIds} && (select array_agg(value::int) from jsonb_array_elements_text(${JSON.stringify(projectIds)}::jsonb))`,
        )
  const [row] = await db
    .select({ count: countDistinct(user.id) })
    .from(user)
    .innerJoin(userRole, eq(userRole.userId, user.id))
    .where(and(hasRoleNow(roleIds), needsMail ? hasMail : undefined, seesProject))
  return row!.count
}
