import { incidentApi } from '@iot/shared/contract/alarm/incident.api'
import { severityText } from '@iot/shared/contract/alarm/alarmSeverity'
import { dayMs, hourMs, minuteMs } from '@iot/shared/contract/duration'
import { uuidv7 } from 'uuidv7'
import { alarmIncident, alarmRule } from '../../tables/alarm'
import { ownApp, type TestApp } from '../../testing'
import { createTestProject } from '../project/testing'

type IncidentRow = typeof alarmIncident.$inferSelect
type Filter = { projectId?: number; from?: string; to?: string }

let app: TestApp
let rows: IncidentRow[]
/** 0 stands for the platform. */
let projectIds: number[]
const periodStart = Date.UTC(2026, 0, 31, 16)
const periodDays = 60
const seed = 20_260_131

/** A linear congruential generator gives the same rows in each run. */
function createRandom() {
  let state = seed
  return (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * limit)
  }
}

beforeAll(async () => {
  app = await ownApp({ mqttPort: 0, alarm: { isTimed: false } })
  const { db } = app.app
  await db.update(alarmRule).set({ status: 'disabled' })
  await db.delete(alarmIncident)
  const projects = [await createTestProject(app, '甲'), await createTestProject(app, '乙')]
  projectIds = [0, ...projects.map(({ projectId }) => projectId)]
  const random = createRandom()
  const pickOne = <T>(values: readonly T[]) => values[random(values.length)]!
  const rules = Array.from({ length: 5 }, (_, index) => ({ id: uuidv7(), name: `规则 ${index}` }))
  const severities = Object.keys(severityText) as (keyof typeof severityText)[]
  const toTime = (ms: number) => new Date(ms).toISOString()
  const drafts = Array.from({ length: 600 }, (_, index) => {
    const rule = pickOne(rules)
    // Some are opened at the very start and end of a day.
    const openedMs =
      periodStart + (index % 20 === 0 ? random(periodDays) * dayMs : random(periodDays * dayMs))
    const acknowledgedMs = openedMs + random(5 * hourMs)
    const resolvedMs = openedMs + random(9 * dayMs)
    // Each row has a subject of its own while it is not resolved.
    const status = pickOne(['open', 'acknowledged', 'resolved', 'resolved', 'resolved'] as const)
    const isAcknowledged = status === 'acknowledged' || (status === 'resolved' && random(2) === 0)
    return {
      id: uuidv7(),
      projectId: pickOne(projectIds),
      ruleId: rule.id,
      ruleVersion: 1,
      ruleName: `${rule.name} 版 ${random(3)}`,
      severity: pickOne(severities),
      subjectKey: status === 'resolved' ? `device:${random(6)}` : `device:open-${index}`,
      subjectName: `灯 ${random(100)}`,
      title: `告警 ${index}`,
      status,
      count: 1 + random(40),
      firstTime: toTime(openedMs - random(hourMs)),
      openedTime: toTime(openedMs),
      lastTime: toTime(openedMs + random(minuteMs)),
      acknowledgedTime: isAcknowledged ? toTime(acknowledgedMs) : null,
      resolvedTime: status === 'resolved' ? toTime(resolvedMs) : null,
    }
  })
  rows = await db.insert(alarmIncident).values(drafts).returning()
})
afterAll(() => app.close())

const meanMinutes = (
  matchingRows: IncidentRow[],
  column: 'acknowledgedTime' | 'resolvedTime',
): number | null => {
  const minutes = matchingRows.flatMap(({ openedTime, [column]: time }) =>
    time === null ? [] : [(Date.parse(time) - Date.parse(openedTime)) / minuteMs],
  )
  return minutes.length === 0
    ? null
    : minutes.reduce((sum, value) => sum + value, 0) / minutes.length
}

/** Counts the rows one by one. */
function countPlainly({ projectId, from, to }: Filter, visibleIds: number[]) {
  const matchingRows = rows.filter(
    (row) =>
      visibleIds.includes(row.projectId) &&
      (projectId === undefined || row.projectId === projectId) &&
      (from === undefined || Date.parse(row.openedTime) >= Date.parse(from)) &&
      (to === undefined || Date.parse(row.openedTime) < Date.parse(to)),
  )
  const subjects = new Map<string, { count: number; newest: IncidentRow }>()
  for (const row of matchingRows) {
    const key = [row.projectId, row.ruleId, row.subjectKey].join()
    const subject = subjects.get(key)
    const isNewer = !subject || Date.parse(row.openedTime) > Date.parse(subject.newest.openedTime)
    subjects.set(key, {
      count: (subject?.count ?? 0) + row.count,
      newest: isNewer ? row : subject.newest,
    })
  }
  return {
    opened: matchingRows.length,
    resolved: matchingRows.filter(({ status }) => status === 'resolved').length,
    acknowledgeMinutes: meanMinutes(matchingRows, 'acknowledgedTime'),
    resolveMinutes: meanMinutes(matchingRows, 'resolvedTime'),
    subjects,
  }
}

async function expectPlainCount(user: ReturnType<TestApp['as']>, filter: Filter, ids: number[]) {
  const statistics = await user.call(incidentApi.statistics, filter)
  const plain = countPlainly(filter, ids)
  const { noisiest, acknowledgeMinutes, resolveMinutes, ...counts } = statistics
  expect(counts).toEqual({ opened: plain.opened, resolved: plain.resolved })
  for (const [mean, plainMean] of [
    [acknowledgeMinutes, plain.acknowledgeMinutes],
    [resolveMinutes, plain.resolveMinutes],
  ] as const)
    if (plainMean === null) expect(mean).toBeNull()
    else expect(mean).toBeCloseTo(plainMean, 6)
  const plainCounts = [...plain.subjects.values()].map(({ count }) => count)
  expect(noisiest.map(({ count }) => count)).toEqual(
    plainCounts.toSorted((first, second) => second - first).slice(0, 10),
  )
  for (const row of noisiest) {
    const subject = plain.subjects.get([row.projectId, row.ruleId, row.subjectKey].join())!
    expect(row).toMatchObject({
      count: subject.count,
      ruleName: subject.newest.ruleName,
      subjectName: subject.newest.subjectName,
    })
  }
  return plain.opened
}

const toDay = (day: number) => new Date(periodStart + day * dayMs).toISOString()
const allDays = { from: toDay(0), to: toDay(periodDays) }

it('counts what a plain count over the rows does, for each project and any period', async () => {
  const random = createRandom()
  const filters: Filter[] = [
    allDays,
    ...projectIds.map((projectId) => ({ ...allDays, projectId })),
    ...Array.from({ length: 25 }, () => {
      const first = random(periodDays)
      const period = { from: toDay(first), to: toDay(first + 1 + random(20)) }
      return random(2) === 0 ? period : { ...period, projectId: projectIds[random(3)]! }
    }),
    { from: toDay(3), to: toDay(3) },
  ]
  const openedCounts: number[] = []
  for (const filter of filters)
    openedCounts.push(await expectPlainCount(app.as('admin'), filter, projectIds))
  expect(openedCounts[0]).toBe(600)
  expect(openedCounts.slice(1, 4).reduce((sum, count) => sum + count)).toBe(600)
})
it('counts each incident in one of two periods that meet', async () => {
  const countOpened = async (from: number, to: number) =>
    (await app.as('admin').call(incidentApi.statistics, { from: toDay(from), to: toDay(to) }))
      .opened
  const days = await Promise.all(
    Array.from({ length: periodDays }, (_, day) => countOpened(day, day + 1)),
  )
  expect(days.reduce((sum, count) => sum + count)).toBe(600)
})
it('counts only what a user may see', async () => {
  const projectId = projectIds[1]!
  const user = await app.join('statistics-visitor', 'visitor', [projectId])
  expect(await expectPlainCount(user, allDays, [projectId])).toBeGreaterThan(0)
  expect(await expectPlainCount(user, { ...allDays, projectId: projectIds[2]! }, [projectId])).toBe(
    0,
  )
})
