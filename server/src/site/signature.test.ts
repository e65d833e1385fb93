import { generateKeyPairSync } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Pointer } from '@iot/shared/contract/release/release.schema'
import { publishOnStart } from './publishOnStart'
import { Site } from './releases'
import { computeHash } from './siteFiles'
import { encodeRawKey, readKey, writeKeys } from './signature'
import { registerSite as serveSite } from './site'
import { log } from '../core/logging/log'

const createKeyPair = () => generateKeyPairSync('ed25519')
const keys = createKeyPair()
const asks = { method: 'GET', path: '/v1/menu/list' } as const
let folder: string
let siteFolder: string
/**
 * Three users of one folder: an operator with the private key, the server with the public key, and an intruder who
 * can only write files.
 */
let operator: Site
let server: Site
let intruder: Site

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signed-'))
  siteFolder = join(folder, 'site')
  operator = new Site(siteFolder, keys)
  server = new Site(siteFolder, { publicKey: keys.publicKey })
  intruder = new Site(siteFolder)
})
afterEach(() => rm(folder, { recursive: true }))

async function createBuild(id: string, name = 'system') {
  const dist = join(folder, `${name}-${id}`)
  const files = {
    'entry.js': `${name}("${id}")`,
    'index.html': `<!doctype html>${id} __RELEASE_KEY__`,
  }
  await mkdir(dist, { recursive: true })
  for (const [file, text] of Object.entries(files)) await writeFile(join(dist, file), text)
  const record = {
    name,
    build: id,
    shellApi: '^1.0.0',
    requires: {},
    shared: [],
    entry: 'entry.js',
    needs: { '*': { files: [], shared: [] }, '/system/menu': { files: [], shared: [], asks } },
    files: Object.fromEntries(
      Object.entries(files).map(([file, text]) => [file, computeHash(text)]),
    ),
  }
  await writeFile(join(dist, 'release.json'), JSON.stringify(record))
  return dist
}
const toSitePath = (...path: string[]) => join(siteFolder, 'remotes/system', ...path)
const editFile = async (file: string, edit: (text: string) => string) =>
  writeFile(file, edit(await readFile(file, 'utf8')))

describe('a site with a signing key', () => {
  it('refuses to publish an unsigned build and leaves no file of it', async () => {
    await expect(server.publish(await createBuild('aaaa1'))).rejects.toThrow(
      'system aaaa1 没有签名',
    )
    expect(await server.builds('system')).toEqual([])
    expect((await server.pointer()).revision).toBe(0)
  })

  it('refuses a build signed by another key', async () => {
    const otherSite = new Site(siteFolder, { ...keys, privateKey: createKeyPair().privateKey })
    await expect(otherSite.publish(await createBuild('aaaa1'))).rejects.toThrow('的签名与公钥不符')
  })

  it('refuses to roll back to a build whose release record was changed after signing', async () => {
    for (const id of ['aaaa1', 'aaaa2']) await operator.publish(await createBuild(id))
    await editFile(toSitePath('aaaa1/release.json'), (text) => text.replace('"^1.0.0"', '"^1.0.1"'))
    await expect(server.rollback('system')).rejects.toThrow('system aaaa1 的签名与公钥不符')
    expect((await server.pointer()).remotes.system?.build).toBe('aaaa2')
  })

  it('refuses a signed build under the name of another remote or under another id', async () => {
    for (const name of ['system', 'enterprise'])
      await operator.publish(await createBuild('aaaa1', name))
    await cp(toSitePath('aaaa1'), join(siteFolder, 'remotes/enterprise/aaaa9'), { recursive: true })
    await expect(server.rollback('enterprise', 'aaaa9')).rejects.toThrow(
      'enterprise aaaa9 的签名是 system aaaa1 的',
    )
    await cp(toSitePath('aaaa1'), toSitePath('aaaa9'), { recursive: true })
    await expect(server.rollback('system', 'aaaa9')).rejects.toThrow('的签名是 system aaaa1 的')
  })

  it('refuses to widen an unsigned canary', async () => {
    await operator.publish(await createBuild('aaaa1'))
    await intruder.publish(await createBuild('aaaa2'), { share: 1 })
    await expect(server.widenCanary('system', { share: 90 })).rejects.toThrow(
      'system aaaa2 没有签名',
    )
  })

  it('rolls back, widens and republishes signed builds without the private key', async () => {
    for (const id of ['aaaa1', 'aaaa2']) await operator.publish(await createBuild(id))
    await server.rollback('system')
    expect((await server.pointer()).remotes.system).toMatchObject({ build: 'aaaa1' })
    // A build that was signed elsewhere brings its signature in a file beside the record.
    await cp(toSitePath('aaaa2/release.sig'), join(await createBuild('aaaa2'), 'release.sig'))
    await rm(toSitePath('aaaa2'), { recursive: true })
    await server.publish(join(folder, 'system-aaaa2'), { share: 10 })
    await server.widenCanary('system')
    expect((await server.pointer()).remotes.system).toMatchObject({ build: 'aaaa2' })
  })

  it('signs a build published before the key existed and records that in the ledger', async () => {
    await intruder.publish(await createBuild('aaaa1'))
    await operator.publish(await createBuild('aaaa1'), { why: '签名' })
    await server.rollback('system', 'aaaa1')
    expect((await server.ledger()).map(({ build, why }) => [build, why])).toEqual([
      ['aaaa1', '发布'],
      ['aaaa1', '签名'],
    ])
  })

  it('publishes at start only what was published with the key', async () => {
    await operator.publish(await createBuild('aaaa1'))
    await publishOnStart(server, [await createBuild('aaaa1')])
    const warn = jest.spyOn(process.stderr, 'write').mockReturnValue(true)
    await publishOnStart(server, [await createBuild('aaaa2')])
    expect(warn).toHaveBeenCalledWith(expect.stringMatching(/^system aaaa2 没有签名，没有发布；/))
    warn.mockRestore()
    expect((await server.pointer()).remotes.system?.build).toBe('aaaa1')
  })
})

describe('a browser', () => {
  let app: FastifyInstance
  const reports: string[] = []
  async function openSite(key = true) {
    app = Fastify()
    app.decorate('reportError', (_, { message }) => void reports.push(message))
    await serveSite(app, { folder: siteFolder, ...(key && { key: keys.publicKey }) })
  }
  beforeEach(() => {
    reports.length = 0
    jest.spyOn(log, 'error').mockImplementation(() => {})
  })
  afterEach(async () => {
    jest.restoreAllMocks()
    await app.close()
  })
  const pointer = async () => (await app.inject('/pointer.json')).json<Pointer>()
  const page = () => app.inject({ url: '/home', headers: { accept: 'text/html' } })

  it('gets the published build when the site has no key', async () => {
    await intruder.publish([await createBuild('aaaa1'), await createBuild('hhhh1', 'host')])
    await openSite(false)
    expect((await app.inject('/pointer.json')).body).toBe(
      await readFile(join(siteFolder, 'pointer.json'), 'utf8'),
    )
    expect((await page()).body).toBe('<!doctype html>hhhh1 ')
  })

  it('keeps the former build instead of an unsigned one, without a new unsigned remote, and logs both once', async () => {
    await operator.publish(await createBuild('aaaa1'))
    await openSite()
    expect((await pointer()).remotes).toMatchObject({ system: { build: 'aaaa1' } })
    await intruder.publish([await createBuild('aaaa2'), await createBuild('bbbb1', 'enterprise')])
    for (const _ of [1, 2]) {
      const { remotes } = await pointer()
      expect(remotes).toMatchObject({ system: { build: 'aaaa1' } })
      expect(remotes).not.toHaveProperty('enterprise')
    }
    expect(reports).toEqual(['system aaaa2 没有签名；enterprise bbbb1 没有签名'])
    // The build is served as soon as it is signed.
    await operator.publish(await createBuild('aaaa2'))
    expect((await pointer()).remotes).toMatchObject({
      system: { build: 'aaaa2', previous: 'aaaa1' },
    })
  })

  it('gets the former build when the server starts after an unsigned build was published', async () => {
    await operator.publish(await createBuild('aaaa1'))
    await intruder.publish(await createBuild('aaaa2'))
    await openSite()
    expect((await pointer()).remotes.system).toMatchObject({ build: 'aaaa1', previous: null })
    expect(reports).toEqual(['system aaaa2 没有签名'])
  })

  it('gets neither an unsigned canary nor an unsigned previous build', async () => {
    await intruder.publish(await createBuild('aaaa1'))
    await operator.publish(await createBuild('aaaa2'))
    await intruder.publish(await createBuild('aaaa3'), { share: 99 })
    await openSite()
    const { system } = (await pointer()).remotes
    expect(system).toMatchObject({ build: 'aaaa2', previous: null })
    expect(system).not.toHaveProperty('canary')
    expect(reports).toEqual(['system aaaa3 没有签名'])
  })

  it('gets no field of the pointer except the named build', async () => {
    await operator.publish(await createBuild('aaaa1'))
    await openSite()
    const originalPointer = await pointer()
    await editFile(join(siteFolder, 'pointer.json'), (text) =>
      text
        .replace('/v1/menu/list', '/v1/user/remove')
        .replace(/"record":"sha384-\w{8}/, '"record":"sha384-AAAAAAAA')
        .replace('"build"', '"title":"登录已过期","build"'),
    )
    expect(await pointer()).toEqual(originalPointer)
  })

  it('gets the last valid pointer when the file is truncated or missing', async () => {
    await operator.publish(await createBuild('aaaa1'))
    await openSite()
    const originalPointer = await pointer()
    await editFile(join(siteFolder, 'pointer.json'), (text) => text.slice(0, 40))
    expect(await pointer()).toEqual(originalPointer)
    await rm(join(siteFolder, 'pointer.json'))
    expect(await pointer()).toEqual(originalPointer)
    expect(reports).toEqual(['pointer.json 不完整或被改动'])
  })

  it('gets a page with the public key, and 503 when the page does not match its signed record', async () => {
    await operator.publish(await createBuild('hhhh1', 'host'))
    await openSite()
    await editFile(join(siteFolder, 'host/hhhh1/index.html'), (text) => `${text}<script>`)
    const refusedPage = await page()
    expect([refusedPage.statusCode, refusedPage.body]).toEqual([
      503,
      expect.stringContaining('控制台尚未发布，或没有用这个站点的密钥签名'),
    ])
    expect(reports).toEqual(['host hhhh1 的 index.html 与发布记录不符'])
    await operator.publish(await createBuild('hhhh2', 'host'))
    expect((await page()).body).toBe(`<!doctype html>hhhh2 ${encodeRawKey(keys.publicKey)}`)
  })

  it('gets HTML of a remote only with a sandbox policy', async () => {
    await intruder.publish(await createBuild('aaaa1'))
    await openSite(false)
    const { headers } = await app.inject('/remotes/system/aaaa1/index.html')
    expect(headers['content-security-policy']).toBe('sandbox')
  })
})

describe('keys', () => {
  it('are refused when a private key is given for a public one or the reverse', async () => {
    const file = join(folder, 'key')
    const publicKeyFile = writeKeys(file)
    expect(() => readKey('publicKey', file)).toThrow('是私钥，这里要公钥')
    expect(() => readKey('privateKey', publicKeyFile)).toThrow('不是私钥')
    expect(() => readKey('publicKey', join(folder, 'none'))).toThrow('不是公钥')
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
    await writeFile(publicKeyFile, rsa.export({ type: 'spki', format: 'pem' }))
    expect(() => readKey('publicKey', publicKeyFile)).toThrow('不是 Ed25519 密钥')
  })

  it('are written readable by their owner only and never overwrite existing files', async () => {
    const file = join(folder, 'key')
    const publicKeyFile = writeKeys(file)
    expect((await stat(file)).mode & 0o077).toBe(0)
    await new Site(siteFolder, {
      privateKey: readKey('privateKey', file),
      publicKey: readKey('publicKey', publicKeyFile),
    }).publish(await createBuild('aaaa1'))
    expect(() => writeKeys(file)).toThrow('已经存在')
  })
})
