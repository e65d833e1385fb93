import { and, eq, gt, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { now } from '../../tables/columns'
import { user, userRole } from '../../tables/user'

/** Lists the mail addresses of the users with one of the roles who may sign in and may see the project. */
export async function listRoleAddresses(db: Db, roleIds: string[], projectId: number | null) {
  if (roleIds.length === 0) return []
  const rows = await db
    .selectDistinct({ email: user.email })
    .from(user)
    .innerJoin(userRole, eq(userRole.userId, user.id))
    .where(
      and(
        inArray(userRole.roleId, roleIds),
        eq(user.disabled, false),
        or(isNull(user.expireTime), gt(user.expireTime, now())),
        ne(user.email, ''),
        or(
          eq(user.allProjects, true),
          projectId === null ? undefined : sql`${projectId} = any(${user.projectIds})`,
        ),
      ),
    )
  return rows.map(({ email }) => email)
}
