import {
  BuildId,
  type AreaName,
  type Deployed,
  type LedgerEntry,
} from '@iot/shared/contract/release'
import { areaTitle, builtinRemotes } from '@iot/shared/contract/areaText'
import { releaseApi, type AreaBuild } from '@iot/shared/contract/releaseCenter'
import { releaseTrialApi } from '@iot/shared/contract/releaseTrial'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { complain } from '../../core/db/outage'
import { refused } from '../../core/refusal'
import { serve } from '../../core/serve/serve'
import { Refused } from '../../site/refused'
import { Site, deployedIn, pointerAfter } from '../../site/releases'
import { releaseQueries } from './queries'

const Served = z.object({
  build: BuildId.nullable().meta({ title: '版本' }),
  canary: BuildId.nullable().meta({ title: '灰度版本' }),
  share: z.number().nullable().meta({ title: '灰度比例' }),
})
const servedOf = (now?: Deployed | null) => ({
  build: now?.build ?? null,
  canary: now?.canary?.build ?? null,
  share: now?.canary?.share ?? null,
})
const told = (error: unknown) => {
  throw error instanceof Refused ? refused(error.message) : error
}
/** Limit of beats per session and minute, over all its pages. */
const perMinute = 60

export function releaseRoutes(app: FastifyInstance) {
  const queries = releaseQueries(app.db)
  const { site: served } = app.settings
  const site = served && new Site(served.folder, { publicKey: served.key })
  const beats = new Map<string, number>()
  const held = new Set<string>()

  /** The builds in use are written to files for `release collect`, which may run without a database. */
  async function keepHeld() {
    const builds = await queries.held()
    await site?.hold(builds)
    held.clear()
    for (const build of builds) held.add(build)
  }
  const eachMinute = setInterval(() => beats.clear(), 60_000).unref()
  const eachHour = setInterval(
    () =>
      void queries
        .sweep()
        .then(keepHeld)
        .catch((error) => complain('旧版本记录未清理', error)),
    3_600_000,
  ).unref()
  app.addHook('onClose', async () => {
    clearInterval(eachMinute)
    clearInterval(eachHour)
  })

  async function keptOf(name: AreaName): Promise<Kept> {
    const builds = (await site?.builds(name)) ?? []
    const isServable = (build: string) =>
      !served?.key ||
      site!.servable(name, build).then(
        () => true,
        () => false,
      )
    return new Map(
      await Promise.all(builds.map(async (one) => [one, await isServable(one)] as const)),
    )
  }

  serve(app, releaseTrialApi, { start: (_, { proof }) => ({ proof }) })
  serve(app, releaseApi, {
    async list() {
      const ledger = (await site?.ledger()) ?? []
      const pointer = pointerAfter(ledger)
      const inUse = await queries.inUse()
      const stats = new Map((await queries.stats()).map((one) => [one.name, one]))

      const areaOf = async (name: AreaName) => {
        const now = deployedIn(pointer, name)
        const lines = ledger.filter((line) => line.name === name)
        const { loads = 0, good = 0, p95 = null } = stats.get(name) ?? {}
        const failures = await queries.failures(name)
        return {
          name,
          title: areaTitle(name, now),
          build: now?.build ?? null,
          previous: now?.previous ?? null,
          canary: now?.canary ?? null,
          last: lines.at(-1) ?? null,
          builds: buildsOf(
            lines,
            await keptOf(name),
            inUse.filter((use) => use.name === name),
          ),
          loads,
          successRate: loads > 0 ? good / loads : null,
          p95,
          failures: failures.map(({ kind, ...failure }) => ({ ...failure, kind: kind! })),
        }
      }
      const names = new Set<AreaName>(['host', ...builtinRemotes, ...Object.keys(pointer.remotes)])
      return { revision: pointer.revision, areas: await Promise.all([...names].map(areaOf)) }
    },

    async canary({ name, share, revision }, context) {
      const before = site && deployedIn(await site.pointer(), name)
      const after = { ...servedOf(before), ...(share ? { share } : afterAll(before)) }
      context.note({ ...aboutOf(name, before), before: servedOf(before), after })
      if (!site) throw refused('这台服务器不提供控制台页面，请用 pnpm release widen')
      const who = context.user.username
      return site.widen(name, { who, revision, share }).catch(told)
    },

    async rollback({ name, build, revision, why }, context) {
      const before = site && deployedIn(await site.pointer(), name)
      const to = build ?? (before?.canary ? before.build : before?.previous) ?? null
      const after = { build: to, canary: null, share: null }
      context.note({ ...aboutOf(name, before), before: servedOf(before), after })
      if (!site) throw refused('这台服务器不提供控制台页面，请用 pnpm release rollback 回退')
      if (build && build === before?.build && !before.canary)
        throw refused(`${areaTitle(name, before)}已在使用这个版本`)
      const who = context.user.username
      const pointer = await site
        .rollback(name, build, { who, why: why || '未写原因', revision })
        .catch(told)
      return { revision: pointer.revision, build: deployedIn(pointer, name)!.build }
    },

    async heartbeat(beat, { id }) {
      const count = (beats.get(id) ?? 0) + 1
      beats.set(id, count)
      if (count > perMinute) throw refused('上报过于频繁')
      await queries.note(id, beat)
      // A new build is kept at once; builds no longer in use are dropped hourly.
      if (Object.values(beat.builds).some((build) => !held.has(build))) await keepHeld()
      return null
    },
  })
}

const aboutOf = (name: AreaName, now?: Deployed | null) => ({
  entity: '发布',
  id: name,
  name: areaTitle(name, now),
  schema: Served,
})
const afterAll = (now?: Deployed | null) => ({
  build: now?.canary?.build ?? null,
  canary: null,
  share: null,
})

type Use = Awaited<ReturnType<ReturnType<typeof releaseQueries>['inUse']>>[number]
/** Maps each build whose files exist to whether it may be served. */
type Kept = Map<string, boolean>
const unused = { sessions: 0, used: 0, crashed: 0, violated: 0 }

/** Lists the builds that can be served again or are in use, newest first. */
function buildsOf(lines: LedgerEntry[], kept: Kept, inUse: Use[]): AreaBuild[] {
  const uses = new Map(
    inUse.map(({ build, sessions, used, crashed, violated }) => [
      build,
      { sessions, used, crashed, violated },
    ]),
  )
  const times = new Map(lines.map(({ build, time }) => [build, time]))
  // The first publication counts, because a later entry only widens a canary and has another reason.
  const publishes = lines.filter(({ verb }) => verb === 'publish').reverse()
  const published = new Map(publishes.map((line) => [line.build, line]))
  return [
    ...new Set([
      ...kept.keys(),
      ...inUse.filter((use) => use.sessions > 0).map(({ build }) => build),
    ]),
  ]
    .map((build) => ({
      build,
      time: times.get(build) ?? null,
      published: published.get(build) ?? null,
      ...(uses.get(build) ?? unused),
      kept: kept.has(build),
      unsigned: kept.get(build) === false,
    }))
    .sort((a, b) => (b.time ?? '').localeCompare(a.time ?? ''))
}
