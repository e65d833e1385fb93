import type { APIRequestContext, Locator, Page } from '@playwright/test'

/** Returns a name that no other test or earlier run has used. */
export const createUniqueName = (prefix: string) =>
  `${prefix}${Date.now().toString(36)}${Math.random().toString(36).slice(2, 5)}`

/** Returns a manufacturer as the server accepts it. */
export function createManufacturerDraft(change: Record<string, string> = {}) {
  const code = change.code ?? createUniqueName('e2e')
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

export const getDialog = (page: Page) => page.getByRole('dialog')
export const getField = (page: Page, label: string) =>
  getDialog(page).getByLabel(label, { exact: true })
/** Finds the error text of a field; its placeholder may have the same text. */
export const getFieldError = (page: Page, text: string) =>
  getDialog(page).locator('.ant-form-item-explain-error').getByText(text)
export async function saveDialog(page: Page) {
  await getDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  await getDialog(page).waitFor({ state: 'hidden' })
}

/** Opens the list of the user's tasks. */
export async function openTasks(page: Page) {
  await page.getByRole('button', { name: /^任务/ }).click()
  return page.getByRole('tooltip').filter({ hasText: '我的任务' })
}
/** Exports a list and returns the file, which is downloaded at once or, if it takes longer, from the task list. */
export async function exportList(
  page: Page,
  format: 'xlsx' | 'csv',
  container: Page | Locator = page,
) {
  await container.getByRole('button', { name: /^导\s?出$/ }).click()
  const download = page.waitForEvent('download')
  const lateNotice = page.getByText('正在导出，完成后在右上角“任务”里下载')
  await page.getByRole('menuitem', { name: `导出 .${format}` }).click()
  await Promise.race([download, lateNotice.waitFor().catch(() => {})])
  if (await lateNotice.isVisible()) {
    // A drawer may cover the button in the header, so the click event is dispatched directly.
    const button = page.getByRole('button', { name: /^任务/ })
    await button.dispatchEvent('click')
    const latestExport = page.getByRole('tooltip').getByRole('listitem', { name: /^导出/ }).first()
    await latestExport.getByRole('button', { name: '下载结果' }).dispatchEvent('click')
    await button.dispatchEvent('click')
    await page.getByText('我的任务').waitFor({ state: 'hidden' })
  }
  return download
}
/** Closes the task list, which would stay open on the next screen and cover its buttons. */
export async function closeTasks(page: Page) {
  await page.getByRole('button', { name: /^任务/ }).click()
  await page.getByText('我的任务').waitFor({ state: 'hidden' })
}

/** Returns a function that sends API calls of one user and expects them to succeed. */
export const createSender =
  (api: APIRequestContext) =>
  async <T>(method: 'post' | 'put' | 'get' | 'delete', path: string, data?: object) => {
    const answer = await (await api[method](path, { data })).json()
    if (answer.code !== 0) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer.data as T
  }
