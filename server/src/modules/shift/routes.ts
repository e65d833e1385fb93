import { hourMs } from '@iot/shared/contract/duration'
import { incidentKindText } from '@iot/shared/contract/shift'
import { AcknowledgementNote, shiftSchemas } from '@iot/shared/contract/shift.schema'
import { shiftApi } from '@iot/shared/contract/shift.api'
import type { RowResults } from '@iot/shared/contract/fields.schema'
import { toZonedClock } from '@iot/shared/contract/timeZone'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { createChangeDescriber } from '../../core/http/actionLog'
import type { WriteCallback } from '../../core/http/context'
import { serve } from '../../core/http/serve'
import { now } from '../../tables/columns'
import { assertProjectExists, assertCanView } from '../device/policy/scope'
import { findProject } from '../project/policy'
import { maxNotesPerIncident, shiftQueries } from './queries'
import { countOpen } from './incidentMonitor'

const toIncidentAudit = createChangeDescriber('设备事件', AcknowledgementNote)
const toSceneAudit = createChangeDescriber('场景执行', AcknowledgementNote)
const defaultShiftMs = 12 * hourMs

type AcknowledgeInput = z.output<typeof shiftSchemas.acknowledge.input>
type AcknowledgeScenesInput = z.output<typeof shiftSchemas.acknowledgeScenes.input>

/** Acknowledges the incidents that did not recur since the user saw them, and answers why the others stay open. */
const acknowledgeIncidents =
  (
    { projectId, incidents, note }: AcknowledgeInput,
    username: string,
    timeZone: string,
  ): WriteCallback<typeof shiftQueries, RowResults> =>
  async (rows, recordAudit) => {
    const lockedIncidents = await rows.lock(
      projectId,
      incidents.map(({ id }) => id),
    )
    const answers: RowResults = []
    for (const { id, count } of incidents) {
      const row = lockedIncidents.find((incident) => incident.id === id)
      if (!row) {
        answers.push({ id, name: '', ok: false, reason: '已被清理' })
        continue
      }
      const name = `${row.name} ${incidentKindText[row.kind]}`
      const addRefusal = (reason: string) => answers.push({ id, name, ok: false, reason })
      const isFirst = row.acknowledgedTime === null
      if (isFirst && row.count > count) {
        addRefusal(`刚才又发生了 ${row.count - count} 次，请看过再确认`)
        continue
      }
      if (note && row.notes.length >= maxNotesPerIncident) {
        addRefusal(`备注已有 ${maxNotesPerIncident} 条，不能再加`)
        continue
      }
      const time = now()
      const notes = note ? [...row.notes, { by: username, time, text: note }] : row.notes
      if (isFirst || note) {
        await rows.acknowledge(projectId, id, {
          notes,
          ...(isFirst && { acknowledgedBy: username, acknowledgedTime: time }),
        })
        recordAudit(toIncidentAudit({ id, name }, { after: { note } }))
      }
      const acknowledgement = `${row.acknowledgedBy} 已在 ${toZonedClock(row.acknowledgedTime ?? time, timeZone)} 确认`
      answers.push({
        id,
        name,
        ok: true,
        ...(!isFirst && {
          reason: note ? `${acknowledgement}，您的备注已加上` : acknowledgement,
        }),
      })
    }
    return answers
  }

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

/** Routes for the handover of a shift: incidents of devices, changes by users and open items. */
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
    async incidents({ projectId, only, from, ...slice }, context) {
      assertCanView(context, projectId)
      return queries.listDevices(projectId, only, from, slice)
    },
    async acknowledge(input, context) {
      const { projectId } = input
      assertCanView(context, projectId)
      const { timeZone } = await findProject(app.db, projectId)
      const { username } = context.user
      const result = await context.write(
        shiftQueries,
        acknowledgeIncidents(input, username, timeZone),
      )
      app.shift.told(projectId)
      return result
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
      app.shift.told(projectId)
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
