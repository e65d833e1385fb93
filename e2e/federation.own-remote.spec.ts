import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { findFreePort } from '../scripts/freePort'
import { readReleaseRecord } from './federation/builds'
import { pollReleases, expectUpdateTo } from './federation/console'
import { openPlatform } from './federation/platform'
import { expect, navigateTo, storeToken, test } from './fixtures'

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

/** Returns the folder in which the kit has made the build that the site serves. */
const findDeployedBuild = async () =>
  join(energyFolder, 'dist', (await platform.site.pointer()).remotes.energy!.build)

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

test('refuses the index of antd and a routes file of which other hosts could not get the types, in words', async () => {
  const page = join(energyFolder, 'src/pages/OverviewPage.tsx')
  const pageText = await readFile(page, 'utf8')
  await editSource('routes.tsx', [/routes: RouteObject\[\]/, 'routes'])
  // The index would bring a second copy of every component.
  await writeFile(page, "import { Table } from 'antd'\nexport const Component = () => <Table />\n")
  const { stderr } = await runKit('build').then(
    () => ({ stderr: '' }),
    (error: { stderr: string }) => error,
  )
  expect(stderr).toContain("import Table from 'antd/es/table'")
  expect(stderr).toContain('@mf-types.zip could not be made')
  await editSource('routes.tsx', [/const routes/, '$&: RouteObject[]'])
  await writeFile(page, pageText)
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
    // The console loads a developer's remote for a user whose permissions it knows from an earlier page.
    await storeToken(page, platform.token)
    await page.goto(`${platform.origin}/404`)
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

/** Removes earlier builds and their cache, so that the next build is like the first one on another machine. */
async function removeOutput() {
  for (const output of ['dist', '.cache'])
    await rm(join(energyFolder, output), { recursive: true, force: true })
}

/** Adds calls of its own to the remote, and a style sheet whose class names derive from its path. */
async function addMeters() {
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
  await writeFile(
    join(energyFolder, 'src/pages/overview.module.css'),
    '.table {\n  margin-top: 8px;\n}\n',
  )
  await editSource(
    'pages/OverviewPage.tsx',
    [
      /^/,
      "import { meterApi } from '../contract/meter.api'\nimport * as styles from './overview.module.css'\n",
    ],
    [/columns=\{\[/, 'className={styles.table}\n        $&{ title: meterApi.page.title },'],
  )
}

test('is published with the permissions of its calls, updated in an open page, built alike in another folder, and rolled back', async ({
  page,
}) => {
  await storeToken(page, platform.token)
  await page.goto(`${platform.origin}/system/release`)
  await expect(page.getByRole('row', { name: /企业管理/ })).toBeVisible()
  const folder = page.getByRole('menuitem', { name: '能耗管理' })
  await expect(folder).toBeHidden()

  await test.step('the record has the permissions of its calls, and the page no schemas', async () => {
    await removeOutput()
    await addMeters()
    await writeHeading('能耗管理概览·一')
    await publish('首次发布')
    const dist = await findDeployedBuild()
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

  await test.step('it appears in the menu of an open page', async () => {
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
  })

  await test.step('the next build is swapped in', async () => {
    await writeHeading('能耗管理概览·二')
    await publish('第二版')
    await expectUpdateTo(page, '/energy/overview', '能耗管理概览·二')
  })

  await test.step('the same sources give the same bytes in another folder', async () => {
    const record = await readFile(join(await findDeployedBuild(), 'release.json'), 'utf8')
    const { revision } = await platform.site.pointer()
    const anotherFolder = join(outsideFolder, 'another/folder')
    await mkdir(anotherFolder, { recursive: true })
    // The kit and all packages move with the remote.
    await rename(energyFolder, join(anotherFolder, 'energy'))
    energyFolder = join(anotherFolder, 'energy')
    await removeOutput()
    // Publishing accepts the same build only, which it leaves as it is.
    expect((await publish('另一台机器')).stdout).toContain(`revision ${revision}\n`)
    // Equal records mean equal files, because the record holds the hash of each file.
    expect(await readFile(join(await findDeployedBuild(), 'release.json'), 'utf8')).toBe(record)
  })

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
