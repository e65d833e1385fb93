import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
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
