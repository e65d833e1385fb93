import type { Db } from '../../../core/db/db'
import { wrongField, type Refusal } from '../../../core/refusal'
import type { Context } from '../../../core/serve/context'
import { loginGuard } from '../loginGuard'
import { authQueries } from '../queries'
import { checkPassword } from './password'

/**
 * Checks a secret of the signed-in user. Failures count together with those of the login, and a success clears none,
 * so that a stolen session gives no extra guesses.
 * @throws the refusal, or a lock after too many failures
 */
export async function mustKnow(
  db: Db,
  { user, address }: Context,
  refuse: () => Promise<Refusal | undefined>,
) {
  const guard = loginGuard(authQueries(db), user.username, address)
  await guard.admit()
  const attempt = await guard.reserve()
  const refusal = await refuse()
  if (!refusal) return attempt.undo()
  attempt.failed()
  throw refusal
}

export async function knowsPassword(db: Db, { user }: Context, password: string) {
  const row = await authQueries(db).userById(user.id)
  return !!row && checkPassword(password, row.passwordHash)
}

export const mustKnowPassword = (db: Db, context: Context, field: string, password: string) =>
  mustKnow(db, context, async () =>
    (await knowsPassword(db, context, password))
      ? undefined
      : wrongField(field, field === 'oldPassword' ? '原密码不正确' : '密码不正确'),
  )
