import type { Dirent } from 'node:fs'
import { copyFile, link, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import type { Page } from '@playwright/test'
import { getBuildFolder } from '@iot/shared/contract/release/release'
import Fastify from 'fastify'
import { startFaultProxy } from '../../scripts/faults'
import { Site } from '../../server/src/site/releases'
import type { SiteKeys } from '../../server/src/site/signature'
import { registerSite as serveSite } from '../../server/src/site/site'
import { address, expect, navigateTo } from '../fixtures'
import { getBuild, type PackageName } from './builds'

export const packageNames: PackageName[] = ['host', 'deviceAccess', 'system', 'enterprise']

/** Each remote has an address, a visible text and a display name. */
export const screens = {
  deviceAccess: { path: '/deviceAccess/config/manufacturer', text: '新建厂商', title: '设备接入' },
  system: { path: '/system/menu', text: '新建菜单', title: '系统管理' },
  enterprise: { path: '/enterprise/user', text: '新建用户', title: '企业管理' },
} as const
export type RemoteName = keyof typeof screens
export const remotes = Object.keys(screens) as RemoteName[]

type ConsoleOptions = {
  loadDeadline?: number
  pollSeconds?: number
  dists?: string[]
  keys?: SiteKeys
}

/**
 * Gives a site the product's builds before it publishes them: copying 1,700 files takes the processor two seconds, so
 * they are links, which is safe because a site never changes the files of a build.
 */
export async function linkBuilds(folder: string) {
  for (const name of packageNames) {
    const dist = await getBuild(name)
    const buildFolder = join(folder, getBuildFolder(name, basename(dist)))
    const entries = await readdir(dist, { recursive: true, withFileTypes: true })
    const linkFile = async ({ name: fileName, parentPath }: Dirent) => {
      const target = join(buildFolder, relative(dist, parentPath))
      await mkdir(target, { recursive: true })
      const [from, to] = [join(parentPath, fileName), join(target, fileName)]
      // The temporary folder may be on another disk.
      await link(from, to).catch(() => copyFile(from, to))
    }
    await Promise.all(entries.filter((entry) => entry.isFile()).map(linkFile))
  }
}

/** Serves the real builds on a site of its own, as the product does; API calls go to the platform under test. */
export async function openConsole({
  loadDeadline = 4000,
  pollSeconds = 1,
  dists,
  keys,
}: ConsoleOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'site-'))
  if (!dists && !keys) await linkBuilds(folder)
  const site = new Site(folder, keys)
  await site.publish(dists ?? (await Promise.all(packageNames.map(getBuild))))
  const app = Fastify()
  app.decorate('reportError', () => {})
  await serveSite(app, { folder, key: keys?.publicKey, loadDeadline, pollSeconds })
  const proxy = await startFaultProxy(await app.listen({ port: 0, host: '127.0.0.1' }), address)
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
export type TestConsole = Awaited<ReturnType<typeof openConsole>>

/** Makes a page poll the pointer, as it does when its tab becomes visible again. */
export const pollReleases = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

/**
 * Leaves a screen and returns until it belongs to the build that shows `text`: `新建用户`, or `新建用户·1` for a variant. A
 * visit never changes its build, because the build was chosen during the navigation.
 */
export async function expectUpdateTo(page: Page, path: string, text: string, from = '/404') {
  const [baseText] = text.split('·')
  // The search is limited to the main area, because a remote and its screen may have the same name in the menu.
  const screenText = page
    .getByRole('main')
    .getByText(new RegExp(`^${baseText}(·.+)?$`))
    .first()
  await expect(async () => {
    await pollReleases(page)
    await navigateTo(page, from)
    await expect(screenText).toBeHidden()
    await navigateTo(page, path)
    await expect(screenText).toBeVisible()
    expect(await screenText.textContent()).toBe(text)
  }).toPass()
}
