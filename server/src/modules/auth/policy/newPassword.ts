import { listPasswordRules, passwordLimits } from '@iot/shared/contract/access/passwordPolicy'
import type { PasswordPolicy } from '@iot/shared/contract/access/passwordPolicy.schema'
import { dayMs } from '@iot/shared/contract/duration'
import { desc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../core/db/db'
import { createFieldRefusal } from '../../../core/refusal'
import { passwordHistory, user } from '../../../tables/user'
import { isCommonPassword } from './commonPasswords'
import { checkPassword, generatePassword, hashPassword } from './password'

type Cost = Parameters<typeof hashPassword>[1]
type Owner = { username: string }
type StoredOwner = Owner & { id: string; passwordHash: string }

/** Returns why the policy refuses this password for its owner, or undefined if it fits. */
export async function findPasswordRefusal(
  password: string,
  policy: PasswordPolicy,
  owner: Owner,
): Promise<string | undefined> {
  const brokenRule = listPasswordRules(policy, owner).find(({ fits }) => !fits(password))
  if (brokenRule) return brokenRule.refusal
  return (await isCommonPassword(password)) ? '这是常见密码，容易被猜中，请换一个' : undefined
}

/** Returns why the owner may not choose a password that they had before. */
async function findReuseRefusal(
  db: Db,
  password: string,
  { history }: PasswordPolicy,
  { id, passwordHash }: StoredOwner,
) {
  if (await checkPassword(password, passwordHash)) return '新密码不能与原密码相同'
  if (history <= 1) return undefined
  const formerPasswords = await db
    .select({ hash: passwordHistory.passwordHash })
    .from(passwordHistory)
    .where(eq(passwordHistory.userId, id))
    .orderBy(desc(passwordHistory.createTime), desc(passwordHistory.id))
    .limit(history - 1)
  for (const { hash } of formerPasswords)
    if (await checkPassword(password, hash)) return `不能与最近用过的 ${history} 个密码相同`
  return undefined
}

/**
 * Checks a password that a person chose and hashes it. Every password of a user comes from here or from
 * `createInitialPassword`.
 * @param field name of the field at which a refusal is shown
 * @throws Refusal if the password breaks the policy
 */
export async function hashChosenPassword(
  db: Db,
  password: string,
  policy: PasswordPolicy,
  { owner, field }: { owner: StoredOwner; field: string },
) {
  const refusal =
    (await findPasswordRefusal(password, policy, owner)) ??
    (await findReuseRefusal(db, password, policy, owner))
  if (refusal) throw createFieldRefusal(field, refusal)
  return hashPassword(password)
}

/**
 * Hashes the preset password of the first administrator.
 * @throws Error that names the setting
 */
export async function hashPresetPassword(
  password: string,
  policy: PasswordPolicy,
  owner: Owner,
  setting: string,
) {
  const refusal = await findPasswordRefusal(password, policy, owner)
  if (refusal) throw new Error(`${setting}：${refusal}`)
  return hashPassword(password)
}

/** Generates a password that fits the policy; the user must change it at the first sign-in. */
export async function createInitialPassword(policy: PasswordPolicy, owner: Owner, cost?: Cost) {
  let password = generatePassword(policy.minLength)
  while (await findPasswordRefusal(password, policy, owner))
    password = generatePassword(policy.minLength)
  return { password, hash: await hashPassword(password, cost) }
}

/**
 * Stores the current hash of a user before it is replaced, so that the password can be refused later. A generated
 * password is not stored, because no user chose it.
 */
export async function keepFormerPassword(tx: Db, userId: string) {
  const [row] = await tx
    .select({ hash: user.passwordHash, isGenerated: user.mustChangePassword })
    .from(user)
    .where(eq(user.id, userId))
  if (!row || row.isGenerated) return
  await tx.insert(passwordHistory).values({ userId, passwordHash: row.hash })
  const surplusRows = await tx
    .select({ id: passwordHistory.id })
    .from(passwordHistory)
    .where(eq(passwordHistory.userId, userId))
    .orderBy(desc(passwordHistory.createTime), desc(passwordHistory.id))
    .offset(passwordLimits.history.max)
  if (surplusRows.length > 0)
    await tx.delete(passwordHistory).where(
      inArray(
        passwordHistory.id,
        surplusRows.map(({ id }) => id),
      ),
    )
}

/** Returns why a password that was just accepted must be changed now, or null. */
export async function findPasswordDue(
  password: string,
  { maxAgeDays }: PasswordPolicy,
  { passwordTime }: { passwordTime: string },
): Promise<'expired' | 'common' | null> {
  if (maxAgeDays > 0 && Date.now() - Date.parse(passwordTime) >= maxAgeDays * dayMs)
    return 'expired'
  return (await isCommonPassword(password)) ? 'common' : null
}
