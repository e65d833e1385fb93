import { hourMs } from '@iot/shared/contract/duration'
import { AcknowledgementNote, shiftSchemas } from '@iot/shared/contract/control/shift.schema'
import { shiftApi } from '@iot/shared/contract/control/shift.api'
import type { RowResults } from '@iot/shared/contract/fields.schema'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { createChangeDescriber } from '../../core/http/actionLog'
import type { WriteCallback } from '../../core/http/context'
import { serve } from '../../core/http/serve'
import { now } from '../../tables/columns'
import { assertProjectExists, assertCanView } from '../device/policy/scope'
import { shiftQueries } from './queries'
import { countOpen } from './openCounts'

const toSceneAudit = createChangeDescriber('场景执行', AcknowledgementNote)
const defaultShiftMs = 12 * hourMs

type AcknowledgeScenesInput = z.output<typeof shiftSchemas.acknowledgeScenes.input>

/** Acknowledges all runs of the scenes whose number did not grow since the user saw it. */
const acknowledgeScenes =
  (
    { projectId, scenes, note }: AcknowledgeScenesInput,
    username: string,
  ): WriteCallback<typeof shiftQueries, RowResults> =>
  async (rows, recordAudit) => {
    const sceneIds = scenes.map(({ id }) => id)
    const runs = await rows.lockRuns(projectId, sceneIds)
    const sceneNames = await rows.findSceneNames(projectId, sceneIds)
    const answers: RowResults = []
    for (const { id, count } of scenes) {
      const sceneRuns = runs.filter(({ sceneId }) => sceneId === id)
      const name = sceneNames.get(id)
      if (name === undefined) {
        answers.push({ id, name: '', ok: false, reason: '场景不存在或已被删除' })
      } else if (sceneRuns.length > count) {
        const reason = `刚才又发生了 ${sceneRuns.length - count} 次，请看过再确认`
        answers.push({ id, name, ok: false, reason })
      } else if (sceneRuns.length === 0) {
        answers.push({ id, name, ok: true, reason: '已由别人确认' })
      } else {
        const ids = sceneRuns.map((run) => run.id)
        const acknowledgedFields = {
          acknowledgedBy: username,
          acknowledgedTime: now(),
        }
        await rows.acknowledgeRuns(ids, { ...acknowledgedFields, note })
        recordAudit(toSceneAudit({ id, name }, { after: { note } }))
        answers.push({ id, name, ok: true })
      }
    }
    return answers
  }

/** Routes for the handover of a shift: changes by users and open items. */
export function shiftRoutes(app: FastifyInstance) {
  const queries = shiftQueries(app.db)

  serve(app, shiftApi, shiftSchemas, {
    async state({ projectId }, context) {
      assertCanView(context, projectId)
      await assertProjectExists(app.db, projectId)
      const lastActivity = await queries.findLastActivity(context.user.id, context.id)
      const since = lastActivity ?? new Date(Date.now() - defaultShiftMs).toISOString()
      return { open: await countOpen(app.db, projectId), since, isOwn: lastActivity !== undefined }
    },
    async unfinishedScenes({ projectId }, context) {
      assertCanView(context, projectId)
      return queries.listUnfinishedScenes(projectId)
    },
    async acknowledgeScenes(input, context) {
      const { projectId } = input
      assertCanView(context, projectId)
      await assertProjectExists(app.db, projectId)
      const result = await context.write(
        shiftQueries,
        acknowledgeScenes(input, context.user.username),
      )
      void app.shift.publish()
      return result
    },
    async people({ projectId, from }, context) {
      assertCanView(context, projectId)
      return queries.countByUser(projectId, from)
    },
    async changes({ projectId, from, ...pageQuery }, context) {
      assertCanView(context, projectId)
      return queries.listChanges(projectId, from, pageQuery)
    },
  })
}
