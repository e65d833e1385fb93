import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectHttp2 } from 'node:http2'
import { Agent, request, type RequestOptions } from 'node:https'
import { createServer, request as requestHttp } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { authApi } from '@iot/shared/contract/access/auth.api'
import type { Envelope } from '@iot/shared/contract/endpoint'
import { menuRecords } from '@iot/shared/screens/all'
import { livePath } from '@iot/shared/contract/live'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import { releaseApi } from '@iot/shared/contract/release/releaseCenter.api'
import { uploadLimits, uploadPath } from '@iot/shared/contract/platform/upload'
import { WebSocket } from 'ws'
import { findChromium } from '../../scripts/chromium'
import { findFreePort } from '../../scripts/freePort'
import { launchChromium } from '../../scripts/launchChromium'
import { aboutApi } from '@iot/shared/contract/platform/about.api'
import { waitUntil } from '../src/core/until'
import { createPng } from '../src/modules/upload/testing.pictures'
import { computeHash } from '../src/site/siteFiles'
import { Site } from '../src/site/releases'
import { findInstalledServices } from './installedServices'
import { startProcess, startServices, type Process, type Services } from './serviceProcesses'

const { nginx } = findInstalledServices()
/** The shipped web server in front of two processes that share a site, as `deploy/compose.cluster.yaml` has them. */
// Machines without nginx or Chromium skip the tests that need them; the report lists these tests as skipped.
const describeWithNginx = nginx ? describe : describe.skip
const loginBurst = 60
const browserPath = findChromium()
const itWithChromium = browserPath ? it : it.skip
const describeWithChromium = browserPath ? describe : describe.skip
const screenCount = 10
/** Builds of unchanged sources exist already and are not made again; a first build takes minutes. */
const buildTimeoutMs = 600_000

type Browser = Awaited<ReturnType<typeof launchChromium>>
type Page = Awaited<ReturnType<Browser['newPage']>>

let folder: string
let services: Services
let processes: Process[]
let site: Site
let webServer: ChildProcess
let browser: Browser | undefined
let ports: { tls: number; plain: number }
let certificate: Buffer
let agent: Agent
let token: string

type Answer = { status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }
async function send(path: string, options: RequestOptions = {}, content?: Buffer | string) {
  const call = request({
    host: '127.0.0.1',
    port: ports.tls,
    servername: 'localhost',
    agent,
    path,
    ...options,
  })
  call.end(content)
  const [answer] = await once(call, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: Buffer.concat(chunks),
  } as Answer
}
async function callApi(path: string, input: object, options: RequestOptions = {}) {
  const headers = {
    'content-type': 'application/json',
    ...(token && { satoken: `Bearer ${token}` }),
  }
  const { body } = await send(path, { method: 'POST', headers, ...options }, JSON.stringify(input))
  return JSON.parse(body.toString()) as Envelope
}

function createCertificate() {
  const [key, file] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  if (certificate) return { key, file }
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const options = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names]
  const { status } = spawnSync('openssl', [
    'req',
    '-x509',
    ...options,
    '-keyout',
    key,
    '-out',
    file,
  ])
  expect(status).toBe(0)
  certificate = readFileSync(file)
  return { key, file }
}

/** Begins the locations with a base path, as a comment of the shipped file says. */
const addBasePath = (siteConfig: string, basePath: string) =>
  siteConfig.replaceAll(/location (= )?\//g, (location) => location.slice(0, -1) + basePath)

/** Replaces what belongs to this machine and leaves every other line of the shipped file as it is. */
function writeConfig(
  name: string,
  listenPorts: typeof ports,
  urls: string[],
  basePath = '/',
  isPathRemoved = false,
) {
  const { key, file } = createCertificate()
  const replacements = {
    '/etc/ssl/iot-console.crt': file,
    '/etc/ssl/private/iot-console.key': key,
    'listen 80;': `listen 127.0.0.1:${listenPorts.plain};`,
    'listen [::]:80;': '',
    'listen 443 ssl http2;': `listen 127.0.0.1:${listenPorts.tls} ssl http2;`,
    'listen [::]:443 ssl http2;': '',
    '127.0.0.1:8080': new URL(urls[0]!).host,
    '127.0.0.1:8081': new URL(urls.at(-1)!).host,
  }
  let siteConfig = readFileSync('deploy/nginx.conf', 'utf8')
  for (const [text, replacement] of Object.entries(replacements)) {
    expect(siteConfig).toContain(text)
    siteConfig = siteConfig.replace(text, replacement)
  }
  const siteFile = join(folder, `${name}.site.conf`)
  const configBelowPath = addBasePath(siteConfig, basePath)
  writeFileSync(
    siteFile,
    isPathRemoved ? removePassedPath(configBelowPath, basePath) : configBelowPath,
  )
  const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  )
  const config = join(folder, `${name}.nginx.conf`)
  writeFileSync(
    config,
    `pid ${join(folder, `${name}.pid`)}; error_log ${join(folder, 'error.log')}; daemon off;
     ${process.getuid?.() === 0 ? 'user root;' : ''} events {}
     http { access_log off; ${temporaryPaths.join(' ')} include ${siteFile}; }`,
  )
  return config
}

function createBuild(build: string) {
  const dist = join(folder, build)
  mkdirSync(dist)
  const files: Record<string, string> = {}
  const content = Buffer.from(`entry of ${build} `.repeat(200))
  for (const [suffix, bytes] of [
    ['', content],
    ['.br', brotliCompressSync(content)],
    ['.gz', gzipSync(content)],
  ] as const)
    writeFileSync(join(dist, `entry.js${suffix}`), bytes)
  files['entry.js'] = computeHash(content)
  const record = {
    name: 'system',
    build,
    shellApi: '*',
    requires: {},
    shared: [],
    routes: [],
    needs: {},
    entry: 'entry.js',
    files,
  }
  writeFileSync(join(dist, 'release.json'), JSON.stringify(record))
  return dist
}

/**
 * Returns the folders of the console's builds. `npm test` builds without types and checks them once for all packages;
 * asking for the check would build all packages again.
 */
function buildConsole() {
  const script = ['--import', 'tsx', 'scripts/build.ts', '--without-types']
  const names = ['host', 'deviceAccess', 'system', 'enterprise']
  const { status, stdout } = spawnSync(process.execPath, [...script, ...names], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  expect(status).toBe(0)
  return stdout.split('\n').filter((line) => /^[\w-]+\/dist\/\S+$/.test(line))
}
let consoleDists: string[] | undefined
const getConsoleDists = () => (consoleDists ??= buildConsole())

const pageRecords = menuRecords.filter(({ type, path }) => type === 'page' && path !== '/home')

async function startWebServer(config: string, port: number) {
  const child = spawn(nginx!, ['-c', config], { stdio: 'inherit' })
  await waitUntil(
    () =>
      send('/readyz', { port }).then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => status === 200 || status === 404,
    20_000,
  )
  return child
}
async function stopWebServer(child: ChildProcess | undefined) {
  if (child?.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

const adminLogin = { username: 'admin', password: 'Services-2026' }

/** Opens the page of the API's documentation, which reads the document, and sends a call from it. */
async function callFromDocumentation(page: Page) {
  await page.goto('v1/docs')
  await page.getByText(aboutApi.read.path, { exact: true }).click()
  await page.getByRole('button', { name: 'Try it out' }).click()
  await page.getByRole('button', { name: 'Execute' }).click()
  const status = page.locator('.live-responses-table tbody .response-col_status')
  expect(await status.innerText()).toBe('200')
}

/** Serves a build as `pnpm dev system` does, and opens it in place of the published one until it is removed. */
async function overrideFromDeveloper(page: Page, dist: string) {
  const devServer = createServer((call, answer) => {
    answer.setHeader('access-control-allow-origin', '*')
    if (call.url === '/events')
      return void answer.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    const path = call.url!.split('?')[0]!
    const type = path.endsWith('.css') ? 'text/css' : 'text/javascript'
    answer.writeHead(200, { 'content-type': type }).end(readFileSync(join(dist, path)))
  })
  await once(devServer.listen(0, 'localhost'), 'listening')
  const origin = `http://localhost:${(devServer.address() as AddressInfo).port}`
  try {
    await page.goto(`system/menu?dev=system@${origin}`)
    await page.getByText(`来自开发机 ${origin}`).waitFor()
    await page.getByRole('heading', { name: '菜单管理', level: 1 }).waitFor()
    expect(page.url()).toMatch(/\/iot\/system\/menu$/)
    expect(await page.context().cookies(page.url())).toContainEqual(
      expect.objectContaining({ name: 'devRemote', path: '/iot/' }),
    )
    await page.getByRole('button', { name: '恢复正式版本' }).click()
    await page.getByText('来自开发机').waitFor({ state: 'hidden' })
    await page.getByRole('heading', { name: '菜单管理', level: 1 }).waitFor()
  } finally {
    devServer.closeAllConnections()
    devServer.close()
  }
}

/** Signs in and opens screens in a browser. Returns the errors of its console and the addresses of live channels. */
async function openScreens(
  baseURL: string,
  screens: typeof pageRecords,
  openMore?: (page: Page) => Promise<void>,
) {
  browser ??= await launchChromium(browserPath!)
  // The certificate of this test is signed by nobody.
  const page = await browser.newPage({ baseURL, ignoreHTTPSErrors: true })
  try {
    const errors: string[] = []
    const liveUrls: string[] = []
    page.on('websocket', (socket) =>
      socket.once('framereceived', () => liveUrls.push(socket.url())),
    )
    page.on('console', (line) => line.type() === 'error' && errors.push(line.text()))
    page.on('pageerror', ({ message }) => errors.push(message))
    await page.goto('login')
    await page.getByLabel('账号').fill(adminLogin.username)
    await page.getByLabel('密码', { exact: true }).fill(adminLogin.password)
    await page.getByRole('button', { name: '登录' }).click()
    await page.waitForURL('**/home')
    for (const { path, name } of screens) {
      await page.goto(path.slice(1))
      await page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
      const main = page.getByRole('main')
      const content = main
        .getByRole('table')
        .or(main.getByRole('tree'))
        .or(main.locator('.ant-empty'))
      await content.first().waitFor()
    }
    const screenErrors = [...errors]
    await openMore?.(page)
    return { errors: screenErrors, liveUrls }
  } finally {
    await page.close()
  }
}

/** A web server may also remove the base path from what it passes on. */
const removePassedPath = (siteConfig: string, basePath: string) =>
  siteConfig.replaceAll(
    new RegExp(`(location (?:= )?${basePath}(\\S*) {[^}]*proxy_pass http://iot_console);`, 'g'),
    '$1/$2;',
  )

type PathProcess = { baseURL: string; ports: typeof ports; process: Process }
async function startPathProcess(): Promise<PathProcess> {
  const pathPorts = { tls: await findFreePort(), plain: await findFreePort() }
  const baseURL = `https://127.0.0.1:${pathPorts.tls}/iot/`
  const settings = { SITE: join(folder, 'site'), TRUST_PROXY: '127.0.0.1', PUBLIC_URL: baseURL }
  return { baseURL, ports: pathPorts, process: await startProcess(services, settings) }
}

/** Serves the console below `/iot/` by a web server of its own in front of a process for that path. */
async function testConsoleBelowPath(pathProcess: PathProcess, isPathRemoved: boolean) {
  const { baseURL, ports: pathPorts } = pathProcess
  const options = { port: pathPorts.tls }
  const pathServer = await startWebServer(
    writeConfig('path', pathPorts, [pathProcess.process.url], '/iot/', isPathRemoved),
    pathPorts.tls,
  )
  try {
    const dists = getConsoleDists()
    await site.publish(dists)
    const lastOfEachRemote = new Map(
      pageRecords.map((record) => [record.path.split('/')[1], record] as const),
    )
    const screens = [...lastOfEachRemote.values()]
    expect(screens.length).toBeGreaterThanOrEqual(3)
    const { errors, liveUrls } = await openScreens(baseURL, screens, async (page) => {
      await callFromDocumentation(page)
      await overrideFromDeveloper(
        page,
        dists.find((dist) => dist.startsWith('remote-system'))!,
      )
    })
    expect(errors).toEqual([])
    expect(new Set(liveUrls)).toEqual(new Set([`${baseURL.replace('http', 'ws')}v1/live`]))

    const readBuild = async () =>
      JSON.parse((await send('/iot/pointer.json', options)).body.toString()).remotes.system
        .build as string
    const builtConsole = await readBuild()
    const build = isPathRemoved ? 's004' : 's003'
    const { revision } = await site.publish(createBuild(build))
    expect(await readBuild()).toBe(build)
    expect((await send(`/iot/remotes/system/${build}/entry.js`, options)).status).toBe(200)
    const rollback = { name: 'system', revision, why: '回退' }
    const answer = await callApi(`/iot${releaseApi.rollback.path}`, rollback, options)
    expect(answer).toMatchObject({ code: 0 })
    expect(await readBuild()).toBe(builtConsole)
    expect((await send('/pointer.json', options)).status).toBe(404)
  } finally {
    await stopWebServer(pathServer)
  }
}

describeWithNginx('the shipped nginx.conf in front of two processes', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'nginx-'))
    services = await startServices(process.env.DATABASE_TEMPLATE)
    site = new Site(join(folder, 'site'))
    await site.publish(createBuild('s001'))
    const settings = { SITE: join(folder, 'site'), TRUST_PROXY: '127.0.0.1' }
    processes = await Promise.all([
      startProcess(services, settings),
      startProcess(services, settings),
    ])
    ports = { tls: await findFreePort(), plain: await findFreePort() }
    const urls = processes.map(({ url }) => url)
    const config = writeConfig('root', ports, urls)
    agent = new Agent({ ca: certificate, keepAlive: true })
    webServer = await startWebServer(config, ports.tls)
    token = ((await callApi(authApi.login.path, adminLogin)).data as { token: string }).token
  })
  afterAll(async () => {
    await browser?.close()
    agent?.destroy()
    await stopWebServer(webServer)
    await Promise.all(processes?.map((process) => process.kill()) ?? [])
    await services?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('passes calls and health checks, with HSTS, nosniff and Referrer-Policy', async () => {
    for (const path of ['/healthz', '/readyz', '/v1/base-config', '/pointer.json']) {
      const { status, headers } = await send(path)
      expect([path, status]).toEqual([path, 200])
      expect(headers['strict-transport-security']).toBe('max-age=31536000')
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBe('same-origin')
      expect(headers.server).toBe('nginx')
    }
  })

  it('speaks HTTP/2 and TLS 1.2 or newer, and redirects plain HTTP', async () => {
    const session = connectHttp2(`https://127.0.0.1:${ports.tls}`, {
      ca: certificate,
      servername: 'localhost',
    })
    await once(session, 'connect')
    expect(session.alpnProtocol).toBe('h2')
    const stream = session.request({ ':path': '/healthz' })
    const [headers] = await once(stream, 'response')
    expect(headers[':status']).toBe(200)
    session.destroy()

    const oldTls = {
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
      ciphers: 'ALL:@SECLEVEL=0',
    } as const
    const socket = connectTls({ port: ports.tls, host: '127.0.0.1', ca: certificate, ...oldTls })
    await expect(once(socket, 'secureConnect')).rejects.toMatchObject({
      code: expect.stringMatching(/^ERR_SSL_|^ECONNRESET$/),
    })

    const redirect = requestHttp({ host: '127.0.0.1', port: ports.plain, path: '/home?x=1' }).end()
    const [answer] = await once(redirect, 'response')
    answer.resume()
    expect([answer.statusCode, answer.headers.location]).toEqual([
      301,
      'https://127.0.0.1/home?x=1',
    ])
  })

  it('serves files of builds compressed and for a year, and 404 for missing ones', async () => {
    for (const [accepted, encoding] of [
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', undefined],
    ] as const) {
      const headers = { 'accept-encoding': accepted }
      const entry = await send('/remotes/system/s001/entry.js', { headers })
      expect([entry.status, entry.headers['content-encoding']]).toEqual([200, encoding])
      expect(entry.headers['cache-control']).toBe(
        'public, max-age=31536000, immutable, no-transform',
      )
      expect(entry.headers['x-content-type-options']).toBe('nosniff')
      expect(entry.headers['strict-transport-security']).toBe('max-age=31536000')
    }
    for (const path of ['/remotes/system/s001/missing.js', '/host/x/main.js', '/missing.js'])
      expect([path, (await send(path)).status]).toEqual([path, 404])
    expect((await send('/remotes/system/s001/maps/entry.js.map')).status).toBe(404)
  })

  it('shows metrics to this address only', async () => {
    expect((await send('/metrics')).status).toBe(200)
    const foreign = { localAddress: '127.0.0.2', agent: undefined, ca: certificate }
    expect((await send('/healthz', foreign)).status).toBe(200)
    expect((await send('/metrics', foreign)).status).toBe(403)
  })

  it('serves a build published beside it and, after a rollback through it, the former one', async () => {
    const readBuild = async () =>
      JSON.parse((await send('/pointer.json')).body.toString()).remotes.system.build as string
    await site.publish(createBuild('s002'))
    expect(await readBuild()).toBe('s002')
    expect((await send('/remotes/system/s002/entry.js')).body.toString()).toContain('s002')
    const rollback = { name: 'system', revision: 2, why: '回退' }
    expect(await callApi(releaseApi.rollback.path, rollback)).toMatchObject({
      code: 0,
      data: { build: 's001' },
    })
    // Both processes read the same folder.
    for (let call = 0; call < 4; call++) expect(await readBuild()).toBe('s001')
  })

  it('passes an upload of the largest size, and refuses far larger ones itself', async () => {
    const upload = async (content: Buffer) => {
      const form = new FormData()
      form.append('file', new Blob([content as BlobPart], { type: 'image/png' }), 'a.png')
      const body = new Response(form)
      const headers = {
        'content-type': body.headers.get('content-type')!,
        satoken: `Bearer ${token}`,
      }
      const bytes = Buffer.from(await body.arrayBuffer())
      return send(
        uploadPath,
        { method: 'POST', headers: { ...headers, 'content-length': bytes.length } },
        bytes,
      )
    }
    const largest = await upload(createPng(64, 64, { bytes: uploadLimits.bytes }))
    expect(JSON.parse(largest.body.toString())).toMatchObject({
      code: 0,
      data: { received: uploadLimits.bytes },
    })
    const tooLarge = await upload(createPng(64, 64, { bytes: uploadLimits.bytes + 1 }))
    expect(JSON.parse(tooLarge.body.toString()).code).not.toBe(0)
    const headers = { 'content-length': 21 * 1024 * 1024 }
    expect((await send(uploadPath, { method: 'POST', headers })).status).toBe(413)
  })

  it('upgrades the live channel', async () => {
    const socket = new WebSocket(`wss://127.0.0.1:${ports.tls}${livePath}`, { ca: certificate })
    await once(socket, 'open')
    socket.send(JSON.stringify({ type: 'auth', token }))
    const [message] = await once(socket, 'message')
    expect(JSON.parse(String(message))).toMatchObject({ type: 'ready' })
    socket.terminate()
  })

  itWithChromium(
    'shows ten screens in a browser without an error in its console',
    async () => {
      await site.publish(getConsoleDists())
      expect(pageRecords.length).toBeGreaterThanOrEqual(screenCount)
      const screens = pageRecords.slice(0, screenCount)
      const { errors } = await openScreens(`https://127.0.0.1:${ports.tls}/`, screens)
      expect(errors).toEqual([])
    },
    buildTimeoutMs,
  )

  describeWithChromium('serves the console below a path', () => {
    let pathProcess: PathProcess | undefined
    beforeAll(async () => (pathProcess = await startPathProcess()))
    afterAll(() => pathProcess?.process.kill())

    it.each([
      ['passed on', false],
      ['removed', true],
    ])(
      'that is %s: sign-in, screens of each remote, live channel, API documentation, override by a developer, publish, rollback',
      (_, isPathRemoved) => testConsoleBelowPath(pathProcess!, isPathRemoved),
      buildTimeoutMs,
    )
  })

  it('limits sign-ins per address', async () => {
    const statuses = await Promise.all(
      Array.from({ length: loginBurst + 20 }, async () => (await send(authApi.login.path)).status),
    )
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(10)
    expect(statuses).toContain(404)
  })

  it('keeps answering, also to POST, while one process is gone', async () => {
    await processes[1]!.kill()
    // The program that started the process may end before it.
    await waitUntil(
      () => processes[1]!.readyStatus().catch(() => 0),
      (status) => status === 0,
    )
    for (let call = 0; call < 20; call++) {
      expect((await send('/readyz')).status).toBe(200)
      expect(await callApi(manufacturerApi.page.path, {})).toMatchObject({ code: 0 })
    }
  })
})
