import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { site } from './site'

it('answers that nothing changed only where the content of the pointer is the same', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'site-'))
  const app = Fastify()
  await site(app, { folder })
  const serve = (remotes: object) =>
    writeFile(join(folder, 'pointer.json'), JSON.stringify({ revision: 1, host: null, remotes }))
  const ask = (tag = '') =>
    app.inject({ url: '/pointer.json', headers: { ...(tag && { 'if-none-match': tag }) } })

  await serve({})
  const { etag } = (await ask()).headers
  expect((await ask(etag)).statusCode).toBe(304)
  // Made anew, a site counts its revisions from one again.
  await serve({ system: { build: 'aaaa1' } })
  expect((await ask(etag)).json()).toMatchObject({ remotes: { system: { build: 'aaaa1' } } })
  await app.close()
  await rm(folder, { recursive: true })
})

it('opens a page that no other site holds and that withholds camera and place, and leaves the microphone to itself', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'site-'))
  const app = Fastify()
  await site(app, { folder })
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
