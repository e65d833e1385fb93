import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refused } from '../../server/src/site/refused'
import { Site } from '../../server/src/site/releases'
import { bringIn } from './bringIn'

const sha384 = (text: string) => `sha384-${createHash('sha384').update(text).digest('base64')}`
let folder: string
let site: Site
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-test-'))
  site = new Site(join(folder, 'site'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function build(id: string, text = `console.log("${id}")`, name = 'system') {
  const dist = join(folder, 'dist', `${name}-${id}-${text.length}`)
  await mkdir(dist, { recursive: true })
  await writeFile(join(dist, 'entry.js'), text)
  const record = {
    name,
    build: id,
    shellApi: '^1.0.0',
    requires: {},
    shared: [],
    entry: 'entry.js',
    routes: [],
    needs: { '*': { files: [], shared: [] } },
    files: { 'entry.js': sha384(text) },
  }
  await writeFile(join(dist, 'release.json'), JSON.stringify(record))
  return dist
}
/** Adds fields to the release record of a build. */
async function recorded(dist: string, more: object) {
  const path = join(dist, 'release.json')
  const record = JSON.parse(await readFile(path, 'utf8')) as object
  await writeFile(path, JSON.stringify({ ...record, ...more }))
  return dist
}
const offering = async (id: string, ...modules: string[]) =>
  recorded(await build(id, `host("${id}")`, 'host'), {
    offers: Object.fromEntries(modules.map((one) => [one, ['default']])),
  })
const using = async (id: string, ...modules: string[]) =>
  recorded(await build(id), { shared: modules })
const served = async () =>
  JSON.parse(await readFile(join(folder, 'site/pointer.json'), 'utf8')) as Awaited<
    ReturnType<Site['pointer']>
  >

describe('publish', () => {
  it('refuses other bytes under an id that is taken', async () => {
    await site.publish(await build('aaaa1'))
    await expect(site.publish(await build('aaaa1', 'other()'))).rejects.toThrow(Refused)
  })

  it('refuses a build whose file is not what its record says, and leaves nothing of it', async () => {
    const dist = await build('aaaa1')
    await writeFile(join(dist, 'entry.js'), 'changed()')
    await expect(site.publish(dist)).rejects.toThrow('与发布记录不符')
    expect(await site.builds('system')).toEqual([])
    expect((await site.pointer()).revision).toBe(0)
  })

  it('serves the build, pinned by the hash of its record, and says who and why', async () => {
    const dist = await build('aaaa1')
    await site.publish(dist, { who: 'li', why: '首发' })
    const { remotes, revision } = await served()
    expect(revision).toBe(1)
    expect(remotes.system).toMatchObject({
      build: 'aaaa1',
      previous: null,
      record: sha384(await readFile(join(dist, 'release.json'), 'utf8')),
    })
    expect(await site.ledger()).toMatchObject([
      { who: 'li', why: '首发', verb: 'publish', name: 'system', build: 'aaaa1', before: null },
    ])
  })

  it('loses nothing when many publish at once', async () => {
    const names = ['system', 'enterprise', 'deviceAccess'] as const
    await Promise.all(
      names.flatMap((name) =>
        [1, 2, 3, 4].map(async (n) => site.publish(await build(`aaaa${n}`, `${n}`, name))),
      ),
    )
    expect((await served()).revision).toBe(12)
    const ledger = await site.ledger()
    expect(ledger.map(({ pointer }) => pointer.revision)).toEqual(
      Array.from({ length: 12 }, (_, index) => index + 1),
    )
    for (const name of names)
      expect((await served()).remotes[name]?.build).toBe(
        ledger.filter((one) => one.name === name).at(-1)!.build,
      )
  })
})

describe('rollback', () => {
  it('refuses where there is nothing before, or no such build', async () => {
    await expect(site.rollback('system')).rejects.toThrow('没有可回退的版本')
    await site.publish(await build('aaaa1'))
    await expect(site.rollback('system', 'aaaa9')).rejects.toThrow('没有版本 aaaa9')
  })

  it('serves the build before, and again the newer', async () => {
    await site.publish(await build('aaaa1'))
    await site.publish(await build('aaaa2'))
    await site.rollback('system')
    const { system } = (await served()).remotes
    expect(system).toMatchObject({ build: 'aaaa1', previous: 'aaaa2' })
    expect(system!.previousRecord).toBe(
      sha384(await readFile(join(folder, 'site/remotes/system/aaaa2/release.json'), 'utf8')),
    )
    await site.rollback('system')
    expect((await served()).remotes.system?.build).toBe('aaaa2')
  })
})

describe('a canary', () => {
  const canary = async () => (await served()).remotes.system?.canary
  const tenth = { share: 10 }

  it('is refused of the host, of a remote that nobody has yet, and of what all have', async () => {
    await expect(site.publish(await build('aaaa1'), tenth)).rejects.toThrow('还没有全量版本')
    await site.publish(await build('aaaa1'))
    await expect(site.publish(await build('aaaa1'), tenth)).rejects.toThrow('已经全量启用')
    await site.publish(await build('hhhh1', 'host()', 'host'))
    await expect(site.publish(await build('hhhh2', 'h2()', 'host'), tenth)).rejects.toThrow(
      '控制台是同一个页面',
    )
    await expect(site.widen('system', { share: 50 })).rejects.toThrow('没有灰度版本')
    expect(await canary()).toBeUndefined()
  })

  it('stands beside what all others get, is widened, and then is what all get', async () => {
    await site.publish(await build('aaaa1'))
    await site.publish(await build('aaaa2'), tenth)
    const record = sha384(
      await readFile(join(folder, 'site/remotes/system/aaaa2/release.json'), 'utf8'),
    )
    expect((await served()).remotes.system).toMatchObject({
      build: 'aaaa1',
      previous: null,
      canary: { build: 'aaaa2', record, share: 10 },
    })
    await site.widen('system', { share: 50 })
    expect(await canary()).toMatchObject({ build: 'aaaa2', share: 50 })
    await site.widen('system')
    expect(await canary()).toBeUndefined()
    expect((await served()).remotes.system).toMatchObject({ build: 'aaaa2', previous: 'aaaa1' })
    expect((await site.ledger()).map(({ build, share }) => [build, share])).toEqual([
      ['aaaa1', undefined],
      ['aaaa2', 10],
      ['aaaa2', 50],
      ['aaaa2', undefined],
    ])
  })

  it('ends with a rollback, which leaves all else as it was, and with another build for all', async () => {
    for (const one of ['aaaa1', 'aaaa2']) await site.publish(await build(one))
    const { remotes } = await served()
    await site.publish(await build('aaaa3'), tenth)
    await site.rollback('system')
    expect((await served()).remotes).toEqual(remotes)
    expect((await site.ledger()).at(-1)).toMatchObject({ build: 'aaaa2', before: 'aaaa3' })
    await site.publish(await build('aaaa3'), tenth)
    await site.publish(await build('aaaa4'))
    expect((await served()).remotes.system).toMatchObject({ build: 'aaaa4', previous: 'aaaa2' })
    expect(await canary()).toBeUndefined()
  })

  it('is kept, however many builds came after', async () => {
    await site.publish(await build('aaaa1'))
    await site.publish(await build('aaaa2'), tenth)
    expect(await site.collect({ keep: 0, youngest: 0 })).toEqual([])
  })

  it('keeps a host from coming that it cannot run in', async () => {
    await site.publish(await offering('hhhh1', 'react', 'dayjs'))
    await site.publish(await build('aaaa1'))
    await site.publish(await using('aaaa2', 'dayjs'), tenth)
    await expect(site.publish(await offering('hhhh2', 'react'))).rejects.toThrow(
      '当前控制台没有提供 dayjs',
    )
  })
})

describe('a start', () => {
  const now = async () => (await served()).remotes.system
  const start = async (id: string) => site.publishAtStart([await build(id)])

  it('brings what it has not brought before, and leaves a rollback and a canary as they are', async () => {
    await start('aaaa1')
    await start('aaaa2')
    expect(await now()).toMatchObject({ build: 'aaaa2', previous: 'aaaa1' })
    await site.rollback('system')
    await start('aaaa2')
    expect(await now()).toMatchObject({ build: 'aaaa1' })
    await site.publish(await build('aaaa3'), { share: 10 })
    await start('aaaa2')
    expect(await now()).toMatchObject({ build: 'aaaa1', canary: { build: 'aaaa3' } })
    await start('aaaa4')
    expect(await now()).toMatchObject({ build: 'aaaa4', previous: 'aaaa1' })
  })

  it('brings all that was built together where the new host does not run what was gone back to', async () => {
    const remote = await using('aaaa2')
    await site.publishAtStart([await offering('hhhh1', 'dayjs'), await using('aaaa1', 'dayjs')])
    await site.publishAtStart([await offering('hhhh1', 'dayjs'), remote])
    await site.rollback('system')
    await site.publishAtStart([await offering('hhhh2', 'react'), remote])
    expect(await served()).toMatchObject({
      host: { build: 'hhhh2' },
      remotes: { system: { build: 'aaaa2' } },
    })
  })

  it('goes on with what is served where a remote of others would not run with what comes', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation()
    await bringIn(site, [await offering('hhhh1', 'react', 'dayjs')])
    const foreign = await build('ffff1', 'energy()', 'energy')
    await site.publish(await recorded(foreign, { shared: ['dayjs'] }))
    await bringIn(site, [await offering('hhhh2', 'react')])
    expect(await served()).toMatchObject({
      host: { build: 'hhhh1' },
      remotes: { energy: { build: 'ffff1' } },
    })
    expect(warn).toHaveBeenCalledWith(expect.stringMatching(/dayjs，没有发布，继续提供原有版本$/))
  })

  it('brings what it brought before the last time, as who goes back in the sources expects', async () => {
    for (const one of ['aaaa1', 'aaaa2', 'aaaa1']) await start(one)
    expect(await now()).toMatchObject({ build: 'aaaa1', previous: 'aaaa2' })
  })
})

describe('collect', () => {
  it('keeps the last five, what is held, and what is served', async () => {
    for (let n = 1; n <= 8; n++) await site.publish(await build(`aaaa${n}`))
    const removed = await site.collect({ held: ['aaaa1'], youngest: 0 })
    expect(removed).toEqual(['system aaaa2', 'system aaaa3'])
    expect(await site.builds('system')).toEqual([
      'aaaa1',
      'aaaa4',
      'aaaa5',
      'aaaa6',
      'aaaa7',
      'aaaa8',
    ])
  })
})

it('has a valid pointer after kill -9 at any moment', async () => {
  await site.publish(await build('aaaa0'))
  const dists = await Promise.all([1, 2].map((n) => build(`aaaa${n}`)))
  const endless = `
    const { Site } = await import(${JSON.stringify(join(__dirname, '../../server/src/site/releases.ts'))})
    const site = new Site(${JSON.stringify(site.folder)})
    for (;;) for (const dist of ${JSON.stringify(dists)}) await site.publish(dist)`
  for (let round = 0; round < 6; round++) {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', endless],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    const before = (await site.pointer()).revision
    for (let waited = 0; (await site.pointer()).revision < before + 3 && waited < 200; waited++)
      await new Promise((done) => setTimeout(done, 50))
    await new Promise((done) => setTimeout(done, Math.random() * 20))
    const gone = new Promise((done) => child.on('exit', done))
    child.kill('SIGKILL')
    await gone
    const pointer = await served()
    expect(await site.builds('system')).toContain(pointer.remotes.system!.build)
    // The next release continues from the newest ledger entry.
    const { revision } = await site.pointer()
    await site.publish(await build(`bbbb${round}`))
    expect((await served()).revision).toBe(revision + 1)
  }
  expect((await readdir(join(site.folder, 'ledger'))).length).toBe((await served()).revision)
})
