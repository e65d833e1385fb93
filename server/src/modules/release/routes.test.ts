import { generateKeyPairSync } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { actionLogApi } from '@iot/shared/contract/access/actionLog.api'
import { authApi } from '@iot/shared/contract/access/auth.api'
import { errorLogApi } from '@iot/shared/contract/platform/errorLog.api'
import { releaseApi } from '@iot/shared/contract/release/releaseCenter.api'
import { releaseTrialApi } from '@iot/shared/contract/release/releaseTrial.api'
import { getBuildFolder } from '@iot/shared/contract/release/release'
import { Site } from '../../site/releases'
import { computeHash } from '../../site/siteFiles'
import { waitUntil } from '../../core/until'
import { password, ownApp, type TestApp } from '../../testing'
import { releaseQueries } from './queries'
import { createReleaseReader } from './releaseReader'

let app: TestApp
let folder: string
let site: Site
const admin = () => app.as('admin')
const getSystemArea = async () =>
  (await admin().call(releaseApi.list, {})).areas.find(({ name }) => name === 'system')!
const readRevision = async () => (await site.pointer()).revision
const createBeat = (change: object = {}) => ({
  builds: { host: 'h001', system: 's002' },
  loads: [],
  ...change,
})
const failure = { kind: 'network' as const, detail: '/pointer.json 没有回答', trace: 'abcd1234' }

async function publish(
  build: string,
  share?: number,
  targetSite = site,
  { name, ...change }: { name: string; shellApi?: string } = { name: 'system' },
) {
  const dist = join(folder, `dist-${build}`)
  await mkdir(dist, { recursive: true })
  await writeFile(join(dist, 'entry.js'), build)
  const record = {
    name,
    build,
    shellApi: '1',
    requires: {},
    shared: [],
    entry: 'entry.js',
    routes: [],
    needs: {},
    files: { 'entry.js': computeHash(build) },
    ...change,
  }
  await writeFile(join(dist, 'release.json'), JSON.stringify(record))
  await mkdir(join(targetSite.folder, getBuildFolder(name, '')), { recursive: true })
  const note = { who: '张工', why: `发布 ${build}`, share, marksIncompatible: name === 'host' }
  await targetSite.publish(dist, note)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'release-'))
  site = new Site(join(folder, 'site'))
  for (const build of ['s001', 's002']) await publish(build)
  app = await ownApp({ site: { folder: site.folder } })
  await app.join('guest', 'visitor')
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

describe('GET /v1/release/list', () => {
  it('refuses without a session and without the permission', async () => {
    await expect(app.stranger.call(releaseApi.list, {})).rejects.toMatchObject({ code: 401 })
    await expect(app.as('guest').call(releaseApi.list, {})).rejects.toMatchObject({
      status: 403,
      data: { permission: 'system:release:list' },
    })
  })
  it('answers with the served build, its time, author and reason', async () =>
    expect(await getSystemArea()).toMatchObject({
      build: 's002',
      previous: 's001',
      last: { who: '张工', why: '发布 s002', verb: 'publish' },
      builds: [
        { build: 's002', time: (await site.ledger()).at(-1)!.time, kept: true, unsigned: false },
        { build: 's001' },
      ],
      loads: 0,
      successRate: null,
      p95: null,
    }))
})

describe('GET /v1/release/{id}', () => {
  it('refuses without the permission, and answers an unknown remote as missing', async () => {
    await expect(app.as('guest').call(releaseApi.get, { id: 'system' })).rejects.toMatchObject({
      status: 403,
    })
    await expect(admin().call(releaseApi.get, { id: 'nothing' })).rejects.toMatchObject({
      code: 404,
    })
  })
  it('answers with the history of this remote alone, its record, and why the host cannot run it', async () => {
    const detail = await admin().call(releaseApi.get, { id: 'system' })
    expect(detail).toMatchObject({
      id: 'system',
      revision: 2,
      incompatibility: null,
      record: { shellApi: '1', files: 1, screens: 0 },
      history: [
        { build: 's002', before: 's001', who: '张工' },
        { build: 's001', before: null },
      ],
    })
    // A start publishes a new host even if a served remote cannot run in it.
    const markedSite = new Site(join(folder, 'marked'))
    await publish('s001', undefined, markedSite)
    await publish('h001', undefined, markedSite, { name: 'host', shellApi: '=2.0.0' })
    const reader = createReleaseReader(releaseQueries(app.app.db), markedSite, false)
    expect(await reader.find('system')).toMatchObject({
      incompatibility: expect.stringContaining('与当前平台不兼容，请重新构建'),
      history: [{ build: 's001' }],
    })
  })
})

describe('POST /v1/release/heartbeat', () => {
  it('refuses without a session, unknown builds, and too many loads', async () => {
    await expect(app.stranger.call(releaseApi.heartbeat, createBeat())).rejects.toMatchObject({
      code: 401,
    })
    await expect(
      admin().call(releaseApi.heartbeat, createBeat({ builds: { system: '../../etc' } })),
    ).rejects.toMatchObject({ code: 422 })
    await expect(
      admin().call(
        releaseApi.heartbeat,
        createBeat({ loads: Array(51).fill({ name: 'system', build: 's002', ms: 1 }) }),
      ),
    ).rejects.toMatchObject({ code: 422 })
  })
  it('counts a session once per build, and the load results', async () => {
    const loads = [
      ...[100, 200, 300].map((ms) => ({ name: 'system' as const, build: 's002', ms })),
      { name: 'system' as const, build: '', ms: 9000, failure },
    ]
    await admin().call(releaseApi.heartbeat, createBeat({ loads }))
    await admin().call(releaseApi.heartbeat, createBeat())
    await app
      .as('guest', 'changed-26')
      .call(releaseApi.heartbeat, createBeat({ builds: { system: 's000' } }))
    const { builds, ...rest } = await getSystemArea()
    expect(builds.find(({ build }) => build === 's002')).toMatchObject({ sessions: 1 })
    expect(builds.find(({ build }) => build === 's000')).toMatchObject({ sessions: 1, kept: false })
    expect(rest).toMatchObject({
      loads: 4,
      successRate: 0.75,
      p95: 290,
      failures: [{ ...failure, build: '' }],
    })
  })
  it('counts each session with a failed screen once, and accepts the format of old pages', async () => {
    const crash = { name: 'system', build: 's002', kind: 'crash' as const }
    const violation = { ...crash, kind: 'violation' as const }
    await admin().call(releaseApi.heartbeat, createBeat({ faults: [crash, crash] }))
    await admin().call(releaseApi.heartbeat, createBeat({ faults: [crash] }))
    await app.as('guest', 'changed-26').call(releaseApi.heartbeat, createBeat({ page: 'page1' }))
    await app
      .as('guest', 'changed-26')
      .call(releaseApi.heartbeat, createBeat({ builds: {}, faults: [violation] }))
    expect((await getSystemArea()).builds[0]).toMatchObject({
      build: 's002',
      used: 2,
      crashed: 1,
      violated: 1,
    })
  })
  it('provides the command line with the builds still in use', async () =>
    expect(await site.readHeldBuilds()).toEqual(['h001', 's000', 's002']))
  it('limits the heartbeats per session', async () => {
    const { call } = await app.join('flooder', 'visitor')
    const answers = await Promise.all(
      Array.from({ length: 61 }, () =>
        call(releaseApi.heartbeat, createBeat()).then(
          () => 0,
          ({ code }) => code,
        ),
      ),
    )
    expect(answers.filter((code) => code === 1001)).toHaveLength(1)
  })
})

describe('POST /v1/release/trial', () => {
  it('refuses without a session and without the permission', async () => {
    await expect(app.stranger.call(releaseTrialApi.start, {})).rejects.toMatchObject({ code: 401 })
    await expect(
      app.as('guest', 'changed-26').call(releaseTrialApi.start, {}),
    ).rejects.toMatchObject({ status: 403, data: { permission: 'system:release:override' } })
  })
  it('answers a proof that opens the development page until the session ends, and is no token', async () => {
    const trialFolder = join(folder, 'trial')
    await mkdir(join(trialFolder, 'host/h001'), { recursive: true })
    await writeFile(join(trialFolder, 'host/h001/index.html'), '<meta content="__DEV__" />')
    const pointer = { revision: 1, host: { build: 'h001' }, remotes: {} }
    await writeFile(join(trialFolder, 'pointer.json'), JSON.stringify(pointer))
    const trialApp = await ownApp({ site: { folder: trialFolder } })
    try {
      const developer = trialApp.withToken(await trialApp.login('admin', password))
      const { proof } = await developer.call(releaseTrialApi.start, {})
      const readPage = async () => {
        const headers = { accept: 'text/html', cookie: `devRemote=${proof}` }
        return (await trialApp.app.inject({ url: '/home', headers })).body
      }
      expect(await readPage()).toBe('<meta content="1" />')
      await expect(trialApp.withToken(proof).call(authApi.me, {})).rejects.toMatchObject({
        code: 401,
      })
      await developer.call(authApi.logout, {})
      expect(await readPage()).toBe('<meta content="" />')
    } finally {
      await trialApp.close()
    }
  })
})

describe('POST /v1/release/rollback', () => {
  it('refuses without the permission, from an outdated revision, and for an unknown or current build', async () => {
    await expect(
      app.as('guest', 'changed-26').call(releaseApi.rollback, { name: 'system', revision: 2 }),
    ).rejects.toMatchObject({ status: 403 })
    await expect(
      admin().call(releaseApi.rollback, { name: 'system', revision: 1 }),
    ).rejects.toMatchObject({ code: 1001, msg: expect.stringContaining('已变化') })
    await expect(
      admin().call(releaseApi.rollback, { name: 'system', build: 's009', revision: 2 }),
    ).rejects.toMatchObject({ msg: 'system 没有版本 s009' })
    await expect(
      admin().call(releaseApi.rollback, { name: 'system', build: 's002', revision: 2 }),
    ).rejects.toMatchObject({ code: 1001 })
    await expect(
      admin().call(releaseApi.rollback, { name: 'enterprise', revision: 2 }),
    ).rejects.toMatchObject({ code: 1001 })
    expect(await readRevision()).toBe(2)
  })
  it('serves the former build in the name of the caller, and records it in the audit log', async () => {
    expect(
      await admin().call(releaseApi.rollback, { name: 'system', revision: 2, why: '新版导出失败' }),
    ).toEqual({ revision: 3, build: 's001' })
    expect(await getSystemArea()).toMatchObject({
      build: 's001',
      previous: 's002',
      last: { who: 'admin', verb: 'rollback', why: '新版导出失败' },
    })
    const { list } = await admin().call(actionLogApi.page, {})
    expect(list.find(({ verb, ok }) => verb === '回退发布' && ok)).toMatchObject({
      entityName: '系统管理',
      changes: [{ title: '版本', before: 's002', after: 's001' }],
    })
  })
})

describe('POST /v1/release/canary', () => {
  it('refuses without the permission, from an outdated revision, without a canary, and with an invalid share', async () => {
    const widenInput = { name: 'system', share: 50, revision: 3 }
    await expect(
      app.as('guest', 'changed-26').call(releaseApi.canary, widenInput),
    ).rejects.toMatchObject({ status: 403, data: { permission: 'system:release:canary' } })
    await expect(admin().call(releaseApi.canary, widenInput)).rejects.toMatchObject({
      msg: 'system 没有灰度版本',
    })
    await publish('s003', 10)
    await expect(admin().call(releaseApi.canary, widenInput)).rejects.toMatchObject({
      msg: expect.stringContaining('已变化'),
    })
    for (const share of [0, 100, 1.5])
      await expect(
        admin().call(releaseApi.canary, { ...widenInput, share, revision: 4 }),
      ).rejects.toMatchObject({ code: 422 })
    expect(await readRevision()).toBe(4)
  })

  it('widens the share, shows it beside the stable build, and records the author', async () => {
    await admin().call(releaseApi.canary, { name: 'system', share: 50, revision: 4 })
    expect(await getSystemArea()).toMatchObject({
      build: 's001',
      canary: { build: 's003', share: 50 },
      last: { who: 'admin', verb: 'publish', share: 50 },
    })
    expect((await getSystemArea()).builds[0]).toMatchObject({
      build: 's003',
      published: { who: '张工', why: '发布 s003' },
    })
    const { list } = await admin().call(actionLogApi.page, {})
    expect(list.find(({ verb, ok }) => verb === '调整灰度' && ok)).toMatchObject({
      entityName: '系统管理',
      changes: [{ title: '灰度比例', before: '10', after: '50' }],
    })
  })

  it('promotes the canary to all, or removes it by a rollback to the stable build', async () => {
    await admin().call(releaseApi.rollback, { name: 'system', build: 's001', revision: 5 })
    expect(await getSystemArea()).toMatchObject({ build: 's001', previous: 's002', canary: null })
    await publish('s003', 10)
    await admin().call(releaseApi.canary, { name: 'system', revision: 7 })
    expect(await getSystemArea()).toMatchObject({ build: 's003', previous: 's001', canary: null })
  })
})

describe('a site with a key', () => {
  it('refuses to roll back to an unsigned build, and reports unsigned builds in the error log', async () => {
    const keyPair = generateKeyPairSync('ed25519')
    const operator = new Site(join(folder, 'keyed'), keyPair)
    const intruder = new Site(operator.folder)
    await publish('s001', undefined, intruder)
    for (const build of ['s002', 's003']) await publish(build, undefined, operator)
    const signedApp = await ownApp({ site: { folder: operator.folder, key: keyPair.publicKey } })
    const rollback = (build: string, revision: number) =>
      signedApp.as('admin').call(releaseApi.rollback, { name: 'system', build, revision })
    try {
      await expect(rollback('s001', 3)).rejects.toMatchObject({ msg: 'system s001 没有签名' })
      expect(await rollback('s002', 3)).toEqual({ build: 's002', revision: 4 })
      await intruder.rollback('system', 's001')
      await signedApp.app.inject('/pointer.json')
      const { areas } = await signedApp.as('admin').call(releaseApi.list, {})
      expect(
        areas
          .find(({ name }) => name === 'system')!
          .builds.map((build) => [build.build, build.unsigned]),
      ).toEqual(
        expect.arrayContaining([
          ['s001', true],
          ['s002', false],
          ['s003', false],
        ]),
      )
      const listErrors = () => signedApp.as('admin').call(errorLogApi.page, { source: 'server' })
      const { list } = await waitUntil(listErrors, ({ total }) => total > 0)
      expect(list).toMatchObject([{ message: expect.stringContaining('system s001 没有签名') }])
    } finally {
      await signedApp.close()
    }
  })
})
