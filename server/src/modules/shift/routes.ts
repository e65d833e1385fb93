import { AckNote, incidentKindText, shiftApi } from '@iot/shared/contract/shift'
import type { PerRow } from '@iot/shared/contract/fields'
import { toZonedClock } from '@iot/shared/contract/timeZone'
import type { FastifyInstance } from 'fastify'
import { changeOf } from '../../core/serve/actionLog'
import { serve } from '../../core/serve/serve'
import { now } from '../../tables/columns'
import { mustExist, mustView } from '../device/policy'
import { projectOf } from '../project/policy'
import { notesMost, shiftQueries } from './queries'
import { countOpen } from './watch'

const about = changeOf('设备事件', AckNote)
const aboutScene = changeOf('场景执行', AckNote)
const usual = 12 * 3600_000

/** Routes for the handover of a shift: incidents of devices, changes by users and open items. */
export function shiftRoutes(app: FastifyInstance) {
  const queries = shiftQueries(app.db)

  serve(app, shiftApi, {
    async state({ projectId }, context) {
      mustView(context, projectId)
      await mustExist(app.db, projectId)
      const own = await queries.lastHere(context.user.id, context.id)
      const since = own ?? new Date(Date.now() - usual).toISOString()
      return { open: await countOpen(app.db, projectId), since, isOwn: own !== undefined }
    },
    async incidents({ projectId, only, from, ...slice }, context) {
      mustView(context, projectId)
      return queries.devices(projectId, only, from, slice)
    },
    async acknowledge({ projectId, incidents, note }, context) {
      mustView(context, projectId)
      const { timeZone } = await projectOf(app.db, projectId)
      const { username } = context.user
      const result = await context.write(shiftQueries, async (rows, say) => {
        const found = await rows.lock(
          projectId,
          incidents.map(({ id }) => id),
        )
        const answers: PerRow = []
        for (const { id, count } of incidents) {
          const row = found.find((one) => one.id === id)
          if (!row) {
            answers.push({ id, name: '', ok: false, reason: '已被清理' })
            continue
          }
          const name = `${row.name} ${incidentKindText[row.kind]}`
          const refuse = (reason: string) => answers.push({ id, name, ok: false, reason })
          const isMine = row.acknowledgedTime === null
          if (isMine && row.count > count) {
            refuse(`刚才又发生了 ${row.count - count} 次，请看过再确认`)
            continue
          }
          if (note && row.notes.length >= notesMost) {
            refuse(`备注已有 ${notesMost} 条，不能再加`)
            continue
          }
          const time = now()
          const notes = note ? [...row.notes, { by: username, time, text: note }] : row.notes
          if (isMine || note) {
            await rows.acknowledge(projectId, id, {
              notes,
              ...(isMine && { acknowledgedBy: username, acknowledgedTime: time }),
            })
            say(about({ id, name }, { after: { note } }))
          }
          const by = `${row.acknowledgedBy} 已在 ${toZonedClock(row.acknowledgedTime ?? time, timeZone)} 确认`
          answers.push({
            id,
            name,
            ok: true,
            ...(!isMine && { reason: note ? `${by}，您的备注已加上` : by }),
          })
        }
        return answers
      })
      app.shift.told(projectId)
      return result
    },
    async unfinishedScenes({ projectId }, context) {
      mustView(context, projectId)
      return queries.unfinishedScenes(projectId)
    },
    async acknowledgeScenes({ projectId, scenes, note }, context) {
      mustView(context, projectId)
      await mustExist(app.db, projectId)
      const result = await context.write(shiftQueries, async (rows, say) => {
        const sceneIds = scenes.map(({ id }) => id)
        const runs = await rows.lockRuns(projectId, sceneIds)
        const sceneNames = await rows.findSceneNames(projectId, sceneIds)
        const answers: PerRow = []
        for (const { id, count } of scenes) {
          const own = runs.filter(({ sceneId }) => sceneId === id)
          const name = sceneNames.get(id)
          if (name === undefined) {
            answers.push({ id, name: '', ok: false, reason: '场景不存在或已被删除' })
          } else if (own.length > count) {
            const reason = `刚才又发生了 ${own.length - count} 次，请看过再确认`
            answers.push({ id, name, ok: false, reason })
          } else if (own.length === 0) {
            answers.push({ id, name, ok: true, reason: '已由别人确认' })
          } else {
            const ids = own.map((run) => run.id)
            const by = { acknowledgedBy: context.user.username, acknowledgedTime: now() }
            await rows.acknowledgeRuns(ids, { ...by, note })
            say(aboutScene({ id, name }, { after: { note } }))
            answers.push({ id, name, ok: true })
          }
        }
        return answers
      })
      app.shift.told(projectId)
      return result
    },
    async people({ projectId, from }, context) {
      mustView(context, projectId)
      return queries.people(projectId, from)
    },
    async changes({ projectId, from, ...asked }, context) {
      mustView(context, projectId)
      return queries.changes(projectId, from, asked)
    },
  })
}
