import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { log } from '../core/logging/log'
import { registerSite } from './site'

it('answers 304 only when the content of the pointer is unchanged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'site-'))
  const app = Fastify()
  await registerSite(app, { folder })
  const serve = (remotes: object) =>
    writeFile(join(folder, 'pointer.json'), JSON.stringify({ revision: 1, host: null, remotes }))
  const fetchPointer = (tag = '') =>
    app.inject({ url: '/pointer.json', headers: { ...(tag && { 'if-none-match': tag }) } })

  await serve({})
  const { etag } = (await fetchPointer()).headers
  expect((await fetchPointer(etag)).statusCode).toBe(304)
  // A recreated site counts its revisions from one again.
  await serve({ system: { build: 'aaaa1' } })
  expect((await fetchPointer(etag)).json()).toMatchObject({
    remotes: { system: { build: 'aaaa1' } },
  })
  await app.close()
  await rm(folder, { recursive: true })
})

it('serves the development page only to a user who may load development builds', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'site-'))
  const app = Fastify()
  await registerSite(app, { folder, mayTry: async (proof) => proof === 'developer' })
  await mkdir(join(folder, 'host/aaaa1'), { recursive: true })
  await writeFile(join(folder, 'host/aaaa1/index.html'), '<meta name="dev" content="__DEV__" />')
  await writeFile(
    join(folder, 'pointer.json'),
    JSON.stringify({ revision: 1, host: { build: 'aaaa1' }, remotes: {} }),
  )
  const page = async (cookie?: string) => {
    const { headers, body } = await app.inject({
      url: '/home',
      headers: { accept: 'text/html', ...(cookie && { cookie }) },
    })
    return { isOpen: String(headers['content-security-policy']).includes('localhost'), body }
  }
  const closedPage = { isOpen: false, body: '<meta name="dev" content="" />' }
  expect(await page()).toEqual(closedPage)
  expect(await page('devRemote=1')).toEqual(closedPage)
  expect(await page('other=developer')).toEqual(closedPage)
  expect(await page('a=b; devRemote=developer')).toEqual({
    isOpen: true,
    body: '<meta name="dev" content="1" />',
  })
  await app.close()
  await rm(folder, { recursive: true })
})

it('serves the page with headers that forbid framing, camera and location, and allow the microphone to itself', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'site-'))
  const app = Fastify()
  await registerSite(app, { folder })
  await mkdir(join(folder, 'host/aaaa1'), { recursive: true })
  await writeFile(join(folder, 'host/aaaa1/index.html'), '<!doctype html>')
  await writeFile(
    join(folder, 'pointer.json'),
    JSON.stringify({ revision: 1, host: { build: 'aaaa1' }, remotes: {} }),
  )
  const { headers } = await app.inject({ url: '/home', headers: { accept: 'text/html' } })
  expect(headers['cross-origin-opener-policy']).toBe('same-origin')
  expect(headers['permissions-policy']).toMatch(
    /camera=\(\), geolocation=\(\).*microphone=\(self\)/,
  )
  await app.close()
  await rm(folder, { recursive: true })
})

describe('a file of a build', () => {
  let folder: string
  const app = Fastify()
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'site-'))
    await registerSite(app, { folder })
    await mkdir(join(folder, 'host/aaaa1/maps'), { recursive: true })
    for (const [file, text] of Object.entries({
      'host/aaaa1/main.js': 'plain',
      'host/aaaa1/main.js.br': 'brotli',
      'host/aaaa1/main.js.gz': 'gzip',
      'host/aaaa1/index.html': '<p>page</p>',
      'host/aaaa1/maps/main.js.map.gz': 'map',
      'host/aaaa1/release.sig': 'signature',
      'held.json': '[]',
    }))
      await writeFile(join(folder, file), text)
  })
  afterAll(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })

  it.each([
    ['gzip, deflate, br', 'br', 'brotli'],
    ['gzip', 'gzip', 'gzip'],
    ['identity', undefined, 'plain'],
  ])('is sent as the browser accepts it, for a year: %s', async (accepted, encoding, text) => {
    const { headers, body } = await app.inject({
      url: '/host/aaaa1/main.js',
      headers: { 'accept-encoding': accepted },
    })
    expect(body).toBe(text)
    expect(headers).toMatchObject({
      'content-type': 'application/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable, no-transform',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    })
    expect(headers['content-encoding']).toBe(encoding)
  })

  it('is plain text if it is a signature, which pages ask for', async () => {
    const { headers } = await app.inject('/host/aaaa1/release.sig')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  })

  it('is sandboxed if it is a page', async () => {
    const { headers } = await app.inject('/host/aaaa1/index.html')
    expect(headers['content-security-policy']).toBe('sandbox')
  })

  it.each([
    '/host/aaaa1/missing.js',
    '/host/aaaa1',
    '/host/aaaa1/',
    '/host/aaaa1/maps/main.js.map.gz',
    '/host/aaaa1/maps/main.js.map',
    '/host/..%2fheld.json',
    '/host/%2e%2e%2fheld.json',
    '/host//aaaa1/main.js',
  ])('is missing in plain text, also when it is opened as a page: %s', async (url) => {
    const { statusCode, headers, body } = await app.inject({
      url,
      headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate' },
    })
    expect({ statusCode, body }).toEqual({ statusCode: 404, body: '404\n' })
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(headers['cache-control']).toBe('no-store')
  })
})

describe('a pointer that is missing or broken', () => {
  let folder: string
  const app = Fastify()
  const reports: string[] = []
  const openPage = () => app.inject({ url: '/home', headers: { accept: 'text/html' } })
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'site-'))
    jest.spyOn(log, 'error').mockImplementation(() => {})
    app.decorate('reportError', (_, { message }) => void reports.push(message))
    await registerSite(app, { folder })
  })
  afterEach(() => expect(new Set(reports)).toEqual(new Set(['pointer.json 不完整或被改动'])))
  afterAll(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })

  it.each(['', '{"revision":', '[]'])(
    'answers a page in words without a ledger: %j',
    async (text) => {
      await writeFile(join(folder, 'pointer.json'), text)
      const { statusCode, headers, body } = await openPage()
      expect(statusCode).toBe(503)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(body).toContain('控制台暂时打不开')
      expect((await app.inject('/pointer.json')).statusCode).toBe(404)
    },
  )

  it.each(['', '{"revision":', undefined])(
    'is rebuilt from the newest ledger entry: %j',
    async (text) => {
      const deployed = {
        build: 'aaaa1',
        record: `sha384-${'x'.repeat(64)}`,
        previous: null,
        needs: {},
      }
      const pointer = { revision: 3, host: deployed, remotes: {} }
      const entry = { time: '', who: 'li', why: '', verb: 'publish', name: 'host', build: 'aaaa1' }
      await mkdir(join(folder, 'host/aaaa1'), { recursive: true })
      await mkdir(join(folder, 'ledger'), { recursive: true })
      await writeFile(join(folder, 'host/aaaa1/index.html'), '<p>console</p>')
      await writeFile(
        join(folder, 'ledger/00000003.json'),
        JSON.stringify({ ...entry, before: null, pointer }),
      )
      const file = join(folder, 'pointer.json')
      await (text === undefined ? rm(file, { force: true }) : writeFile(file, text))
      expect((await app.inject('/pointer.json')).json()).toEqual(pointer)
      expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(pointer)
      expect((await openPage()).body).toContain('<p>console</p>')
    },
  )
})
