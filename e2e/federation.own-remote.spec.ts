import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { findFreePort } from '../scripts/freePort'
import { readReleaseRecord } from './federation/builds'
import { pollReleases, expectUpdateTo } from './federation/console'
import { openPlatform } from './federation/platform'
import { expect, navigateTo, signIn, test } from './fixtures'

const root = join(import.meta.dirname, '..')
const runCommand = promisify(execFile)

let platform: Awaited<ReturnType<typeof openPlatform>>
let outsideFolder: string
let energyFolder: string

/**
 * Runs the pinned pnpm as a bare machine would. The folder is passed explicitly, because `npm test` sets its own for
 * child processes.
 */
async function pnpm(folder: string, ...args: string[]) {
  const { packageManager } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    packageManager: string
  }
  const program = ['exec', '--yes', `--package=${packageManager}`, '--', 'pnpm', '--dir', folder]
  return runCommand('npm', [...program, ...args], { cwd: folder })
}
const runKit = (...args: string[]) =>
  runCommand(join(energyFolder, 'node_modules/.bin/iot-remote'), args, { cwd: energyFolder })
const publish = (reason: string) =>
  runKit('publish', '--site', platform.site.folder, '--who', '外部团队', '--why', reason)

async function editSource(file: string, ...changes: [from: RegExp, to: string][]) {
  const path = join(energyFolder, 'src', file)
  const text = changes.reduce(
    (before, [from, to]) => before.replace(from, to),
    await readFile(path, 'utf8'),
  )
  await writeFile(path, text)
}
/** Changes the text that the screen shows. */
const writeHeading = (text: string) =>
  editSource('pages/OverviewPage.tsx', [/能耗管理概览.*/, text])

/** Creates a remote outside the workspace: the kit is installed from its file, all other packages from the registry. */
async function createEnergy() {
  outsideFolder = await mkdtemp(join(tmpdir(), 'outside-'))
  energyFolder = join(outsideFolder, 'energy')
  await mkdir(energyFolder)
  await pnpm(join(root, 'remote-kit'), 'pack', '--pack-destination', outsideFolder)
  const packageFile = (await readdir(outsideFolder)).find((name) => name.endsWith('.tgz'))!
  await pnpm(energyFolder, 'add', '--save-dev', '--prefer-offline', `../${packageFile}`)
  await runKit('create', 'energy', '--title', '能耗管理')
  // pnpm freezes the lock file in CI, but here the lock file is older than the packages that `create` added.
  await pnpm(energyFolder, 'install', '--prefer-offline', '--no-frozen-lockfile')
}

// The long timeout is needed because the installation downloads from the network.
test.describe.configure({ timeout: 900_000 })
test.beforeAll(async () => {
  const platformReady = openPlatform().then((item) => (platform = item))
  // The platform is awaited even if creating the remote fails, so that it can be closed.
  const [creation] = await Promise.allSettled([createEnergy(), platformReady])
  await platformReady
  if (creation.status === 'rejected') throw creation.reason
})
test.afterAll(async () => {
  await platform?.close()
  await rm(outsideFolder, { recursive: true, force: true })
})

const heading = (page: Page, text: string) => page.getByRole('heading', { name: text, exact: true })

test('checks calls against the contract, and generates a valid remote', async () => {
  const wrongFile = join(energyFolder, 'src/wrong.ts')
  await writeFile(
    wrongFile,
    `import { call } from '@iot/shared/client/call'
import { calendarApi } from '@iot/shared/contract/project/calendar.api'

void call(calendarApi.remove, { id: 1 })
void call(calendarApi.list, {}).then(([first]) => first!.name.toFixed())
`,
  )
  const compiler = join(energyFolder, 'node_modules/.bin/tsc')
  const compilerResult = await runCommand(compiler, ['-p', '.', '--pretty', 'false'], {
    cwd: energyFolder,
  }).catch(({ stdout }: { stdout: string }) => ({ stdout }))
  await rm(wrongFile)
  expect(compilerResult.stdout.trim().split('\n')).toEqual([
    expect.stringMatching(/^src\/wrong.ts.* Type 'number' is not assignable to type 'string'/),
    expect.stringMatching(/^src\/wrong.ts.* Property 'toFixed' does not exist on type 'string'/),
  ])
})

test('refuses the index of antd in words, because it would bring a second copy of every component', async () => {
  await editSource('pages/OverviewPage.tsx', [
    /import Table from 'antd\/es\/table'/,
    "import { Table } from 'antd'",
  ])
  await expect(runKit('build')).rejects.toMatchObject({
    stderr: expect.stringContaining("import Table from 'antd/es/table'") as unknown,
  })
  await editSource('pages/OverviewPage.tsx', [
    /import { Table } from 'antd'/,
    "import Table from 'antd/es/table'",
  ])
})

test('refuses a routes file of which other hosts could not get the types', async () => {
  await editSource('routes.tsx', [/routes: RouteObject\[\]/, 'routes'])
  await expect(runKit('build')).rejects.toMatchObject({
    stderr: expect.stringContaining('@mf-types.zip could not be made') as unknown,
  })
  await editSource('routes.tsx', [/const routes/, '$&: RouteObject[]'])
})

test('adds the permissions of its own calls to the menu, and no schemas to a page that only makes them', async () => {
  await mkdir(join(energyFolder, 'src/contract'))
  await writeFile(
    join(energyFolder, 'src/contract/meter.schema.ts'),
    `import * as z from '@iot/shared/contract/zod'
import { resourceSchemas } from '@iot/shared/contract/resource.schema'

export const Meter = z.object({ serial: z.string().meta({ title: '电表编号' }) })
export const meterSchemas = {
  page: resourceSchemas.page({ input: {}, output: Meter }),
  remove: resourceSchemas.remove(),
}
`,
  )
  await writeFile(
    join(energyFolder, 'src/contract/meter.api.ts'),
    `import { defineApi } from '@iot/shared/contract/endpoint'
import { resource } from '@iot/shared/contract/resource'
import type { meterSchemas } from './meter.schema'

const meters = resource('energy', 'meter', '电表')
export const meterApi = defineApi<typeof meterSchemas>({
  page: meters.page(),
  remove: meters.remove(),
})
`,
  )
  await editSource(
    'area.ts',
    [/^/, "import { meterApi } from './contract/meter.api'\n"],
    [/api: (\{.*\}),\n/, 'api: [$1, meterApi],\n'],
  )
  await editSource(
    'pages/OverviewPage.tsx',
    [/^/, "import { meterApi } from '../contract/meter.api'\n"],
    [/columns=\{\[/, 'columns={[{ title: meterApi.page.title },'],
  )
  const { stdout } = await runKit('build')
  const dist = join(energyFolder, stdout.trim().split('\n').at(-1)!)
  expect((await readReleaseRecord(dist)).menu.at(-1)!.buttons).toContainEqual({
    name: '删除电表',
    permission: 'energy:meter:remove',
    roles: ['project-admin'],
  })
  expect(await readdir(dist)).toContain('@mf-types.zip')
  const files = (await readdir(dist)).filter((name) => name.endsWith('.js'))
  const code = (await Promise.all(files.map((name) => readFile(join(dist, name), 'utf8')))).join()
  expect(code).toContain('"energy","meter"')
  expect(code).not.toContain('电表编号')
  expect(code).not.toContain('ZodObject')
})

test('is shown by a running console before it is published', async ({ page }) => {
  const port = await findFreePort()
  const devProcess: ChildProcess = spawn(
    join(energyFolder, 'node_modules/.bin/iot-remote'),
    ['dev', '--port', String(port), '--console', platform.origin],
    { cwd: energyFolder, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  try {
    const address = await new Promise<string>((resolve) => {
      let output = ''
      devProcess.stdout!.setEncoding('utf8').on('data', (text: string) => {
        output += text
        const [devUrl] = /http\S+\?dev=\S+/.exec(output) ?? []
        if (devUrl && output.includes('已构建')) resolve(devUrl)
      })
    })
    await page.goto(`${platform.origin}/home`)
    await signIn(page)
    await expect(page.getByRole('menuitem', { name: '企业管理' })).toBeVisible()
    await page.goto(address)
    await expect(heading(page, '能耗管理概览')).toBeVisible()
    await expect(page.getByText(`来自开发机 http://localhost:${port}`)).toBeVisible()
    await writeHeading('能耗管理概览·改')
    await expect(heading(page, '能耗管理概览·改')).toBeVisible()
    // A render error is repaired by the next save.
    await writeHeading("能耗管理概览{JSON.parse('没有')}")
    await expect(page.getByText('页面出错了')).toBeVisible()
    await writeHeading('能耗管理概览·好')
    await expect(heading(page, '能耗管理概览·好')).toBeVisible()
  } finally {
    devProcess.kill()
    await once(devProcess, 'exit')
  }
})

test('appears in the menu once published, is updated in an open page, and rolled back', async ({
  page,
}) => {
  await page.goto(`${platform.origin}/system/release`)
  await signIn(page)
  await expect(page.getByRole('row', { name: /企业管理/ })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: '能耗管理' })).toBeHidden()

  await writeHeading('能耗管理概览·一')
  await publish('首次发布')
  const folder = page.getByRole('menuitem', { name: '能耗管理' })
  await expect(async () => {
    await pollReleases(page)
    await expect(folder).toBeVisible({ timeout: 10_000 })
  }).toPass()
  await folder.click()
  await page.getByRole('menuitem', { name: '概览' }).click()
  await expect(heading(page, '能耗管理概览·一')).toBeVisible()
  await expect(page).toHaveURL(/\/energy\/overview$/)
  // The row is the platform's answer to the typed call.
  await expect(page.getByRole('row').nth(1)).toBeVisible()

  await writeHeading('能耗管理概览·二')
  await publish('第二版')
  await expectUpdateTo(page, '/energy/overview', '能耗管理概览·二')

  await navigateTo(page, '/system/release')
  const row = page.getByRole('row', { name: /能耗管理/ })
  await expect(row).toContainText('外部团队')
  await row.getByRole('button', { name: '回退' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /回\s*退/ })
    .click()
  await expect(page.getByText('“能耗管理”已回退到')).toBeVisible()
  await expectUpdateTo(page, '/energy/overview', '能耗管理概览·一')
  expect(await page.evaluate(() => performance.getEntriesByType('navigation').length)).toBe(1)
})
