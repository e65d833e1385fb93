import type { Page, Route } from '@playwright/test'
import { menuRecords } from '@iot/shared/screens/all'
import { join } from 'node:path'

/** The variable `PICTURES=<folder>` makes tests save screenshots, for a review or a comparison with another build. */
const folder = process.env.PICTURES

const sizes = [
  { width: 1280, height: 800 },
  // This is a width of 1280 at a zoom of 150 %.
  { width: 853, height: 533 },
  { width: 390, height: 844 },
]

export async function takeScreenshot(page: Page, screenName: string, theme: string) {
  const originalSize = page.viewportSize()
  if (!folder || !originalSize) return
  const name = screenName.replace(/[^\p{L}\p{N}]+/gu, '-')
  for (const size of sizes) {
    await page.setViewportSize(size)
    // Tables and charts measure themselves again after a resize.
    await page.waitForTimeout(400)
    await page.screenshot({ path: join(folder, `${name}-${size.width}-${theme}.png`) })
  }
  await page.setViewportSize(originalSize)
}

type ApiAnswer = { data?: { list?: unknown[]; user?: { permissions: string[] } } | unknown[] }

const readPermissions = menuRecords
  .map(({ permission }) => permission)
  .filter((right) => /:(list|query|view)$/.test(right))

const createAnswerEditor = (editAnswer: (answer: ApiAnswer) => void) => async (route: Route) => {
  const response = await route.fetch()
  const answer = (await response.json()) as ApiAnswer
  editAnswer(answer)
  return route.fulfill({ response, json: answer })
}

const states: Record<string, { calls: RegExp; answer: (route: Route) => unknown }> = {
  loading: { calls: /\/v1\/(?!auth|heartbeat|live)/, answer: () => {} },
  failed: {
    calls: /\/v1\/(?!auth|heartbeat|live)/,
    answer: (route) => route.fulfill({ status: 502, contentType: 'text/plain', body: '' }),
  },
  empty: {
    calls: /\/v1\/(?!auth|menu|heartbeat|live|dict)/,
    answer: createAnswerEditor((answer) => {
      if (Array.isArray(answer.data)) answer.data = []
      else if (answer.data?.list) Object.assign(answer.data, { list: [], total: 0 })
    }),
  },
  'read only': {
    calls: /\/v1\/auth\/me$/,
    answer: createAnswerEditor(({ data }) => {
      if (data && 'user' in data) data.user!.permissions = readPermissions
    }),
  },
}

/** Takes screenshots of a screen while it loads, without rows, after a failed read, and with read permission only. */
export async function takeStateScreenshots(page: Page, path: string, screenName: string) {
  if (!folder) return
  await page.evaluate(() => localStorage.setItem('theme', '"light"'))
  for (const [state, { calls, answer }] of Object.entries(states)) {
    await page.route(calls, answer)
    await page.goto(path)
    await page.waitForTimeout(3000)
    await takeScreenshot(page, `${screenName} ${state}`, 'light')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }
  await page.goto(path)
}
