/** Every measured platform is started with this administrator password. */
export const password = 'bench-2026'

/** Signs in and returns the token of the new session. */
export async function signIn(origin: string) {
  const answer = await fetch(`${origin}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })
  return ((await answer.json()) as { data: { token: string } }).data.token
}
