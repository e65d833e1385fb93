import type { Dirent } from 'node:fs'
import { link, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { Page } from '@playwright/test'
import Fastify from 'fastify'
import { startFaultProxy } from '../../scripts/faults'
import { Site } from '../../server/src/site/releases'
import type { SiteKeys } from '../../server/src/site/signature'
import { registerSite as serveSite } from '../../server/src/site/site'
import { address, expect, navigateTo } from '../fixtures'
import { createTemporaryFolder, getBuild, type PackageName } from './builds'

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

let publishedFolder: Promise<string> | undefined
async function publishBuilds() {
  const folder = await createTemporaryFolder('published-')
  await new Site(folder).publish(await Promise.all(packageNames.map(getBuild)))
  return folder
}

/**
 * Gives a site the product's builds: copying 1,700 files takes the processor two seconds, so each worker copies them once
 * and links them, which is safe because a site never writes into a file that exists.
 * @param parts folders of the site; the whole site is published already, while `host` and `remotes` are only its builds
 */
export async function linkBuilds(folder: string, parts = ['.']) {
  const published = await (publishedFolder ??= publishBuilds())
  for (const part of parts) {
    const source = join(published, part)
    const entries = await readdir(source, { recursive: true, withFileTypes: true })
    const toTarget = ({ name, parentPath }: Dirent) =>
      join(folder, relative(published, join(parentPath, name)))
    await mkdir(join(folder, part), { recursive: true })
    for (const entry of entries.filter((item) => item.isDirectory()))
      await mkdir(toTarget(entry), { recursive: true })
    const files = entries.filter((item) => item.isFile())
    await Promise.all(
      files.map((entry) => link(join(entry.parentPath, entry.name), toTarget(entry))),
    )
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
  const site = new Site(folder, keys)
  if (!dists) await linkBuilds(folder)
  // The linked builds are published again to be signed.
  if (dists || keys) await site.publish(dists ?? (await Promise.all(packageNames.map(getBuild))))
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
