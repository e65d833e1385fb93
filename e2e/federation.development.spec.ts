import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { freePort } from '../scripts/freePort'
import { built, next } from './federation/builds'
import { twinOf } from './federation/twin'
import { address, expect, keepToken, signedInAs, signIn, test } from './fixtures'

let developer: Server
let origin: string
test.beforeAll(async () => {
  // What `pnpm dev system` serves, less the webpack that watches.
  const dist = await next(await built('system'), 9, '新建菜单')
  developer = createServer((request, answer) => {
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
  await new Promise<void>((done) => developer.listen(0, 'localhost', done))
  origin = `http://localhost:${(developer.address() as AddressInfo).port}`
})
test.afterAll(async () => {
  developer.closeAllConnections()
  developer.close()
})

const text = (page: Page, shown: string) =>
  expect(page.getByText(shown, { exact: true }).first()).toBeVisible()

test('one remote comes from a developer’s machine until it is dropped; safe mode starts without any', async ({
  page,
}) => {
  await page.goto(`${address}/home`)
  await signIn(page)
  await expect(page.getByRole('button', { name: /^关 .*盏）$/ })).toBeVisible()

  await page.goto(`${address}/system/menu?dev=system@${origin}`)
  await text(page, '新建菜单·9')
  const banner = page.getByText(`“系统管理”来自开发机 ${origin}`)
  await expect(banner).toBeVisible()
  await page.goto(`${address}/enterprise/user`)
  await text(page, '新建用户')
  await expect(banner).toBeVisible()

  await page.goto(`${address}/system/menu?safe=1`)
  await expect(page.getByText('安全模式：未加载任何功能模块')).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('安全模式下不加载')
  await expect(banner).toBeHidden()

  await page.goto(`${address}/system/menu`)
  await page.getByRole('button', { name: '恢复正式版本' }).click()
  await text(page, '新建菜单')
  await expect(banner).toBeHidden()
})

test('who has no right to it gets what is deployed, under the policy of all others', async ({
  page,
  api,
}) => {
  await keepToken(page, (await signedInAs('operator', api)).token)
  await page.goto(`${address}/deviceAccess/config/manufacturer?dev=deviceAccess@${origin}`)
  await expect(page.getByRole('columnheader', { name: '厂商名称' })).toBeVisible()
  await expect(page.getByText(/来自开发机/)).toBeHidden()
  await page.evaluate(() => void (document.cookie = 'devRemote=1; path=/'))
  const policy = (await page.reload())!.headers()['content-security-policy']
  expect(policy).toContain("script-src 'self';")
})

test('a save is taken where it is seen, with what was typed; a fault is mended by the next', async ({
  page,
}) => {
  test.setTimeout(900_000)
  const folder = await twinOf('developed', ['host', 'remote-enterprise'])
  const port = String(await freePort())
  const developing = spawn(
    process.execPath,
    ['--import', 'tsx', 'scripts/dev.ts', 'enterprise', '--console', address, '--port', port],
    { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const form = join(folder, 'remote-enterprise/src/pages/user/UserForm.tsx')
  const text = await readFile(form, 'utf8')
  const save = async (from: string, to: string) => {
    const changed = text.replace(from, to)
    expect(changed).not.toBe(text)
    // Editors replace the old file by a new one, so that no build finds it missing.
    await writeFile(`${form}.saving`, changed)
    await rename(`${form}.saving`, form)
  }
  try {
    const shown = await new Promise<string>((found) => {
      let said = ''
      developing.stdout.setEncoding('utf8').on('data', (more: string) => {
        said += more
        const [link] = /http\S+\?dev=\S+/.exec(said) ?? []
        if (link && said.includes('已构建')) found(link)
      })
    })
    await page.goto(shown)
    await signIn(page)
    await page.getByRole('button', { name: '新建用户' }).click()
    const name = page.getByRole('dialog').getByLabel('姓名')
    await name.fill('张三')
    await save('登录用，保存后不能修改', '登录用，存后不改')
    await expect(page.getByText('登录用，存后不改')).toBeVisible()
    await expect(name).toHaveValue('张三')
    await save(`'登录用，保存后不能修改'`, `JSON.parse('没有')`)
    await expect(page.getByText('页面出错了')).toBeVisible()
    await save('登录用，保存后不能修改', '登录用')
    await expect(page.getByRole('button', { name: '新建用户' })).toBeVisible()
    await expect(page.getByText('页面出错了')).toBeHidden()
  } finally {
    developing.kill()
    await once(developing, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
})
