import {
  test as base,
  expect,
  request,
  type APIRequestContext,
  type BrowserContext,
  type Locator,
  type Page,
} from '@playwright/test'

export { expect }
export const address = process.env.E2E_ADDRESS!
export const admin = { username: 'admin', password: process.env.ADMIN_PASSWORD! }

/** The browser's CPU is slowed down by this factor, to find tests that depend on timing. */
const cpuSlowdown = Number(process.env.E2E_SLOW ?? 1)
async function throttleCpu(page: Page) {
  if (cpuSlowdown === 1) return
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
}

/** Signs in over HTTP; `api.post('/v1/…')` then acts as that user. */
export async function signInByApi({ username, password } = admin): Promise<{
  token: string
  api: APIRequestContext
}> {
  const anonymous = await request.newContext({ baseURL: address })
  const credentials = { data: { username, password } }
  const answer = await (await anonymous.post('/v1/auth/login', credentials)).json()
  if (answer.code !== 0) throw new Error(`cannot sign in as ${username}: ${answer.msg}`)
  await anonymous.dispose()
  const { token } = answer.data as { token: string }
  const api = await request.newContext({
    baseURL: address,
    extraHTTPHeaders: { satoken: `Bearer ${token}` },
  })
  return { token, api }
}

/** Creates a user with a seeded role, changes the initial password and signs in. */
export async function createUserAndSignIn(
  roleCode: string,
  api: APIRequestContext,
  projectIds: number[] | 'all' = roleCode === 'platform-admin' ? 'all' : [1],
) {
  const username = `u${Date.now().toString(36)}${Math.floor(Math.random() * 1e4)}`
  const { data: roles } = (await (await api.get('/v1/role/list')).json()) as {
    data: { id: string; code: string }[]
  }
  const roleIds = roles.filter(({ code }) => code === roleCode).map(({ id }) => id)
  // Where several users have one name, the console adds the login name.
  const name = `值班${username}`
  const draft = {
    username,
    name,
    phone: '',
    email: '',
    roleIds,
    projectIds,
    expireTime: null,
  }
  const { data: createdUser } = (await (await api.post('/v1/user', { data: draft })).json()) as {
    data: { password: string }
  }
  const firstSession = await signInByApi({ username, password: createdUser.password })
  await firstSession.api.post('/v1/auth/password', {
    data: { oldPassword: createdUser.password, newPassword: 'Console-2027' },
  })
  const user = { username, password: 'Console-2027' }
  return { ...user, name, ...(await signInByApi(user)) }
}

/** Fills in the login page that is open. */
export const signIn = async (page: Page, { username, password } = admin) => {
  // The password comes first, because only the form has it: the field for the account that the page shows before the
  // form would be replaced while it is filled.
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByLabel('账号').fill(username)
  await page.getByRole('button', { name: '登录' }).click()
}

/** Opens pages as a user who has signed in, through the token that the session keeps in the browser. */
export const storeToken = (page: Page | BrowserContext, token: string) =>
  page.addInitScript((value) => {
    if (!sessionStorage.getItem('e2e')) localStorage.setItem('token', JSON.stringify(value))
    sessionStorage.setItem('e2e', 'kept')
  }, token)

/** Navigates through the history API, as a link does, without reloading the page. */
export const navigateTo = (page: Page, path: string) =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)

/** Navigates like a link; the console is loaded first if it is not open. */
export const visit = (page: Page, path: string) =>
  page.url().startsWith(address) ? navigateTo(page, path) : page.goto(path)

/** Leaves the screen and opens it again, so that it reads from the server; the console is not loaded again. */
export async function reopenScreen(page: Page) {
  const { pathname, search } = new URL(page.url())
  await navigateTo(page, '/404')
  await page.getByText('页面不存在').waitFor()
  await navigateTo(page, pathname + search)
}

/**
 * Changes the theme through the storage, as another tab of the console would, and waits until the page has it: antd and the
 * variables of the page change one after the other, and colours of both themes have no contrast.
 */
export async function setTheme(page: Page, theme: 'light' | 'dark') {
  await page.evaluate((value) => {
    localStorage.setItem('theme', value)
    dispatchEvent(
      new StorageEvent('storage', { key: 'theme', newValue: value, storageArea: localStorage }),
    )
  }, JSON.stringify(theme))
  await expect(page.locator('html')).toHaveCSS('color-scheme', theme)
}

/** Presses 重试. The page retries automatically as well and may succeed first, so a missing button is no error. */
export const clickRetry = (container: Page | Locator) =>
  container
    .getByRole('button', { name: '重试' })
    .click({ timeout: 3000 })
    .catch(() => {})

/**
 * Leaves the screen, so that the next test finds neither it nor typed text; the unsaved-changes prompt does not appear
 * on this way.
 */
async function leaveScreen(page: Page) {
  await navigateTo(page, '/404')
  await page.getByText('页面不存在').waitFor()
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith('draft:')) localStorage.removeItem(key)
  })
}

type Session = { token: string; api: APIRequestContext }

/** Signs in again if other sign-ins of the same user have ended the session, because an account has at most ten. */
async function renewSession(session: Session) {
  const { code } = (await (await session.api.get('/v1/auth/me')).json()) as { code: number }
  if (code !== 0) Object.assign(session, await signInByApi())
  return session
}

/** Adds what the policy of a page refuses from its first byte on, with the source position. */
async function collectViolations(context: BrowserContext, violations: string[]) {
  const mark = 'refused by the policy:'
  context.on('console', (message) => {
    if (message.text().startsWith(mark)) violations.push(message.text())
  })
  await context.addInitScript(
    (prefix) =>
      document.addEventListener(
        'securitypolicyviolation',
        ({ violatedDirective, blockedURI, sample, sourceFile, columnNumber }) =>
          console.debug(
            `${prefix} ${location.pathname}: ${violatedDirective} ${blockedURI} ${sample} ${sourceFile}:${columnNumber}`,
          ),
      ),
    mark,
  )
}

type ReusablePage = {
  page: () => Promise<Page>
  forget: () => Promise<void>
  policyViolations: string[]
}
type Fixtures = {
  operator: Page
  newcomer: Page
  api: APIRequestContext
  policyViolations: string[]
}
type WorkerFixtures = { session: Session; kept: ReusablePage }

/**
 * `operator` is a page signed in as administrator that stays open between tests; navigate with `visit`. `newcomer` is
 * the same in a browser without cache and storage. `api` is the same user over HTTP for preparing rows. A test fails if the
 * policy of these pages refused something that the test has not taken out of `policyViolations`.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  session: [
    async ({}, use) => {
      const session = await signInByApi()
      await use(session)
      await session.api.dispose()
    },
    { scope: 'worker' },
  ],
  kept: [
    async ({ browser, session }, use, { project }) => {
      const { locale, viewport, contextOptions } = project.use
      let currentPage: Page | undefined
      let currentToken: string | undefined
      const forget = async () => {
        await currentPage?.context().close()
        currentPage = undefined
      }
      const policyViolations: string[] = []
      const page = async () => {
        const { token } = await renewSession(session)
        if (currentPage && currentToken === token) return currentPage
        await forget()
        currentToken = token
        const options = { baseURL: address, locale, viewport, ...contextOptions }
        // A new context is needed, because a page's default context cannot open a second page.
        currentPage = await (await browser.newContext(options)).newPage()
        await collectViolations(currentPage.context(), policyViolations)
        await throttleCpu(currentPage)
        await storeToken(currentPage, token)
        return currentPage
      }
      await use({ page, forget, policyViolations })
      await forget()
    },
    { scope: 'worker' },
  ],
  policyViolations: async ({}, use) => {
    const violations: string[] = []
    await use(violations)
    expect(violations).toEqual([])
  },
  context: async ({ context, policyViolations }, use) => {
    await collectViolations(context, policyViolations)
    await use(context)
  },
  page: async ({ page }, use) => {
    await throttleCpu(page)
    await use(page)
    // An event of the last step is sent before the answer to this call.
    if (!page.isClosed()) await page.evaluate(() => {}).catch(() => {})
  },
  api: async ({ session }, use) => use((await renewSession(session)).api),
  operator: async ({ kept: reusablePage, policyViolations }, use, test) => {
    const page = await reusablePage.page()
    await use(page)
    await (test.status === 'passed' ? leaveScreen(page) : reusablePage.forget())
    policyViolations.push(...reusablePage.policyViolations.splice(0))
  },
  newcomer: async ({ page, session }, use) => {
    await storeToken(page, (await renewSession(session)).token)
    await use(page)
  },
})
