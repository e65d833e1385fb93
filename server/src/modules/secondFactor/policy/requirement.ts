import type { SecurityPolicy } from '@iot/shared/contract/platform/platformSettings.schema'
import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../core/db/db'
import { userRole } from '../../../tables/user'
import { secondFactorQueries } from './queries'

/** Returns true if a role of the user requires a second factor. */
export const hasRoleWithSecondFactor = async (
  db: Db,
  { secondFactorRoleIds }: Pick<SecurityPolicy, 'secondFactorRoleIds'>,
  userId: string,
) =>
  secondFactorRoleIds.length > 0 &&
  (await db.$count(
    userRole,
    and(eq(userRole.userId, userId), inArray(userRole.roleId, secondFactorRoleIds)),
  )) > 0

/** Returns true if the user must enable a second factor and has not done so. */
export const isSecondFactorRequired = async (
  db: Db,
  policy: Pick<SecurityPolicy, 'secondFactorRoleIds'>,
  userId: string,
) =>
  (await hasRoleWithSecondFactor(db, policy, userId)) &&
  !(await secondFactorQueries(db).findActive(userId))
