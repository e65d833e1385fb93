import type { APIRequestContext, Locator, Page } from '@playwright/test'

/** A name no other test and no earlier run has used. */
export const unique = (prefix: string) =>
  `${prefix}${Date.now().toString(36)}${Math.random().toString(36).slice(2, 5)}`

/** A manufacturer as the server takes it. */
export function draft(change: Record<string, string> = {}) {
  const code = change.code ?? unique('e2e')
  return {
    name: `厂商 ${code}`,
    shortName: '',
    code,
    creditCode: '',
    contact: '',
    phone: '',
    email: '',
    areaCode: '440305',
    address: '',
    website: '',
    logo: '',
    remark: '',
    status: 'enabled',
    ...change,
  }
}

export const inDialog = (page: Page) => page.getByRole('dialog')
export const field = (page: Page, label: string) =>
  inDialog(page).getByLabel(label, { exact: true })
/** What is said to be wrong at a field; its placeholder may say the same. */
export const errorAt = (page: Page, text: string) =>
  inDialog(page).locator('.ant-form-item-explain-error').getByText(text)
export async function save(page: Page) {
  await inDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  await inDialog(page).waitFor({ state: 'hidden' })
}

/** What the user's tasks hold. */
export async function openTasks(page: Page) {
  await page.getByRole('button', { name: /^任务/ }).click()
  return page.getByRole('tooltip').filter({ hasText: '我的任务' })
}
/** The file of an export: it comes at once, or is fetched from the tasks where it takes more than a moment. */
export async function exported(page: Page, format: 'xlsx' | 'csv', at: Page | Locator = page) {
  await at.getByRole('button', { name: /^导\s?出$/ }).click()
  const coming = page.waitForEvent('download')
  const isLate = page.getByText('正在导出，完成后在右上角“任务”里下载')
  await page.getByRole('menuitem', { name: `导出 .${format}` }).click()
  await Promise.race([coming, isLate.waitFor().catch(() => {})])
  if (await isLate.isVisible()) {
    // A drawer may lie over the header; the file comes all the same.
    const button = page.getByRole('button', { name: /^任务/ })
    await button.dispatchEvent('click')
    const latest = page.getByRole('tooltip').getByRole('listitem', { name: /^导出/ }).first()
    await latest.getByRole('button', { name: '下载结果' }).dispatchEvent('click')
    await button.dispatchEvent('click')
    await page.getByText('我的任务').waitFor({ state: 'hidden' })
  }
  return coming
}
/** It stays open on whichever screen is gone to, and would cover its buttons. */
export async function closeTasks(page: Page) {
  await page.getByRole('button', { name: /^任务/ }).click()
  await page.getByText('我的任务').waitFor({ state: 'hidden' })
}

/** Calls of one user that must work, to prepare rows. */
export const sender =
  (api: APIRequestContext) =>
  async <T>(way: 'post' | 'put' | 'get' | 'delete', path: string, data?: object) => {
    const answer = await (await api[way](path, { data })).json()
    if (answer.code !== 0) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer.data as T
  }
