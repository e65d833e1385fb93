import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import Fastify from 'fastify'
import { faultProxy } from '../../scripts/faults'
import { Site } from '../../server/src/site/releases'
import type { Keys } from '../../server/src/site/signature'
import { site as serveSite } from '../../server/src/site/site'
import { address, expect, go } from '../fixtures'
import { built, type Name } from './builds'

export const names: Name[] = ['host', 'deviceAccess', 'system', 'enterprise']

/** Each remote has an address, a visible text and a display name. */
export const screens = {
  deviceAccess: { path: '/deviceAccess/config/manufacturer', text: '新建厂商', title: '设备接入' },
  system: { path: '/system/menu', text: '新建菜单', title: '系统管理' },
  enterprise: { path: '/enterprise/user', text: '新建用户', title: '企业管理' },
} as const
export type Remote = keyof typeof screens
export const remotes = Object.keys(screens) as Remote[]

type Options = { loadDeadline?: number; pollSeconds?: number; dists?: string[]; keys?: Keys }

/** Serves the real builds on a site of its own, as the product does; API calls go to the platform under test. */
export async function openConsole({
  loadDeadline = 4000,
  pollSeconds = 1,
  dists,
  keys,
}: Options = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'site-'))
  const site = new Site(folder, keys)
  await site.publish(dists ?? (await Promise.all(names.map(built))))
  const app = Fastify()
  app.decorate('reportError', () => {})
  await serveSite(app, { folder, key: keys?.publicKey, loadDeadline, pollSeconds })
  const proxy = await faultProxy(await app.listen({ port: 0, host: '127.0.0.1' }), address)
  return {
    ...proxy,
    site,
    folder,
    async close() {
      await proxy.close()
      await app.close()
      await rm(folder, { recursive: true })
    },
  }
}
export type Console = Awaited<ReturnType<typeof openConsole>>

/** Makes a page poll the pointer, as it does when its tab becomes visible again. */
export const look = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

/**
 * Leaves a screen and returns until it belongs to the build that shows `text`: `新建用户`, or `新建用户·1` for a variant. A
 * visit never changes its build, because the build was chosen during the navigation.
 */
export async function movesTo(page: Page, path: string, text: string, from = '/home') {
  const [word] = text.split('·')
  // The search is limited to the main area, because a remote and its screen may have the same name in the menu.
  const said = page
    .getByRole('main')
    .getByText(new RegExp(`^${word}(·.)?$`))
    .first()
  await expect(async () => {
    await look(page)
    await go(page, from)
    await expect(said).toBeHidden()
    await go(page, path)
    await expect(said).toBeVisible()
    expect(await said.textContent()).toBe(text)
  }).toPass()
}
