import type { Db } from '../../../core/db/db'
import { createFieldRefusal, type Refusal } from '../../../core/refusal'
import type { Context } from '../../../core/http/context'
import { createLoginGuard } from '../loginGuard'
import { authQueries } from '../queries'
import { checkPassword } from './password'

/**
 * Checks a secret of the signed-in user. Failures count together with those of the login, and a success clears none,
 * so that a stolen session gives no extra guesses.
 * @throws the refusal, or a lock after too many failures
 */
export async function requireSecret(
  db: Db,
  { user, address }: Context,
  checkSecret: () => Promise<Refusal | undefined>,
) {
  const guard = createLoginGuard(authQueries(db), {
    username: user.username,
    address,
    // A signed-in user is never asked for a captcha.
    captchaAfterFailures: Infinity,
  })
  return guard.inTurn(async () => {
    await guard.admit()
    const attempt = await guard.reserve()
    const refusal = await checkSecret()
    if (!refusal) return attempt.undo()
    attempt.fail()
    throw refusal
  })
}

export async function isCorrectPassword(db: Db, { user }: Context, password: string) {
  const row = await authQueries(db).findUserById(user.id)
  return !!row && checkPassword(password, row.passwordHash)
}

export const requirePassword = (db: Db, context: Context, field: string, password: string) =>
  requireSecret(db, context, async () =>
    (await isCorrectPassword(db, context, password))
      ? undefined
      : createFieldRefusal(field, field === 'oldPassword' ? '原密码不正确' : '密码不正确'),
  )
