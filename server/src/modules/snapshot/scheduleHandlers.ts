import { snapshotIntervalText } from '@iot/shared/contract/control/snapshot'
import {
  SnapshotSchedule,
  type snapshotSchemas,
} from '@iot/shared/contract/control/snapshot.schema'
import type { FastifyInstance } from 'fastify'
import type { Handlers } from '../../core/http/serve'
import { findProject, lockProjectSetting } from '../project/policy'
import { createSnapshotActions } from './actions'
import { getNextTime } from './policy'
import { snapshotQueries } from './queries'

type ScheduleHandlers = Pick<Handlers<typeof snapshotSchemas>, 'schedule' | 'setSchedule'>
type SnapshotQueries = ReturnType<typeof snapshotQueries>
const defaultKeepCount = 14

const readSchedule = async (queries: SnapshotQueries, projectId: number) =>
  (await queries.findSchedule(projectId)) ?? {
    every: 'off' as const,
    keep: defaultKeepCount,
    nextTime: null,
  }

/** Handlers that read and change when a project takes snapshots by itself. */
export function createScheduleHandlers(app: FastifyInstance): ScheduleHandlers {
  const queries = snapshotQueries(app.db)
  const { assertProjectVisible } = createSnapshotActions(app)

  return {
    async schedule({ projectId }, context) {
      await assertProjectVisible(projectId, context)
      const { id, version } = await findProject(app.db, projectId)
      return { id, version, ...(await readSchedule(queries, projectId)) }
    },
    async setSchedule({ projectId, version, every, keep }, context) {
      await assertProjectVisible(projectId, context)
      return context.write(snapshotQueries, async (rows, recordAudit, tx) => {
        await lockProjectSetting(tx, { projectId, version }, context.user.username, () =>
          readSchedule(rows, projectId),
        )
        const previousSchedule = await rows.findSchedule(projectId)
        const { id, name, timeZone } = (await rows.findProject(projectId))!
        if (every === 'off') await rows.endSchedule(projectId)
        else
          await rows.setSchedule({ projectId, every, keep, nextTime: getNextTime(every, timeZone) })
        const valueFormatters = {
          every: (every: unknown) => snapshotIntervalText[every as SnapshotSchedule['every']],
        }
        const auditSides = { before: { every: 'off', ...previousSchedule }, after: { every, keep } }
        recordAudit({
          entity: '项目',
          id,
          name,
          schema: SnapshotSchedule,
          show: valueFormatters,
          ...auditSides,
        })
        return null
      })
    },
  }
}
