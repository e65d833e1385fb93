import type { Page } from '@playwright/test'

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
export async function save(page: Page) {
  await inDialog(page)
    .getByRole('button', { name: /保\s?存/ })
    .click()
  await inDialog(page).waitFor({ state: 'hidden' })
}
