/** Of the administrator of every platform that is measured. */
export const password = 'bench-2026'

/** Answers the token of a new session. */
export async function signIn(origin: string) {
  const answer = await fetch(`${origin}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })
  return ((await answer.json()) as { data: { token: string } }).data.token
}
