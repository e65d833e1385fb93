import { eq } from 'drizzle-orm'
import { generatePassword, hashPassword } from '../auth/policy/password'
import type { Db } from '../../core/db/db'
import { role } from '../../tables/role'
import { user, userRole } from '../../tables/user'

/**
 * Creates `admin` if there is no user.
 * @returns the generated password, which is stored nowhere, or undefined if none was generated
 */
export async function seedAdministrator(
  db: Db,
  presetPassword?: string,
): Promise<string | undefined> {
  if ((await db.select({ id: user.id }).from(user).limit(1)).length > 0) return undefined
  const password = presetPassword ?? generatePassword()
  const [admin] = await db
    .insert(user)
    .values({
      username: 'admin',
      usernameKey: 'admin',
      name: '平台管理员',
      phone: '',
      email: '',
      allProjects: true,
      projectIds: [],
      disabled: false,
      builtin: true,
      passwordHash: await hashPassword(password),
      mustChangePassword: presetPassword === undefined,
      createBy: '系统',
      updateBy: '系统',
    })
    .returning({ id: user.id })
  const [administratorRole] = await db
    .select({ id: role.id })
    .from(role)
    .where(eq(role.everything, true))
  await db.insert(userRole).values({ userId: admin!.id, roleId: administratorRole!.id })
  return presetPassword === undefined ? password : undefined
}
