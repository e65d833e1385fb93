import {
  test as base,
  expect,
  request,
  type APIRequestContext,
  type Locator,
  type Page,
} from '@playwright/test'

export { expect }
export const address = process.env.E2E_ADDRESS!
export const admin = { username: 'admin', password: process.env.ADMIN_PASSWORD! }

/** How many times slower than this machine the browser computes, to find a test that takes time for granted. */
const slow = Number(process.env.E2E_SLOW ?? 1)
async function slowed(page: Page) {
  if (slow === 1) return
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slow })
}

/** Signs in over HTTP. `api.post('/v1/…')` then speaks as that user. */
export async function signedIn({ username, password } = admin): Promise<{
  token: string
  api: APIRequestContext
}> {
  const anonymous = await request.newContext({ baseURL: address })
  const answer = await (
    await anonymous.post('/v1/auth/login', { data: { username, password } })
  ).json()
  if (answer.code !== 0) throw new Error(`cannot sign in as ${username}: ${answer.msg}`)
  await anonymous.dispose()
  const { token } = answer.data as { token: string }
  const api = await request.newContext({
    baseURL: address,
    extraHTTPHeaders: { satoken: `Bearer ${token}` },
  })
  return { token, api }
}

/** A new user with one of the seeded roles, past the first change of password and signed in. */
export async function signedInAs(
  roleCode: string,
  api: APIRequestContext,
  projectIds: number[] | 'all' = roleCode === 'platform-admin' ? 'all' : [1],
) {
  const username = `u${Date.now().toString(36)}${Math.floor(Math.random() * 1e4)}`
  const { data: roles } = (await (await api.get('/v1/role/list')).json()) as {
    data: { id: string; code: string }[]
  }
  const roleIds = roles.filter(({ code }) => code === roleCode).map(({ id }) => id)
  const draft = {
    username,
    name: '值班',
    phone: '',
    email: '',
    roleIds,
    projectIds,
    expireTime: null,
  }
  const { data: made } = (await (await api.post('/v1/user', { data: draft })).json()) as {
    data: { password: string }
  }
  const first = await signedIn({ username, password: made.password })
  await first.api.post('/v1/auth/password', {
    data: { oldPassword: made.password, newPassword: 'Console-2027' },
  })
  const user = { username, password: 'Console-2027' }
  return { ...user, ...(await signedIn(user)) }
}

/** Fills in the login screen that is open. */
export const signIn = async (page: Page, { username, password } = admin) => {
  await page.getByLabel('账号').fill(username)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录' }).click()
}

/** Opens pages as a user who signed in before, by the copy the session keeps in the browser. */
export const keepToken = (page: Page, token: string) =>
  page.addInitScript((value) => {
    if (!sessionStorage.getItem('e2e')) localStorage.setItem('token', JSON.stringify(value))
    sessionStorage.setItem('e2e', 'kept')
  }, token)

/** By the history, as a link does, without loading the page again. */
export const go = (page: Page, path: string) =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)

/** Goes to an address as a link does; where the console is not open yet, it is loaded. */
export const visit = (page: Page, path: string) =>
  page.url().startsWith(address) ? go(page, path) : page.goto(path)

/** Presses 重试 of what tries by itself too, and may have been first: then there is nothing to press, or to wait for. */
export const retry = (within: Page | Locator) =>
  within
    .getByRole('button', { name: '重试' })
    .click({ timeout: 3000 })
    .catch(() => {})

/** So that the next test meets neither the screen this one left nor what it typed; the router asks nobody on this way. */
async function leave(page: Page) {
  await go(page, '/404')
  await page.getByText('页面不存在').waitFor()
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith('draft:')) localStorage.removeItem(key)
  })
}

type Session = { token: string; api: APIRequestContext }

/** Signed in anew where others who signed in as the same user took its place: an account has ten at most. */
async function renewed(session: Session) {
  const { code } = (await (await session.api.get('/v1/auth/me')).json()) as { code: number }
  if (code !== 0) Object.assign(session, await signedIn())
  return session
}

type Kept = { page: () => Promise<Page>; forget: () => Promise<void> }
type Fixtures = { operator: Page; newcomer: Page; api: APIRequestContext }
type WorkerFixtures = { session: Session; kept: Kept }

/**
 * `operator`: a page signed in as the administrator that stays open from test to test; go by `visit`. `newcomer`: the same
 * in a browser that has loaded and stored nothing yet, where a test is about that. `api`: the same user over HTTP, to
 * prepare rows.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  session: [
    async ({}, use) => {
      const session = await signedIn()
      await use(session)
      await session.api.dispose()
    },
    { scope: 'worker' },
  ],
  kept: [
    async ({ browser, session }, use, { project }) => {
      const { locale, viewport, contextOptions } = project.use
      let open: Page | undefined
      let openedWith: string | undefined
      const forget = async () => {
        await open?.context().close()
        open = undefined
      }
      const page = async () => {
        const { token } = await renewed(session)
        if (open && openedWith === token) return open
        await forget()
        openedWith = token
        const options = { baseURL: address, locale, viewport, ...contextOptions }
        // Of a page's own context no second page can be opened.
        open = await (await browser.newContext(options)).newPage()
        await slowed(open)
        await keepToken(open, token)
        return open
      }
      await use({ page, forget })
      await forget()
    },
    { scope: 'worker' },
  ],
  page: async ({ page }, use) => {
    await slowed(page)
    await use(page)
  },
  api: async ({ session }, use) => use((await renewed(session)).api),
  operator: async ({ kept }, use, test) => {
    const page = await kept.page()
    await use(page)
    await (test.status === 'passed' ? leave(page) : kept.forget())
  },
  newcomer: async ({ page, session }, use) => {
    await keepToken(page, (await renewed(session)).token)
    await use(page)
  },
})
