import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { findFreePort } from '../scripts/freePort'
import { getBuild, createNextBuild } from './federation/builds'
import { copyWorkspace } from './federation/workspaceCopy'
import {
  address,
  expect,
  storeToken,
  createUserAndSignIn,
  signIn,
  signInByApi,
  test,
} from './fixtures'

let devServer: Server
let origin: string
test.beforeAll(async () => {
  // This server answers like `pnpm dev system`, but without webpack's watch mode.
  const dist = await createNextBuild(await getBuild('system'), 9, '新建菜单')
  devServer = createServer((request, answer) => {
    const path = request.url!.split('?')[0]!
    answer.setHeader('access-control-allow-origin', '*')
    if (path === '/events')
      return void answer.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    answer.writeHead(200, {
      'content-type': path.endsWith('.json')
        ? 'application/json'
        : path.endsWith('.css')
          ? 'text/css'
          : 'text/javascript',
    })
    createReadStream(join(dist, path)).pipe(answer)
  })
  await new Promise<void>((resolve) => devServer.listen(0, 'localhost', resolve))
  origin = `http://localhost:${(devServer.address() as AddressInfo).port}`
})
test.afterAll(async () => {
  devServer.closeAllConnections()
  devServer.close()
})

/** Opens the console once, because it loads a developer's remote for a user whose permissions it knows. */
async function openWithPermissions(page: Page) {
  await storeToken(page, (await signInByApi()).token)
  await page.goto(`${address}/404`)
  await expect(page.getByRole('menuitem', { name: '企业管理' })).toBeVisible()
}

/** A rebuild takes seconds, but minutes while other tests build, too. */
const rebuildPatience = { timeout: 240_000 }
const expectText = (page: Page, label: string) =>
  expect(page.getByText(label, { exact: true }).first()).toBeVisible()

test("loads one remote from a developer's machine until it is removed, and none in safe mode", async ({
  page,
}) => {
  await openWithPermissions(page)
  await page.goto(`${address}/system/menu?dev=system@${origin}`)
  await expectText(page, '新建菜单·9')
  const banner = page.getByText(`“系统管理”来自开发机 ${origin}`)
  await expect(banner).toBeVisible()
  await page.goto(`${address}/enterprise/user`)
  await expectText(page, '新建用户')
  await expect(banner).toBeVisible()

  await page.goto(`${address}/system/menu?safe=1`)
  await expect(page.getByText('安全模式：未加载任何功能模块')).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('安全模式下不加载')
  await expect(banner).toBeHidden()

  await page.goto(`${address}/system/menu`)
  await page.getByRole('button', { name: '恢复正式版本' }).click()
  await expectText(page, '新建菜单')
  await expect(banner).toBeHidden()
})

test('serves the deployed build and the default policy to a user without the permission', async ({
  page,
  api,
}) => {
  await storeToken(page, (await createUserAndSignIn('operator', api)).token)
  await page.goto(`${address}/deviceAccess/config/manufacturer?dev=deviceAccess@${origin}`)
  await expect(page.getByRole('columnheader', { name: '厂商名称' })).toBeVisible()
  await expect(page.getByText(/来自开发机/)).toBeHidden()
  await page.evaluate(() => void (document.cookie = 'devRemote=1; path=/'))
  const policy = (await page.reload())!.headers()['content-security-policy']
  expect(policy).toContain("script-src 'self';")
})

test('applies a saved source file in place with the typed input, and recovers from a fault with the next save', async ({
  page,
}) => {
  test.setTimeout(900_000)
  const folder = await copyWorkspace('developed', ['host', 'remote-enterprise'])
  const port = String(await findFreePort())
  const devProcess = spawn(
    process.execPath,
    ['--import', 'tsx', 'scripts/dev.ts', 'enterprise', '--console', `${address}/`, '--port', port],
    { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const formFile = join(folder, 'remote-enterprise/src/pages/user/UserForm.tsx')
  const source = await readFile(formFile, 'utf8')
  const save = async (from: string, to: string) => {
    const newSource = source.replace(from, to)
    expect(newSource).not.toBe(source)
    // Editors save in this way, too: renaming a complete file means that no build finds it missing.
    await writeFile(`${formFile}.saving`, newSource)
    await rename(`${formFile}.saving`, formFile)
  }
  try {
    const devUrl = await new Promise<string>((resolve) => {
      let output = ''
      devProcess.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
        const [link] = /http\S+\?dev=\S+/.exec(output) ?? []
        if (link && output.includes('已构建')) resolve(link)
      })
    })
    await page.goto(devUrl)
    await signIn(page)
    await page.getByRole('button', { name: '新建用户' }).click()
    const name = page.getByRole('dialog').getByLabel('姓名')
    await name.fill('张三')
    await save('登录用，保存后不能修改', '登录用，存后不改')
    await expect(page.getByText('登录用，存后不改')).toBeVisible(rebuildPatience)
    await expect(name).toHaveValue('张三')
    await save(`'登录用，保存后不能修改'`, `JSON.parse('没有')`)
    await expect(page.getByText('页面出错了')).toBeVisible(rebuildPatience)
    await save('登录用，保存后不能修改', '登录用')
    await expect(page.getByRole('button', { name: '新建用户' })).toBeVisible(rebuildPatience)
    await expect(page.getByText('页面出错了')).toBeHidden()

    // The console that was built for production shows the same remote and mounts it again after a save.
    await openWithPermissions(page)
    await page.goto(`${address}/enterprise/user${new URL(devUrl).search}`)
    await expectText(page, '新建用户')
    await expect(page.getByText(/来自开发机/)).toBeVisible()
    await page.getByRole('button', { name: '新建用户' }).click()
    await save('登录用，保存后不能修改', '登录用，再次保存')
    // The remote is mounted again when its rebuild arrives, which closes a dialog that was opened before.
    await expect(async () => {
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: '新建用户' }).click({ timeout: 5000 })
      await expect(page.getByText('登录用，再次保存')).toBeVisible({ timeout: 3000 })
    }).toPass(rebuildPatience)
  } finally {
    devProcess.kill()
    await once(devProcess, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
})
