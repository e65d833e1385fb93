import { hourMs } from '@iot/shared/contract/duration'
import {
  BuildId,
  type AppName,
  type DeployedBuild,
} from '@iot/shared/contract/release/release.schema'
import { getRemoteTitle } from '@iot/shared/contract/release/remoteTitle'
import { releaseSchemas } from '@iot/shared/contract/release/releaseCenter.schema'
import { releaseApi } from '@iot/shared/contract/release/releaseCenter.api'
import { releaseTrialSchemas } from '@iot/shared/contract/release/releaseTrial.schema'
import { releaseTrialApi } from '@iot/shared/contract/release/releaseTrial.api'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { logError } from '../../core/db/outage'
import { createRefusal, requireRow } from '../../core/refusal'
import { serve } from '../../core/http/serve'
import { ReleaseRefusal } from '../../site/releaseRefusal'
import { Site } from '../../site/releases'
import { getDeployed } from '../../site/pointer'
import { releaseQueries } from './queries'
import { createReleaseReader } from './releaseReader'

const ServedFields = z.object({
  build: BuildId.nullable().meta({ title: '版本' }),
  canary: BuildId.nullable().meta({ title: '灰度版本' }),
  share: z.number().nullable().meta({ title: '灰度比例' }),
})
const toServedFields = (deployed?: DeployedBuild | null) => ({
  build: deployed?.build ?? null,
  canary: deployed?.canary?.build ?? null,
  share: deployed?.canary?.share ?? null,
})
const rethrowAsRefusal = (error: unknown) => {
  throw error instanceof ReleaseRefusal ? createRefusal(error.message) : error
}
/** Limit of beats per session and minute, over all its pages. */
const maxBeatsPerMinute = 60

export function releaseRoutes(app: FastifyInstance) {
  const queries = releaseQueries(app.db)
  const { site: siteSettings } = app.settings
  const site = siteSettings && new Site(siteSettings.folder, { publicKey: siteSettings.key })
  const releases = createReleaseReader(queries, site, siteSettings?.key !== undefined)
  const beatCounts = new Map<string, number>()
  const buildsInUse = new Set<string>()

  /** The builds in use are written to files for `release collect`, which may run without a database. */
  async function saveBuildsInUse() {
    const builds = await queries.listHeldBuilds()
    await site?.writeHeldBuilds(builds)
    buildsInUse.clear()
    for (const build of builds) buildsInUse.add(build)
  }
  const minuteTimer = setInterval(() => beatCounts.clear(), 60_000).unref()
  const hourTimer = setInterval(
    () =>
      void queries
        .removeOldRows()
        .then(saveBuildsInUse)
        .catch((error) => logError('旧版本记录未清理', error)),
    hourMs,
  ).unref()
  app.addHook('onClose', async () => {
    clearInterval(minuteTimer)
    clearInterval(hourTimer)
  })

  serve(app, releaseTrialApi, releaseTrialSchemas, { start: (_, { proof }) => ({ proof }) })
  serve(app, releaseApi, releaseSchemas, {
    list: releases.list,
    async get({ id }) {
      return requireRow(await releases.find(id), '功能区')
    },

    async canary({ name, share, revision }, context) {
      const previousRelease = site && getDeployed(await site.pointer(), name)
      const nextRelease = {
        ...toServedFields(previousRelease),
        ...(share ? { share } : getFullRollout(previousRelease)),
      }
      context.recordChange({
        ...describeRelease(name, previousRelease),
        before: toServedFields(previousRelease),
        after: nextRelease,
      })
      if (!site) throw createRefusal('这台服务器不提供控制台页面，请用 pnpm release widen')
      const actor = context.user.username
      return site.widenCanary(name, { who: actor, revision, share }).catch(rethrowAsRefusal)
    },

    async rollback({ name, build, revision, why }, context) {
      const previousRelease = site && getDeployed(await site.pointer(), name)
      const targetBuild =
        build ??
        (previousRelease?.canary ? previousRelease.build : previousRelease?.previous) ??
        null
      const nextRelease = { build: targetBuild, canary: null, share: null }
      context.recordChange({
        ...describeRelease(name, previousRelease),
        before: toServedFields(previousRelease),
        after: nextRelease,
      })
      if (!site) throw createRefusal('这台服务器不提供控制台页面，请用 pnpm release rollback 回退')
      if (build && build === previousRelease?.build && !previousRelease.canary)
        throw createRefusal(`${getRemoteTitle(name, previousRelease)}已在使用这个版本`)
      const actor = context.user.username
      const pointer = await site
        .rollback(name, build, { who: actor, why: why || '未写原因', revision })
        .catch(rethrowAsRefusal)
      return { revision: pointer.revision, build: getDeployed(pointer, name)!.build }
    },

    async heartbeat(beatInput, { id }) {
      const count = (beatCounts.get(id) ?? 0) + 1
      beatCounts.set(id, count)
      if (count > maxBeatsPerMinute) throw createRefusal('上报过于频繁')
      await queries.recordHeartbeat(id, beatInput)
      // A new build is kept at once; builds no longer in use are dropped hourly.
      if (Object.values(beatInput.builds).some((build) => !buildsInUse.has(build)))
        await saveBuildsInUse()
      return null
    },
  })
}

const describeRelease = (name: AppName, deployed?: DeployedBuild | null) => ({
  entity: '发布',
  id: name,
  name: getRemoteTitle(name, deployed),
  schema: ServedFields,
})
const getFullRollout = (deployed?: DeployedBuild | null) => ({
  build: deployed?.canary?.build ?? null,
  canary: null,
  share: null,
})
