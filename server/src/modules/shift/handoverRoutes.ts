import { findShift } from '@iot/shared/contract/control/handover'
import { handoverApi } from '@iot/shared/contract/control/handover.api'
import { handoverSchemas } from '@iot/shared/contract/control/handover.schema'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../core/http/context'
import { serve } from '../../core/http/serve'
import { createMissingRefusal, createRefusal } from '../../core/refusal'
import { now } from '../../tables/columns'
import { assertCanView } from '../device/policy/scope'
import { findProject, lockProjectSetting } from '../project/policy'
import { handoverQueries } from './handoverQueries'

const entity = '交接班'

/** A shift ends when one person hands over and another confirms it. */
export async function handoverRoutes(app: FastifyInstance) {
  const queries = handoverQueries(app.db)

  async function findCurrentShift(projectId: number) {
    const [starts, { timeZone, id, version }] = await Promise.all([
      queries.findStarts(projectId),
      findProject(app.db, projectId),
    ])
    const { startMs, endMs } = findShift(starts, Date.now(), timeZone)
    return {
      shifts: { id, version, starts },
      shift: { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() },
    }
  }

  serve(app, handoverApi, handoverSchemas, {
    async state({ projectId }, context) {
      assertCanView(context, projectId)
      return { ...(await findCurrentShift(projectId)), list: await queries.list(projectId) }
    },
    async give({ projectId, note, seenGivenTime }, context) {
      assertCanView(context, projectId)
      const { shift } = await findCurrentShift(projectId)
      const overrides = await app.control.listOverrides(projectId)
      const carriedOver = { ...(await queries.listProblems(projectId)), overrides }
      return giveShift({ projectId, note, seenGivenTime, shift, carriedOver }, context)
    },
    async take({ projectId, handoverId, givenTime }, context) {
      assertCanView(context, projectId)
      const { username } = context.user
      return context.write(handoverQueries, async (rows, recordChange) => {
        const waiting = await rows.lockWaiting(projectId)
        const row = await rows.find(projectId, handoverId)
        if (!row) throw createMissingRefusal('交班')
        if (waiting?.id !== row.id)
          throw createRefusal(`${await rows.personName(row.takenBy)} 已接班`)
        if (row.givenBy === username) throw createRefusal('接班人须是另一位同事')
        if (Date.parse(row.givenTime) !== Date.parse(givenTime))
          throw createRefusal(
            `${await rows.personName(row.givenBy)} 刚更新了交班说明，请看过再接班`,
          )
        await rows.take(row.id, username)
        recordChange({ entity, id: row.id, name: '接班确认', after: { 交班人: row.givenBy } })
        return null
      })
    },
    async setShifts({ projectId, version, starts }, context) {
      assertCanView(context, projectId)
      await findProject(app.db, projectId)
      const sortedStarts = [...starts].sort()
      return context.write(handoverQueries, async (rows, recordChange, tx) => {
        const revision = { projectId, version }
        await lockProjectSetting(tx, revision, context.user.username, async () => ({
          starts: await rows.findStarts(projectId),
        }))
        const before = await rows.findStarts(projectId)
        await rows.setStarts(projectId, sortedStarts)
        recordChange({
          entity,
          id: String(projectId),
          name: '班次',
          before: { 班次开始时间: before.join('、') },
          after: { 班次开始时间: sortedStarts.join('、') },
        })
        return null
      })
    },
  })
}

const toEpochMs = (time: string | null | undefined) => (time ? Date.parse(time) : undefined)

type GivenShift = {
  projectId: number
  note: string
  seenGivenTime: string | null
  shift: { start: string; end: string }
  carriedOver: Awaited<ReturnType<ReturnType<typeof handoverQueries>['listProblems']>> & {
    overrides: Awaited<ReturnType<FastifyInstance['control']['listOverrides']>>
  }
}

/**
 * Stores a hand-over, or replaces the one of the same person that waits for its confirmation.
 * @throws Refusal while the hand-over of somebody else waits, or if the waiting one is not the one that was read
 */
const giveShift = (
  { projectId, note, seenGivenTime, shift, carriedOver }: GivenShift,
  context: Context,
) =>
  context.write(handoverQueries, async (rows, recordChange) => {
    const { username } = context.user
    const givenFields = {
      note,
      carriedOver,
      shiftStart: shift.start,
      shiftEnd: shift.end,
      givenTime: now(),
    }
    const waiting = await rows.lockWaiting(projectId)
    if (waiting && waiting.givenBy !== username)
      throw createRefusal(`${await rows.personName(waiting.givenBy)} 的交班还没有接班确认`)
    if (toEpochMs(waiting?.givenTime) !== toEpochMs(seenGivenTime))
      throw createRefusal('您的交班说明刚在别处更新，或已有人接班，请看过再交班')
    if (waiting) await rows.replace(waiting.id, givenFields)
    const id = waiting?.id ?? (await rows.insert({ projectId, givenBy: username, ...givenFields }))
    if (!id) throw createRefusal('有人正在交班，请稍后再试')
    recordChange({ entity, id, name: '交班', after: { 交班说明: note } })
    return { givenTime: givenFields.givenTime }
  })
