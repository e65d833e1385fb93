import { minuteMs } from '@iot/shared/contract/duration'
import { maxManualSnapshots } from '@iot/shared/contract/control/snapshot'
import { snapshotSchemas } from '@iot/shared/contract/control/snapshot.schema'
import { snapshotApi } from '@iot/shared/contract/control/snapshot.api'
import type { FastifyInstance } from 'fastify'
import { runInBackground } from '../../core/db/outage'
import { requireRow, createRefusal } from '../../core/refusal'
import { serve } from '../../core/http/serve'
import { createSnapshotActions, entity } from './actions'
import { prepareProjectClone } from './cloneProject'
import { findDifferences, toItems, buildNodeTree } from './compare'
import { readContent } from './content'
import { snapshotQueries } from './queries'
import { createRestoreHandlers } from './restoreHandlers'
import { jobsLease } from '../../core/lease/members'
import { takeDueSnapshots } from './schedule'
import { createScheduleHandlers } from './scheduleHandlers'

export function snapshotRoutes(app: FastifyInstance) {
  const queries = snapshotQueries(app.db)
  const { assertProjectVisible, getVisibleSnapshot, readContentAt, readReferenceNames } =
    createSnapshotActions(app)
  const timer = setInterval(() => {
    if (app.leases.isHeld(jobsLease)) runInBackground(takeDueSnapshots(app.db), '定时快照未拍摄')
  }, minuteMs).unref()
  app.addHook('onClose', async () => clearInterval(timer))

  serve(app, snapshotApi, snapshotSchemas, {
    async page(query, context) {
      await assertProjectVisible(query.projectId, context)
      return queries.page(query)
    },
    async tree({ projectId, snapshotId, since }, context) {
      await assertProjectVisible(projectId, context)
      const root = String(projectId)
      const content = await readContentAt(projectId, snapshotId)
      const items = toItems(content, root)
      if (!since) return buildNodeTree(items)
      const previousContent = await readContentAt(projectId, since)
      const referenceNames = await readReferenceNames(projectId, previousContent, content)
      return buildNodeTree(
        items,
        findDifferences(toItems(previousContent, root), items, referenceNames),
      )
    },
    async take({ projectId, name }, context) {
      await assertProjectVisible(projectId, context)
      if ((await queries.count(projectId)) >= maxManualSnapshots)
        throw createRefusal(`一个项目最多 ${maxManualSnapshots} 份快照，请先删除不用的`)
      return context.write(snapshotQueries, async (rows, recordAudit, tx) => {
        const content = await readContent(tx, projectId)
        const row = await rows.saveSnapshot(projectId, name, content, context.user.username)
        recordAudit({ entity, id: row.id, name })
        return row
      })
    },
    ...createScheduleHandlers(app),
    async clone({ id, ...draft }, context) {
      const { name } = await getVisibleSnapshot(id, context)
      const content = requireRow(await queries.findContent(id), '快照')
      return context.write(snapshotQueries, prepareProjectClone(content, name, draft, context))
    },
    async remove({ id }, context) {
      const row = await getVisibleSnapshot(id, context)
      return context.write(snapshotQueries, async (rows, recordAudit) => {
        await rows.remove(id)
        recordAudit({ entity, id, name: row.name, before: { 快照: row.name } })
        return null
      })
    },
    ...createRestoreHandlers(app),
  })
}
