import { createTree, formatTreePath } from '@iot/shared/contract/tree'
import { and, inArray } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { readPersonNames } from '../../core/db/personNames'
import { alarmIncident, type incidentEvent } from '../../tables/alarm'
import { listProjectSpaces } from '../deviceGroup/policy'
import {
  enqueueNotifications,
  stopEscalation,
  type EnqueueResult,
  type NotificationOccasion,
} from '../notification/policy'
import { describeEvent, describeWindowEnd, flappingText } from './describeEvent'
import type { IncidentRow } from './incidentScope'

type TimelineEvent = typeof incidentEvent.$inferSelect
type SkippedNote = Pick<TimelineEvent, 'projectId' | 'incidentId' | 'kind' | 'detail'>

const isFlappingChange = ({ cause }: TimelineEvent['detail']) =>
  cause === 'flapping' || cause === 'flappingEnded'

/**
 * Returns the occasion of a timeline entry; undefined if it needs no notification. An acknowledged incident reminds
 * without an escalation, because it cannot be acknowledged once more to end that.
 * @param isOpening the incident is opened together with the entry
 */
function toOccasionKind(
  { kind, detail }: TimelineEvent,
  { status, snoozedUntil }: IncidentRow,
  isOpening: boolean,
): NotificationOccasion['kind'] | undefined {
  switch (kind) {
    case 'opened':
    case 'acknowledged':
    case 'resolved':
      return kind
    case 'reopened':
    case 'raised':
      return status === 'open' ? kind : 'reminded'
    case 'snoozed':
      // A person who ends a snooze early asks for the reminders that the snooze held back.
      return detail.until ? undefined : status === 'open' ? 'reopened' : 'reminded'
    case 'noted':
      // Single changes are not told any more; the message of an opening says so itself.
      return isFlappingChange(detail) && !isOpening && !snoozedUntil ? 'reminded' : undefined
    case 'assigned':
      return undefined
  }
}

/** Reads places with one statement per project, because many incidents may end at once. */
function createPlaceReader(tx: Db) {
  const readTree = async (projectId: number) => createTree(await listProjectSpaces(tx, projectId))
  const treesByProject = new Map<number, ReturnType<typeof readTree>>()
  return async ({ projectId, spaceId }: IncidentRow) => {
    if (!spaceId) return ''
    const tree = treesByProject.get(projectId) ?? readTree(projectId)
    treesByProject.set(projectId, tree)
    return formatTreePath(await tree, spaceId)
  }
}

/** Returns the name of the maintenance window that held the incident back; undefined without one. */
const getWindowName = ({ kind, detail }: TimelineEvent) =>
  kind === 'opened' && typeof detail.windowName === 'string' ? detail.windowName : undefined

function buildLines(
  event: TimelineEvent,
  incident: IncidentRow,
  { place, resolvedByName }: { place: string; resolvedByName: string },
) {
  const windowName = getWindowName(event)
  return [
    ...(event.kind === 'opened' ? [] : [describeEvent(event)]),
    ...(windowName === undefined ? [] : [describeWindowEnd(windowName)]),
    ...(event.kind === 'opened' && incident.isFlapping ? [flappingText] : []),
    `规则：${incident.ruleName}`,
    ...(place ? [`位置：${place}`] : []),
    ...(incident.deviceCount > 1 ? [`设备：${incident.deviceCount} 台`] : []),
    ...(event.kind === 'resolved' && resolvedByName ? [`恢复人：${resolvedByName}`] : []),
  ]
}

/** Says in the timeline which policies did not notify, so that silence is never taken for a message. */
const toSkippedNote = (
  { projectId, incidentId }: TimelineEvent,
  { queuedCount, skipped }: EnqueueResult,
): SkippedNote => ({
  projectId,
  incidentId,
  kind: 'noted',
  detail: {
    cause: 'skippedPolicies',
    isNotified: queuedCount > 0,
    policies: skipped.map(({ policyName, reason }) => `${policyName}（${reason}）`).join('；'),
  },
})

/**
 * Queues notifications of new entries of timelines, in the transaction that writes these.
 * @returns entries about policies that did not notify
 */
export async function notifyIncidents(tx: Db, events: TimelineEvent[]): Promise<SkippedNote[]> {
  const incidents = await tx
    .select()
    .from(alarmIncident)
    .where(
      and(
        inArray(alarmIncident.projectId, [...new Set(events.map(({ projectId }) => projectId))]),
        inArray(alarmIncident.id, [...new Set(events.map(({ incidentId }) => incidentId))]),
      ),
    )
  const incidentsById = new Map(incidents.map((incident) => [incident.id, incident]))
  const readPlace = createPlaceReader(tx)
  const personNames = await readPersonNames(tx, [
    ...new Set(incidents.map(({ resolvedBy }) => resolvedBy).filter(Boolean)),
  ])
  const openedIds = new Set(
    events.filter(({ kind }) => kind === 'opened').map(({ incidentId }) => incidentId),
  )
  const skippedNotes: SkippedNote[] = []
  for (const event of events) {
    const incident = incidentsById.get(event.incidentId)
    if (!incident) continue
    if (event.kind === 'snoozed' && event.detail.until)
      await stopEscalation(tx, incident.id, '已暂停提醒')
    const kind = toOccasionKind(event, incident, openedIds.has(incident.id))
    if (!kind) continue
    const result = await enqueueNotifications(tx, {
      kind,
      occasionId: event.id,
      projectId: incident.projectId || null,
      severity: incident.severity,
      title: incident.title,
      lines: buildLines(event, incident, {
        place: await readPlace(incident),
        resolvedByName: personNames.get(incident.resolvedBy) ?? '',
      }),
      path: `/system/alarm/incident/${incident.id}`,
      time: event.time,
      subject: incident.id,
      isBundled: getWindowName(event) !== undefined,
    })
    if (result.skipped.length > 0) skippedNotes.push(toSkippedNote(event, result))
  }
  return skippedNotes
}
