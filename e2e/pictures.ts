import type { Page, Route } from '@playwright/test'
import { menu } from '@iot/shared/screens/all'
import { join } from 'node:path'

/** The variable `PICTURES=<folder>` makes tests save screenshots, for a review or a comparison with another build. */
const folder = process.env.PICTURES

const sizes = [
  { width: 1280, height: 800 },
  // This is a width of 1280 at a zoom of 150 %.
  { width: 853, height: 533 },
  { width: 390, height: 844 },
]

export async function picture(page: Page, what: string, theme: string) {
  const was = page.viewportSize()
  if (!folder || !was) return
  const name = what.replace(/[^\p{L}\p{N}]+/gu, '-')
  for (const size of sizes) {
    await page.setViewportSize(size)
    // Tables and charts measure themselves again after a resize.
    await page.waitForTimeout(400)
    await page.screenshot({ path: join(folder, `${name}-${size.width}-${theme}.png`) })
  }
  await page.setViewportSize(was)
}

type Answer = { data?: { list?: unknown[]; user?: { permissions: string[] } } | unknown[] }

const reading = menu
  .map(({ permission }) => permission)
  .filter((right) => /:(list|query|view)$/.test(right))

const changed = (change: (answer: Answer) => void) => async (route: Route) => {
  const response = await route.fetch()
  const answer = (await response.json()) as Answer
  change(answer)
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
    answer: changed((answer) => {
      if (Array.isArray(answer.data)) answer.data = []
      else if (answer.data?.list) Object.assign(answer.data, { list: [], total: 0 })
    }),
  },
  'read only': {
    calls: /\/v1\/auth\/me$/,
    answer: changed(({ data }) => {
      if (data && 'user' in data) data.user!.permissions = reading
    }),
  },
}

/** Takes screenshots of a screen while it loads, without rows, after a failed read, and with read permission only. */
export async function picturesOfStates(page: Page, path: string, what: string) {
  if (!folder) return
  for (const [state, { calls, answer }] of Object.entries(states)) {
    await page.route(calls, answer)
    await page.goto(path)
    await page.waitForTimeout(3000)
    await picture(page, `${what} ${state}`, 'light')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }
  await page.goto(path)
}
