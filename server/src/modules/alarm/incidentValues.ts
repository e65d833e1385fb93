import { dayMs, minuteMs } from '@iot/shared/contract/duration'
import type { IncidentValues } from '@iot/shared/contract/alarm/incident.schema'
import { isNumberType } from '@iot/shared/contract/thingModel/thingText'
import { and, asc, desc, eq, gte, lt, lte } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { alarmRule } from '../../tables/alarm'
import { device, product, propertyHistory } from '../../tables/device'
import type { IncidentRow } from './incidentScope'

/** The time before the condition began and after it ended. */
const marginMs = 30 * minuteMs
/** An incident that lasts longer is shown from its beginning. */
const maxPeriodMs = dayMs
/** A small chart cannot show more. */
const maxPoints = 2000

/** Returns the number that the rule compares now; undefined if the incident is not about a number of one device. */
export async function findComparedNumber(db: Db, { projectId, deviceId, ruleId }: IncidentRow) {
  const [rule] = await db.select().from(alarmRule).where(eq(alarmRule.id, ruleId))
  const source = rule?.source
  if (!deviceId || source?.kind !== 'threshold' || typeof source.value !== 'number')
    return undefined
  const [row] = await db
    .select({ model: product.model })
    .from(device)
    .innerJoin(product, eq(product.id, device.productId))
    .where(and(eq(device.projectId, projectId), eq(device.id, deviceId)))
  const property = row?.model.properties.find(({ identifier }) => identifier === source.identifier)
  if (!property || !isNumberType(property.dataType)) return undefined
  return {
    deviceId,
    identifier: source.identifier,
    limit: source.value,
    recoverValue: source.recoverValue,
    propertyName: property.name,
    unit: property.dataType.specs.unit ?? '',
  }
}

/** Returns the reported numbers around an incident, with the limit of its rule as it is now. */
export async function readIncidentValues(
  db: Db,
  incident: IncidentRow,
): Promise<IncidentValues | null> {
  const comparedNumber = await findComparedNumber(db, incident)
  if (!comparedNumber) return null
  const { deviceId, identifier, ...description } = comparedNumber
  const { projectId, firstTime, resolvedTime } = incident
  const nowMs = Date.now()
  const fromMs = Date.parse(firstTime) - marginMs
  const endMs = (resolvedTime ? Date.parse(resolvedTime) : nowMs) + marginMs
  const [from, to] = [fromMs, Math.min(endMs, nowMs, fromMs + maxPeriodMs)].map((ms) =>
    new Date(ms).toISOString(),
  ) as [string, string]
  const values = { time: propertyHistory.time, value: propertyHistory.value }
  const ofProperty = and(
    eq(propertyHistory.projectId, projectId),
    eq(propertyHistory.deviceId, deviceId),
    eq(propertyHistory.identifier, identifier),
  )
  const earlierRows = await db
    .select(values)
    .from(propertyHistory)
    .where(and(ofProperty, lt(propertyHistory.time, from)))
    .orderBy(desc(propertyHistory.time))
    .limit(1)
  const rows = await db
    .select(values)
    .from(propertyHistory)
    .where(and(ofProperty, gte(propertyHistory.time, from), lte(propertyHistory.time, to)))
    .orderBy(asc(propertyHistory.time))
    .limit(maxPoints + 1)
  return {
    ...description,
    from,
    to,
    points: [...earlierRows, ...rows.slice(0, maxPoints)].flatMap(({ time, value }) =>
      typeof value === 'number' ? [{ time, value }] : [],
    ),
    isPartial: rows.length > maxPoints,
  }
}
