import { eq } from 'drizzle-orm'
import { defaultPasswordPolicy } from '@iot/shared/contract/access/passwordPolicy'
import { createInitialPassword, hashPresetPassword } from '../auth/policy/newPassword'
import type { Db } from '../../core/db/db'
import { role } from '../../tables/role'
import { user, userRole } from '../../tables/user'

/**
 * Creates `admin` if there is no user.
 * @throws Error if the preset password breaks the policy
 * @returns the generated password, which is stored nowhere, or undefined if none was generated
 */
export async function seedAdministrator(
  db: Db,
  presetPassword?: string,
): Promise<string | undefined> {
  if ((await db.select({ id: user.id }).from(user).limit(1)).length > 0) return undefined
  const owner = { username: 'admin' }
  const initial =
    presetPassword === undefined
      ? await createInitialPassword(defaultPasswordPolicy, owner)
      : {
          hash: await hashPresetPassword(
            presetPassword,
            defaultPasswordPolicy,
            owner,
            'ADMIN_PASSWORD',
          ),
        }
  const [admin] = await db
    .insert(user)
    .values({
      ...owner,
      usernameKey: 'admin',
      name: '平台管理员',
      phone: '',
      email: '',
      allProjects: true,
      projectIds: [],
      disabled: false,
      builtin: true,
      passwordHash: initial.hash,
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
  return 'password' in initial ? initial.password : undefined
}
