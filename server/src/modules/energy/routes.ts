import { dayMs, hourSeconds } from '@iot/shared/contract/duration'
import { maxEnergyDays, energySourceText } from '@iot/shared/contract/control/energy'
import {
  EnergyLamp,
  LampReplacement,
  energySchemas,
} from '@iot/shared/contract/control/energy.schema'
import { energyApi } from '@iot/shared/contract/control/energy.api'
import { shiftDate } from '@iot/shared/contract/project/calendarDay'
import { toEpochMs, toZonedDate, toZonedText } from '@iot/shared/contract/timeZone'
import type { FastifyInstance } from 'fastify'
import { requireRow, createFieldRefusal } from '../../core/refusal'
import { createChangeDescriber } from '../../core/http/actionLog'
import { serve } from '../../core/http/serve'
import { createExportHandler } from '../../core/tasks/export'
import { createChoiceConversion } from '../../core/tasks/cellConversion'
import { createSheetColumns } from '../../core/tasks/sheet'
import { assertCanView } from '../device/policy/scope'
import { findProject } from '../project/policy'
import { estimateUsedEnergy } from './marks'
import { summarizeAreas, energyQueries, sumFigures, type LampRun } from './queries'

const describeReplacement = createChangeDescriber('灯具更换', LampReplacement)
const sheet = createSheetColumns(EnergyLamp, {
  name: {},
  place: {},
  productName: {},
  ratedPower: {},
  wattHours: {},
  source: createChoiceConversion(energySourceText),
  onHours: {},
  unknownHours: {},
  lifeHours: {},
  ratedLifeHours: {},
  used: {},
  replacedTime: {},
  replacedBy: {},
})

function assertValidRange({ from, to }: { from: string; to: string }) {
  for (const [name, text] of Object.entries({ from, to })) {
    const date = new Date(`${text}T00:00:00Z`)
    // JavaScript reads February 30 as March 2, so the date must survive a round trip.
    if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text)
      throw createFieldRefusal(name, '没有这一天')
  }
  if (from > to) throw createFieldRefusal('to', '结束日期不能早于开始日期')
  if (Date.parse(to) - Date.parse(from) >= maxEnergyDays * dayMs)
    throw createFieldRefusal('to', `一次最多 ${maxEnergyDays} 天`)
}

/** Returns why a replacement of the lamp is not recorded; `seenTimes` are those that the user saw in the list. */
function refuseReplacement(
  { id, life, replacedTime, replacedBy }: LampRun,
  seenTimes: Record<string, string>,
) {
  if (life === null) return '还没有上报过，没有可以登记的'
  return (seenTimes[id] ?? null) === replacedTime
    ? undefined
    : `${replacedBy} 刚登记过更换，请看过再登记`
}

/**
 * Routes for the energy of areas and lamps and the operating hours of lamps; values are measured by meters or else
 * calculated.
 */
export function energyRoutes(app: FastifyInstance) {
  const queries = energyQueries(app.db)
  const lampExport = {
    entity: '灯具用电与寿命',
    sheet,
    page: queries.lamps,
  }
  const exportLamps = createExportHandler(app, energyApi.exportRows, lampExport)

  serve(app, energyApi, energySchemas, {
    async areas({ projectId, ...range }, context) {
      assertCanView(context, projectId)
      assertValidRange(range)
      const { timeZone } = await findProject(app.db, projectId)
      await app.energy.bringUpToDate(projectId)
      const now = Date.now()
      const today = toZonedDate(now, timeZone)
      const yesterday = shiftDate(today, -1)
      const sameTimeYesterday = toEpochMs(yesterday, toZonedText(now, timeZone).slice(11), timeZone)
      const [spaces, floorDays, sums, recentFloorDays, lifeCounts, doubtfulMeters, sameHour] =
        await Promise.all([
          queries.spaceRows(projectId),
          queries.floorDays(projectId, range),
          queries.spaces(projectId, range),
          queries.floorDays(projectId, { from: yesterday, to: today }),
          queries.lifeCounts(projectId),
          queries.doubtfulMeterNames(projectId),
          estimateUsedEnergy(app.db, { projectId, timeZone }, sameTimeYesterday),
        ])
      const { days: recentDays } = summarizeAreas([], recentFloorDays, [])
      const findDay = (date: string) =>
        recentDays.find((day) => day.day === date) ?? { day: date, ...sumFigures([]) }
      return {
        ...summarizeAreas(spaces, floorDays, sums),
        ...lifeCounts,
        doubtfulMeters,
        today: findDay(today),
        yesterday: findDay(yesterday),
        sameHour: sameHour === null ? null : Math.round(sameHour * 10) / 10,
      }
    },
    async lamps({ spaceId, ...query }, context) {
      assertCanView(context, query.projectId)
      assertValidRange(query)
      await assertSpaceExists(query.projectId, spaceId)
      await app.energy.bringUpToDate(query.projectId)
      return queries.lamps({ ...query, spaceId })
    },
    async exportRows(query, context) {
      assertCanView(context, query.projectId)
      assertValidRange(query)
      await assertSpaceExists(query.projectId, query.spaceId)
      await app.energy.bringUpToDate(query.projectId)
      return exportLamps(query, context)
    },
    async replace({ projectId, ids, hours, note, seen: seenTimes }, context) {
      assertCanView(context, projectId)
      await app.energy.bringUpToDate(projectId)
      return context.write(energyQueries, async (rows, logChange) => {
        await rows.lockRuns(projectId, ids)
        const lamps = await rows.lampNames(projectId, ids)
        const reasons = new Map(lamps.map((lamp) => [lamp.id, refuseReplacement(lamp, seenTimes)]))
        const replaceableLamps = lamps.filter(({ id }) => !reasons.get(id))
        await rows.replace(
          projectId,
          replaceableLamps.map(({ id }) => id),
          hours * hourSeconds,
          context.user.username,
        )
        for (const { id, name, life } of replaceableLamps)
          logChange(
            describeReplacement(
              { id, name },
              { before: { hours: Math.round(life! / 360) / 10 }, after: { hours, note } },
            ),
          )
        return ids.map((id) => {
          const lamp = lamps.find((candidate) => candidate.id === id)
          if (!lamp) return { id, name: '', ok: false, reason: '灯具不存在或已被删除' }
          const reason = reasons.get(id)
          return { id, name: lamp.name, ok: !reason, ...(reason && { reason }) }
        })
      })
    },
  })

  async function assertSpaceExists(projectId: number, spaceId: string | undefined) {
    if (!spaceId) return
    const spaces = await queries.spaceRows(projectId)
    requireRow(
      spaces.find(({ id }) => id === spaceId),
      '空间',
    )
  }
}
