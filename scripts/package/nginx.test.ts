import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { livePath } from '@iot/shared/contract/live'
import { Site, computeHash } from 'server/src/site/releases'
import { testApp, type TestApp } from 'server/src/testing'
import { WebSocket } from 'ws'
import { findFreePort } from '../freePort'
import { root } from '../root'

const nginx = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'].find((file) =>
  existsSync(file),
)
const title = nginx
  ? 'the shipped nginx.conf'
  : 'the shipped nginx.conf (nginx is not installed: apt-get install nginx)'

/** Runs the shipped file with the ports, the certificate and the site of this test. */
const describeWithNginx = nginx ? describe : describe.skip

describeWithNginx(title, () => {
  let folder: string
  let app: TestApp
  let site: Site
  let webServer: ChildProcess
  let port: number

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'nginx-'))
    const siteFolder = join(folder, 'site')
    site = new Site(siteFolder)
    await site.publish(createBuild('s001'))
    app = await testApp({ site: { folder: siteFolder }, trustProxy: '127.0.0.1' })
    const platformUrl = await app.app.listen({ port: 0, host: '127.0.0.1' })
    port = await findFreePort()
    const config = writeConfig(new URL(platformUrl).port, siteFolder, await findFreePort())
    webServer = spawn(nginx!, ['-c', config, '-g', 'daemon off;'], { stdio: 'inherit' })
    // The listener is open once a call is answered.
    while ((await get('/healthz').catch(() => undefined))?.status !== 200)
      if (webServer.exitCode !== null) throw new Error('nginx ended')
  })
  afterAll(async () => {
    webServer.kill('SIGTERM')
    await once(webServer, 'exit')
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })

  function createBuild(build: string) {
    const dist = join(folder, build)
    mkdirSync(dist)
    const content = `entry of ${build}`
    writeFileSync(join(dist, 'entry.js'), content)
    const record = {
      ...{ name: 'system', build, shellApi: '1', requires: {}, shared: [], routes: [] },
      ...{ needs: {}, entry: 'entry.js', files: { 'entry.js': computeHash(content) } },
    }
    writeFileSync(join(dist, 'release.json'), JSON.stringify(record))
    return dist
  }

  function writeConfig(platformPort: string, siteFolder: string, plainPort: number) {
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
    const options = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost']
    const files = ['-keyout', key, '-out', certificate]
    expect(spawnSync('openssl', ['req', '-x509', ...options, ...files]).status).toBe(0)
    const server = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8')
      .replace('/etc/ssl/iot-console.crt', certificate)
      .replace('/etc/ssl/private/iot-console.key', key)
      .replace('/var/lib/iot-console/data/site', siteFolder)
      .replaceAll(/^ +listen \[::\].*$/gm, '')
      .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('127.0.0.1:8080', `127.0.0.1:${platformPort}`)
      // The second process of the file is one that does not answer.
      .replace('127.0.0.1:8081', '127.0.0.1:9')
    writeFileSync(join(folder, 'site.conf'), server)
    const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${join(folder, kind)};`,
    )
    const file = join(folder, 'nginx.conf')
    writeFileSync(
      file,
      `pid ${join(folder, 'pid')}; error_log ${join(folder, 'error.log')};
       user ${process.getuid?.() === 0 ? 'root' : 'nobody'};
       events {}
       http { access_log off; ${temporaryPaths.join(' ')} include ${join(folder, 'site.conf')}; }`,
    )
    return file
  }

  const get = (path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status?: number; headers: NodeJS.Dict<string | string[]>; text: string }>(
      (resolve, reject) => {
        const call = request(
          { host: '127.0.0.1', port, path, headers, rejectUnauthorized: false },
          (answer) => {
            let text = ''
            answer.on('data', (chunk) => (text += chunk))
            answer.on('end', () =>
              resolve({ status: answer.statusCode, headers: answer.headers, text }),
            )
          },
        )
        call.on('error', reject).end()
      },
    )

  it('passes calls and health to the process that answers, with HSTS and nosniff', async () => {
    for (const path of ['/healthz', '/readyz', '/v1/base-config', '/pointer.json', '/metrics']) {
      const answer = await get(path)
      expect([path, answer.status]).toEqual([path, 200])
      expect(answer.headers['strict-transport-security']).toBe('max-age=31536000')
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
    }
  })

  it('serves files of builds for a year and answers missing ones with 404, not with the page', async () => {
    const entry = await get('/remotes/system/s001/entry.js')
    expect(entry).toMatchObject({ status: 200, text: 'entry of s001' })
    expect(entry.headers['cache-control']).toBe('public, max-age=31536000, immutable, no-transform')
    for (const path of ['/remotes/system/s001/missing.js', '/host/x/main.js', '/missing.js'])
      expect((await get(path)).status).toBe(404)
    expect((await get('/remotes/system/s001/maps/entry.js.map')).status).toBe(404)
  })

  it('serves a published build and, after a rollback, the former one', async () => {
    const readBuild = async () =>
      JSON.parse((await get('/pointer.json')).text).remotes.system.build as string
    await site.publish(createBuild('s002'))
    expect(await readBuild()).toBe('s002')
    expect((await get('/remotes/system/s002/entry.js')).text).toBe('entry of s002')
    await site.rollback('system')
    expect(await readBuild()).toBe('s001')
  })

  it('upgrades the live channel', async () => {
    const socket = new WebSocket(`wss://127.0.0.1:${port}${livePath}`, {
      rejectUnauthorized: false,
    })
    await once(socket, 'open')
    socket.terminate()
  })
})
