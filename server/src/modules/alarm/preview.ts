import type { AlarmPreview, ThresholdSource } from '@iot/shared/contract/alarm/alarmRule.schema'
import { dayMs, minuteMs } from '@iot/shared/contract/duration'
import type { Values } from '@iot/shared/contract/device/device.schema'
import type { DataType } from '@iot/shared/contract/thingModel/thingModel.schema'
import { toZonedDate } from '@iot/shared/contract/timeZone'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { findTimeZone } from '../../core/db/timeZone'
import { device, deviceEvent } from '../../tables/device'
import { judgeValue } from './conditions'
import { compileDraft, type CompiledRule, type RuleDraftRow } from './ruleIndex'

const previewDays = 30
/** More rows take longer than a person waits for an answer. */
const maxValues = 200_000
const maxDevices = 2000
const maxListedDevices = 10

type Sample = { timeMs: number; value: Values[string] }
type Firing = { deviceId: string; timeMs: number }

/** Replays the values of one device and returns when the rule would have opened incidents. */
export function replayValues(
  source: ThresholdSource,
  dataType: DataType | undefined,
  { forMinutes, recoverMinutes }: { forMinutes: number; recoverMinutes: number },
  samples: Sample[],
  untilMs: number,
): number[] {
  const forMs = forMinutes * minuteMs
  const recoverMs = recoverMinutes * minuteMs
  const firings: number[] = []
  let metSinceMs: number | undefined
  let overSinceMs: number | undefined
  let isOpen = false
  for (const [position, { timeMs, value }] of samples.entries()) {
    const signal = judgeValue(source, dataType, value)
    if (isOpen && overSinceMs !== undefined && timeMs - overSinceMs >= recoverMs) {
      isOpen = false
      metSinceMs = undefined
    }
    if (signal === 'met') {
      overSinceMs = undefined
      metSinceMs ??= timeMs
      // The value is taken to stay until the next sample, the last one until now, because many devices report changes alone.
      const heldUntilMs = samples[position + 1]?.timeMs ?? untilMs
      if (!isOpen && heldUntilMs - metSinceMs >= forMs) {
        firings.push(Math.max(timeMs, metSinceMs + forMs))
        isOpen = true
      }
    } else if (isOpen && signal === 'over') overSinceMs ??= timeMs
    else if (isOpen && signal === 'between') overSinceMs = undefined
    else if (!isOpen) metSinceMs = undefined
  }
  return firings
}

const previewQueries = (db: Db) => ({
  listDevices: (rule: CompiledRule, scope: 'all' | number[]) =>
    db
      .select({
        id: device.id,
        name: device.name,
        projectId: device.projectId,
        productId: device.productId,
        spaceId: device.spaceId,
      })
      .from(device)
      .where(
        and(
          rule.projectId === 0
            ? scope === 'all'
              ? undefined
              : inArray(device.projectId, scope)
            : eq(device.projectId, rule.projectId),
          rule.productId === null ? undefined : eq(device.productId, rule.productId),
        ),
      )
      .orderBy(asc(device.id))
      .limit(maxDevices + 1),
  /** Reads values in the order of devices and times; ids travel as one parameter. */
  async listValues(projectIds: number[], ids: string[], identifier: string, from: string) {
    const { rows } = await db.execute<{
      deviceId: string
      time: string
      value: Values[string]
    }>(sql`
      select device_id as "deviceId", time, value from property_history
      where project_id in (select value::int from jsonb_array_elements_text(${JSON.stringify(projectIds)}::jsonb))
        and device_id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
        and identifier = ${identifier} and time >= ${from} order by device_id, time limit ${maxValues + 1}`)
    return rows
  },
  listEvents: (
    projectIds: number[],
    ids: string[],
    types: string[],
    identifier: string,
    from: string,
  ) =>
    db
      .select({ deviceId: deviceEvent.deviceId, time: deviceEvent.time })
      .from(deviceEvent)
      .where(
        and(
          inArray(deviceEvent.projectId, projectIds),
          sql`${deviceEvent.deviceId} in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`,
          inArray(deviceEvent.type, types),
          identifier ? eq(deviceEvent.identifier, identifier) : undefined,
          sql`${deviceEvent.time} >= ${from}`,
        ),
      )
      .orderBy(asc(deviceEvent.deviceId), asc(deviceEvent.time))
      .limit(maxValues + 1),
})

/** An event that follows another within the recovery time belongs to the same incident. */
function replayEvents(times: number[], recoverMinutes: number) {
  const firings: number[] = []
  let lastMs = -Infinity
  for (const timeMs of times) {
    const isSame =
      firings.length > 0 && (recoverMinutes === 0 || timeMs - lastMs < recoverMinutes * minuteMs)
    if (!isSame) firings.push(timeMs)
    lastMs = timeMs
  }
  return firings
}

async function findFirings(
  db: Db,
  rule: CompiledRule,
  devices: { id: string; projectId: number }[],
  from: string,
) {
  const queries = previewQueries(db)
  const { source } = rule
  const ids = devices.map(({ id }) => id)
  const projectIds = [...new Set(devices.map(({ projectId }) => projectId))]
  if (source.kind === 'offline' || source.kind === 'check' || ids.length === 0)
    return { firings: [], isPartial: false, firstMs: undefined }
  const rows: { deviceId: string; time: string; value?: Values[string] }[] =
    source.kind === 'threshold'
      ? await queries.listValues(projectIds, ids, source.identifier, from)
      : await queries.listEvents(projectIds, ids, source.types, source.identifier, from)
  const samplesByDevice = new Map<string, Sample[]>()
  let firstMs: number | undefined
  for (const row of rows.slice(0, maxValues)) {
    const timeMs = Date.parse(row.time)
    firstMs = Math.min(firstMs ?? timeMs, timeMs)
    const samples = samplesByDevice.get(row.deviceId) ?? []
    samples.push({ timeMs, value: row.value ?? 0 })
    samplesByDevice.set(row.deviceId, samples)
  }
  const dataType =
    source.kind === 'threshold'
      ? rule.model?.properties.find(({ identifier }) => identifier === source.identifier)?.dataType
      : undefined
  const firings = [...samplesByDevice].flatMap(([deviceId, samples]): Firing[] =>
    (source.kind === 'threshold'
      ? replayValues(source, dataType, rule, samples, Date.now())
      : replayEvents(
          samples.map(({ timeMs }) => timeMs),
          rule.recoverMinutes,
        )
    ).map((timeMs) => ({ deviceId, timeMs })),
  )
  return { firings, isPartial: rows.length > maxValues, firstMs }
}

/** Tells how often a rule would have opened an incident in the stored history of the last 30 days. */
export async function previewRule(
  db: Db,
  draft: RuleDraftRow,
  scope: 'all' | number[],
): Promise<AlarmPreview> {
  const rule = await compileDraft(db, draft)
  const nowMs = Date.now()
  const from = new Date(nowMs - previewDays * dayMs).toISOString()
  const listedDevices = await previewQueries(db).listDevices(rule, scope)
  const devices = listedDevices.slice(0, maxDevices).filter(rule.covers)
  const { firings, isPartial, firstMs } = await findFirings(db, rule, devices, from)
  const timeZone = await findTimeZone(db, draft.projectId || undefined)
  const toDay = (timeMs: number) => toZonedDate(timeMs, timeZone)
  const countByDay = new Map<string, number>()
  for (let agoDays = previewDays; agoDays >= 0; agoDays--)
    countByDay.set(toDay(nowMs - agoDays * dayMs), 0)
  const countByDevice = new Map<string, number>()
  for (const { deviceId, timeMs } of firings) {
    const day = toDay(timeMs)
    countByDay.set(day, (countByDay.get(day) ?? 0) + 1)
    countByDevice.set(deviceId, (countByDevice.get(deviceId) ?? 0) + 1)
  }
  const names = new Map(devices.map(({ id, name }) => [id, name]))
  return {
    reason:
      rule.source.kind === 'offline' || rule.source.kind === 'check'
        ? `历史里没有${rule.source.kind === 'offline' ? '离线' : '这种情况'}的时间，不能预览`
        : firstMs === undefined
          ? '最近 30 天没有这些设备的历史'
          : '',
    from,
    historyDays:
      firstMs === undefined ? 0 : Math.min(previewDays, Math.ceil((nowMs - firstMs) / dayMs)),
    total: firings.length,
    deviceCount: countByDevice.size,
    isPartial: isPartial || listedDevices.length > maxDevices,
    days: [...countByDay].map(([day, count]) => ({ day, count })),
    devices: [...countByDevice]
      .sort(([, first], [, second]) => second - first)
      .slice(0, maxListedDevices)
      .map(([id, count]) => ({ id, name: names.get(id) ?? '', count })),
  }
}
