import {
  energyApi,
  energyDaysMost,
  EnergyLamp,
  Replacement,
  sourceText,
} from '@iot/shared/contract/energy'
import { shiftDate } from '@iot/shared/contract/calendarDay'
import { toMoment, toZonedDate, toZonedText } from '@iot/shared/contract/timeZone'
import type { FastifyInstance } from 'fastify'
import { found, wrongField } from '../../core/refusal'
import { changeOf } from '../../core/serve/actionLog'
import { serve } from '../../core/serve/serve'
import { exporter } from '../../core/tasks/export'
import { sheetOf, wordsOf } from '../../core/tasks/sheet'
import { mustView } from '../device/policy'
import { projectOf } from '../project/policy'
import { usedBy } from './marks'
import { areasOf, energyQueries, together } from './queries'

const about = changeOf('灯具更换', Replacement)
const sheet = sheetOf(EnergyLamp, {
  name: {},
  place: {},
  productName: {},
  ratedPower: {},
  wattHours: {},
  source: wordsOf(sourceText),
  onHours: {},
  unknownHours: {},
  lifeHours: {},
  ratedLifeHours: {},
  used: {},
  replacedTime: {},
  replacedBy: {},
})
const day = 24 * 3600_000

function mustBeRange({ from, to }: { from: string; to: string }) {
  for (const [name, text] of Object.entries({ from, to })) {
    const at = new Date(`${text}T00:00:00Z`)
    // JavaScript reads February 30 as March 2, so the date must survive a round trip.
    if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== text)
      throw wrongField(name, '没有这一天')
  }
  if (from > to) throw wrongField('to', '结束日期不能早于开始日期')
  if (Date.parse(to) - Date.parse(from) >= energyDaysMost * day)
    throw wrongField('to', `一次最多 ${energyDaysMost} 天`)
}

/**
 * Routes for the energy of areas and lamps and the operating hours of lamps; values are measured by meters or else
 * calculated.
 */
export function energyRoutes(app: FastifyInstance) {
  const queries = energyQueries(app.db)
  const lampsOf = {
    entity: '灯具用电与寿命',
    sheet,
    page: queries.lamps,
  }
  const exportLamps = exporter(app, energyApi.exportRows, lampsOf)

  serve(app, energyApi, {
    async areas({ projectId, ...range }, context) {
      mustView(context, projectId)
      mustBeRange(range)
      const { timeZone } = await projectOf(app.db, projectId)
      await app.energy.upToDate(projectId)
      const now = Date.now()
      const today = toZonedDate(now, timeZone)
      const yesterday = shiftDate(today, -1)
      const sameClock = toMoment(yesterday, toZonedText(now, timeZone).slice(11), timeZone)
      const [spaces, floorDays, sums, lately, life, sameHour] = await Promise.all([
        queries.spaceRows(projectId),
        queries.floorDays(projectId, range),
        queries.spaces(projectId, range),
        queries.floorDays(projectId, { from: yesterday, to: today }),
        queries.lifeCounts(projectId),
        usedBy(app.db, { projectId, timeZone }, sameClock),
      ])
      const { days: two } = areasOf([], lately, [])
      const of = (date: string) =>
        two.find((one) => one.day === date) ?? { day: date, ...together([]) }
      return {
        ...areasOf(spaces, floorDays, sums),
        ...life,
        today: of(today),
        yesterday: of(yesterday),
        sameHour: sameHour === null ? null : Math.round(sameHour * 10) / 10,
      }
    },
    async lamps({ spaceId, ...asked }, context) {
      mustView(context, asked.projectId)
      mustBeRange(asked)
      await mustBeSpace(asked.projectId, spaceId)
      await app.energy.upToDate(asked.projectId)
      return queries.lamps({ ...asked, spaceId })
    },
    async exportRows(asked, context) {
      mustView(context, asked.projectId)
      mustBeRange(asked)
      await mustBeSpace(asked.projectId, asked.spaceId)
      await app.energy.upToDate(asked.projectId)
      return exportLamps(asked, context)
    },
    async replace({ projectId, ids, hours, note }, context) {
      mustView(context, projectId)
      await app.energy.upToDate(projectId)
      return context.write(energyQueries, async (rows, say) => {
        const lamps = await rows.lampNames(projectId, ids)
        const known = lamps.filter(({ life }) => life !== null)
        await rows.replace(
          projectId,
          known.map(({ id }) => id),
          hours * 3600,
          context.user.username,
        )
        for (const { id, name, life } of known)
          say(
            about(
              { id, name },
              { before: { hours: Math.round(life! / 360) / 10 }, after: { hours, note } },
            ),
          )
        return ids.map((id) => {
          const lamp = lamps.find((one) => one.id === id)
          if (!lamp) return { id, name: '', ok: false, reason: '灯具不存在或已被删除' }
          const { name, life } = lamp
          return life === null
            ? { id, name, ok: false, reason: '还没有上报过，没有可以登记的' }
            : { id, name, ok: true }
        })
      })
    },
  })

  async function mustBeSpace(projectId: number, spaceId: string | undefined) {
    if (!spaceId) return
    const spaces = await queries.spaceRows(projectId)
    found(
      spaces.find(({ id }) => id === spaceId),
      '空间',
    )
  }
}
