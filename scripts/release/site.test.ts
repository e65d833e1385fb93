import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ReleaseRefusal } from '../../server/src/site/releaseRefusal'
import { Site } from '../../server/src/site/releases'
import { publishOnStart } from '../../server/src/site/publishOnStart'

const sha384 = (text: string) => `sha384-${createHash('sha384').update(text).digest('base64')}`
let folder: string
let site: Site
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-test-'))
  site = new Site(join(folder, 'site'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function createBuild(id: string, text = `console.log("${id}")`, name = 'system') {
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
async function extendRecord(dist: string, extraFields: object) {
  const path = join(dist, 'release.json')
  const record = JSON.parse(await readFile(path, 'utf8')) as object
  await writeFile(path, JSON.stringify({ ...record, ...extraFields }))
  return dist
}
const createHostOffering = async (id: string, ...modules: string[]) =>
  extendRecord(await createBuild(id, `host("${id}")`, 'host'), {
    offers: Object.fromEntries(modules.map((module) => [module, ['default']])),
  })
const createRemoteUsing = async (id: string, ...modules: string[]) =>
  extendRecord(await createBuild(id), { shared: modules })
const readPointer = async () =>
  JSON.parse(await readFile(join(folder, 'site/pointer.json'), 'utf8')) as Awaited<
    ReturnType<Site['pointer']>
  >

describe('publish', () => {
  it('refuses different bytes under an existing build id', async () => {
    await site.publish(await createBuild('aaaa1'))
    await expect(site.publish(await createBuild('aaaa1', 'other()'))).rejects.toThrow(
      ReleaseRefusal,
    )
  })

  it('accepts the same build from another machine, whose archive of types holds other times', async () => {
    const dist = await createBuild('aaaa1')
    const archive = join(dist, '@mf-types.zip')
    await writeFile(archive, 'written at one time')
    await site.publish(dist)
    await writeFile(archive, 'written at another time')
    expect((await site.publish(dist)).revision).toBe(1)
    const published = join(folder, 'site/remotes/system/aaaa1/@mf-types.zip')
    expect(await readFile(published, 'utf8')).toBe('written at one time')
  })

  it('refuses a build whose file does not match its release record, and leaves no file of it', async () => {
    const dist = await createBuild('aaaa1')
    await writeFile(join(dist, 'entry.js'), 'changed()')
    await expect(site.publish(dist)).rejects.toThrow('与发布记录不符')
    expect(await site.builds('system')).toEqual([])
    expect((await site.pointer()).revision).toBe(0)
  })

  it('leaves no file of a build that is refused as incompatible', async () => {
    await site.publish(await createHostOffering('hhhh1', 'antd/es/table'))
    await site.publish(await createRemoteUsing('aaaa1', 'antd/es/table'))
    await expect(site.publish(await createRemoteUsing('aaaa2', 'antd/es/tour'))).rejects.toThrow(
      'antd/es/tour',
    )
    expect(await site.builds('system')).toEqual(['aaaa1'])
    // A build that was served before stays, even if it is refused now.
    const narrowHost = await createHostOffering('hhhh2', 'antd/es/tag')
    await expect(
      site.publish([narrowHost, await createRemoteUsing('aaaa1', 'antd/es/table')]),
    ).rejects.toThrow(ReleaseRefusal)
    expect(await site.builds('system')).toEqual(['aaaa1'])
    expect(await site.builds('host')).toEqual(['hhhh1'])
  })

  it('serves the build with the hash of its record, and stores author and reason', async () => {
    const dist = await createBuild('aaaa1')
    await site.publish(dist, { who: 'li', why: '首发' })
    const { remotes, revision } = await readPointer()
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

  it('lists the shared modules that a remote needs from the new host', async () => {
    const host = await createHostOffering('hhhh1', 'antd/es/tour')
    await site.publish(host)
    const needs = { '*': { files: [], shared: ['antd/es/tour'] } }
    await site.publish(await extendRecord(await createBuild('aaaa1'), { needs }))
    const readShared = async () => (await readPointer()).remotes.system!.needs['*']!.shared
    expect(await readShared()).toEqual([])
    const nextHost = await createHostOffering('hhhh2', 'antd/es/tour')
    await site.publish(await extendRecord(nextHost, { shared: ['antd/es/tour'] }))
    expect(await readShared()).toEqual(['antd/es/tour'])
  })

  it('loses no build when several publish at once', async () => {
    const names = ['system', 'enterprise', 'deviceAccess'] as const
    await Promise.all(
      names.flatMap((name) =>
        [1, 2, 3, 4].map(async (n) => site.publish(await createBuild(`aaaa${n}`, `${n}`, name))),
      ),
    )
    expect((await readPointer()).revision).toBe(12)
    const ledger = await site.ledger()
    expect(ledger.map(({ pointer }) => pointer.revision)).toEqual(
      Array.from({ length: 12 }, (_, index) => index + 1),
    )
    for (const name of names)
      expect((await readPointer()).remotes[name]?.build).toBe(
        ledger.filter((candidate) => candidate.name === name).at(-1)!.build,
      )
  })
})

describe('rollback', () => {
  it('refuses without a former build, and for an unknown build', async () => {
    await expect(site.rollback('system')).rejects.toThrow('没有可回退的版本')
    await site.publish(await createBuild('aaaa1'))
    await expect(site.rollback('system', 'aaaa9')).rejects.toThrow('没有版本 aaaa9')
  })

  it('serves the former build, and the newer one on a second rollback', async () => {
    await site.publish(await createBuild('aaaa1'))
    await site.publish(await createBuild('aaaa2'))
    await site.rollback('system')
    const { system } = (await readPointer()).remotes
    expect(system).toMatchObject({ build: 'aaaa1', previous: 'aaaa2' })
    expect(system!.previousRecord).toBe(
      sha384(await readFile(join(folder, 'site/remotes/system/aaaa2/release.json'), 'utf8')),
    )
    await site.rollback('system')
    expect((await readPointer()).remotes.system?.build).toBe('aaaa2')
  })
})

describe('a canary', () => {
  const readCanary = async () => (await readPointer()).remotes.system?.canary
  const tenPercent = { share: 10 }

  it('is refused for the host, for a remote without a stable build, and for the current build', async () => {
    await expect(site.publish(await createBuild('aaaa1'), tenPercent)).rejects.toThrow(
      '还没有全量版本',
    )
    await site.publish(await createBuild('aaaa1'))
    await expect(site.publish(await createBuild('aaaa1'), tenPercent)).rejects.toThrow(
      '已经全量启用',
    )
    await site.publish(await createBuild('hhhh1', 'host()', 'host'))
    await expect(
      site.publish(await createBuild('hhhh2', 'h2()', 'host'), tenPercent),
    ).rejects.toThrow('控制台是同一个页面')
    await expect(site.widenCanary('system', { share: 50 })).rejects.toThrow('没有灰度版本')
    expect(await readCanary()).toBeUndefined()
  })

  it('is listed beside the stable build, widened, and promoted', async () => {
    await site.publish(await createBuild('aaaa1'))
    await site.publish(await createBuild('aaaa2'), tenPercent)
    const record = sha384(
      await readFile(join(folder, 'site/remotes/system/aaaa2/release.json'), 'utf8'),
    )
    expect((await readPointer()).remotes.system).toMatchObject({
      build: 'aaaa1',
      previous: null,
      canary: { build: 'aaaa2', record, share: 10 },
    })
    await site.widenCanary('system', { share: 50 })
    expect(await readCanary()).toMatchObject({ build: 'aaaa2', share: 50 })
    await site.widenCanary('system')
    expect(await readCanary()).toBeUndefined()
    expect((await readPointer()).remotes.system).toMatchObject({
      build: 'aaaa2',
      previous: 'aaaa1',
    })
    expect((await site.ledger()).map(({ build, share }) => [build, share])).toEqual([
      ['aaaa1', undefined],
      ['aaaa2', 10],
      ['aaaa2', 50],
      ['aaaa2', undefined],
    ])
  })

  it('ends with a rollback or another stable build, without other changes', async () => {
    for (const item of ['aaaa1', 'aaaa2']) await site.publish(await createBuild(item))
    const { remotes } = await readPointer()
    await site.publish(await createBuild('aaaa3'), tenPercent)
    await site.rollback('system')
    expect((await readPointer()).remotes).toEqual(remotes)
    expect((await site.ledger()).at(-1)).toMatchObject({ build: 'aaaa2', before: 'aaaa3' })
    await site.publish(await createBuild('aaaa3'), tenPercent)
    await site.publish(await createBuild('aaaa4'))
    expect((await readPointer()).remotes.system).toMatchObject({
      build: 'aaaa4',
      previous: 'aaaa2',
    })
    expect(await readCanary()).toBeUndefined()
  })

  it('is kept, however many builds follow', async () => {
    await site.publish(await createBuild('aaaa1'))
    await site.publish(await createBuild('aaaa2'), tenPercent)
    expect(await site.removeUnusedBuilds({ keep: 0, minAgeMs: 0 })).toEqual([])
  })

  it('prevents a host in which it cannot run', async () => {
    await site.publish(await createHostOffering('hhhh1', 'react', 'dayjs'))
    await site.publish(await createBuild('aaaa1'))
    await site.publish(await createRemoteUsing('aaaa2', 'dayjs'), tenPercent)
    await expect(site.publish(await createHostOffering('hhhh2', 'react'))).rejects.toThrow(
      '当前控制台没有提供 dayjs',
    )
  })
})

describe('publishing at start', () => {
  const readCurrent = async () => (await readPointer()).remotes.system
  const startWithBuild = async (id: string) => publishOnStart(site, [await createBuild(id)])

  it('publishes new builds only, and keeps a rollback and a canary', async () => {
    await startWithBuild('aaaa1')
    await startWithBuild('aaaa2')
    expect(await readCurrent()).toMatchObject({ build: 'aaaa2', previous: 'aaaa1' })
    await site.rollback('system')
    await startWithBuild('aaaa2')
    expect(await readCurrent()).toMatchObject({ build: 'aaaa1' })
    await site.publish(await createBuild('aaaa3'), { share: 10 })
    await startWithBuild('aaaa2')
    expect(await readCurrent()).toMatchObject({ build: 'aaaa1', canary: { build: 'aaaa3' } })
    await startWithBuild('aaaa4')
    expect(await readCurrent()).toMatchObject({ build: 'aaaa4', previous: 'aaaa1' })
  })

  it('publishes all builds together when the new host cannot run the rolled-back one', async () => {
    const remoteBuild = await createRemoteUsing('aaaa2')
    await publishOnStart(site, [
      await createHostOffering('hhhh1', 'dayjs'),
      await createRemoteUsing('aaaa1', 'dayjs'),
    ])
    await publishOnStart(site, [await createHostOffering('hhhh1', 'dayjs'), remoteBuild])
    await site.rollback('system')
    await publishOnStart(site, [await createHostOffering('hhhh2', 'react'), remoteBuild])
    expect(await readPointer()).toMatchObject({
      host: { build: 'hhhh2' },
      remotes: { system: { build: 'aaaa2' } },
    })
  })

  it('publishes the new host and marks a foreign remote that cannot run in it', async () => {
    const warn = jest.spyOn(process.stderr, 'write').mockReturnValue(true)
    await publishOnStart(site, [await createHostOffering('hhhh1', 'react', 'dayjs')])
    const foreignBuild = await createBuild('ffff1', 'energy()', 'energy')
    await site.publish(await extendRecord(foreignBuild, { shared: ['dayjs'] }))
    await publishOnStart(site, [await createHostOffering('hhhh2', 'react')])
    expect(await readPointer()).toMatchObject({
      host: { build: 'hhhh2', previous: 'hhhh1' },
      remotes: { energy: { build: 'ffff1', incompatibility: '当前控制台没有提供 dayjs' } },
    })
    expect(warn).toHaveBeenCalledWith(expect.stringMatching(/^energy ffff1 .*没有提供 dayjs；/))

    await site.publish(await createBuild('ffff2', 'energy()', 'energy'))
    expect((await readPointer()).remotes.energy).not.toHaveProperty('incompatibility')
  })

  it('publishes the new host although the files of a remote are gone, which a publish refuses in words', async () => {
    await publishOnStart(site, [await createHostOffering('hhhh1', 'dayjs')])
    await site.publish(await createBuild('aaaa1'))
    await rm(join(site.folder, 'remotes/system/aaaa1'), { recursive: true })
    const nextHost = await createHostOffering('hhhh2', 'dayjs')
    await expect(site.publish(nextHost)).rejects.toThrow(
      'system aaaa1 不能与控制台 hhhh2 一起使用：system 没有版本 aaaa1',
    )
    await publishOnStart(site, [nextHost])
    expect(await readPointer()).toMatchObject({
      host: { build: 'hhhh2' },
      remotes: { system: { build: 'aaaa1' } },
    })
  })

  it('publishes a former build again when the sources were reverted', async () => {
    for (const item of ['aaaa1', 'aaaa2', 'aaaa1']) await startWithBuild(item)
    expect(await readCurrent()).toMatchObject({ build: 'aaaa1', previous: 'aaaa2' })
  })
})

describe('removing unused builds', () => {
  it('keeps the last five, the ones in use, and the served one', async () => {
    for (let n = 1; n <= 8; n++) await site.publish(await createBuild(`aaaa${n}`))
    await site.writeHeldBuilds(['aaaa1'])
    const removedBuilds = await site.removeUnusedBuilds({ minAgeMs: 0 })
    expect(removedBuilds).toEqual(['system aaaa2', 'system aaaa3'])
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
  await site.publish(await createBuild('aaaa0'))
  const dists = await Promise.all([1, 2].map((n) => createBuild(`aaaa${n}`)))
  const publishLoop = `
    const { Site } = await import(${JSON.stringify(join(__dirname, '../../server/src/site/releases.ts'))})
    const site = new Site(${JSON.stringify(site.folder)})
    for (;;) for (const dist of ${JSON.stringify(dists)}) await site.publish(dist)`
  for (let round = 0; round < 6; round++) {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', publishLoop],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    const before = (await site.pointer()).revision
    for (
      let attempts = 0;
      (await site.pointer()).revision < before + 3 && attempts < 200;
      attempts++
    )
      await new Promise((resolve) => setTimeout(resolve, 50))
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20))
    const exitEvent = new Promise((resolve) => child.on('exit', resolve))
    child.kill('SIGKILL')
    await exitEvent
    const pointer = await readPointer()
    expect(await site.builds('system')).toContain(pointer.remotes.system!.build)
    // The next release continues from the newest ledger entry.
    const { revision } = await site.pointer()
    await site.publish(await createBuild(`bbbb${round}`))
    expect((await readPointer()).revision).toBe(revision + 1)
  }
  expect((await readdir(join(site.folder, 'ledger'))).length).toBe((await readPointer()).revision)
})
