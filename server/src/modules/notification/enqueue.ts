import { minuteMs } from '@iot/shared/contract/duration'
import { platformTimeZone } from '@iot/shared/contract/timeZone'
import { and, asc, desc, eq, gt, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type { Db } from '../../core/db/db'
import { bundleWaitSeconds } from './bundle'
import { createCalendarReader } from '../calendar/policy'
import { now } from '../../tables/columns'
import {
  notificationChannel as channelTable,
  notificationEscalation as escalation,
  notificationOutbox as outbox,
  notificationPolicy as policyTable,
  type NotificationContent,
} from '../../tables/notification'
import { project } from '../../tables/project'
import type { EnqueueResult, NotificationOccasion } from './occasion'
import { concernsOccasion, explainOutsideHours, type PolicyRow } from './policyMatch'
import { findReachableChannels, type StepTarget } from './steps'

type EnqueueOptions = {
  /** A channel that cannot be used now, because the occasion is its own failure. */
  exceptChannelId?: string
}
type ProjectFacts = { name: string; timeZone: string; calendarId: string | null }

async function readProject(db: Db, projectId: number | null): Promise<ProjectFacts> {
  const platform = { name: '', timeZone: platformTimeZone, calendarId: null }
  if (projectId === null) return platform
  const [row] = await db
    .select({ name: project.name, timeZone: project.timeZone, calendarId: project.calendarId })
    .from(project)
    .where(eq(project.projectId, projectId))
  return row ?? platform
}

/** Reads days off from the calendar of the policy, that of the project, or the built-in one. */
function createDayOffReader(db: Db, calendarId: string | null) {
  return async (date: string) => {
    const calendars = createCalendarReader(db)
    const all = await calendars.listAll()
    const calendar =
      all.find(({ id }) => id === calendarId) ??
      all.find(({ builtin, projectId }) => builtin && projectId === null)
    if (!calendar) return undefined
    const days = await calendars.listYear(calendar, Number(date.slice(0, 4)))
    return days.find((day) => day.date === date)?.isOff
  }
}

const toContent = (
  { title, lines, path, time }: NotificationOccasion,
  { name, timeZone }: ProjectFacts,
): NotificationContent => ({ title, lines, path, time, timeZone, project: name })

/** A notification in the browser without roles is for everybody, whatever roles another policy names. */
const mergeRoles = ({ kind, roleIds }: Pick<StepTarget, 'kind' | 'roleIds'>, otherIds: string[]) =>
  kind === 'browser' && (roleIds.length === 0 || otherIds.length === 0)
    ? []
    : [...new Set([...otherIds, ...roleIds])]

/**
 * Adds the roles of a step to a message of another policy about the same occasion that is not sent yet. Without roles a
 * notification in the browser stays for everybody.
 * @returns true if there is such a message
 */
export async function joinWaitingStep(
  tx: Db,
  occasionId: string,
  { channelId, kind, roleIds }: StepTarget,
) {
  const [waitingRow] = await tx
    .select({ id: outbox.id, roleIds: outbox.roleIds })
    .from(outbox)
    .where(
      and(
        eq(outbox.occasionId, occasionId),
        eq(outbox.channelId, channelId),
        eq(outbox.event, 'escalated'),
        eq(outbox.status, 'pending'),
        isNull(outbox.messageId),
      ),
    )
    .limit(1)
    .for('update')
  if (!waitingRow) return false
  await tx
    .update(outbox)
    .set({ roleIds: mergeRoles({ kind, roleIds }, waitingRow.roleIds) })
    .where(eq(outbox.id, waitingRow.id))
  return true
}

/** Writes one row per channel; a channel of several policies gets one message for the roles of all. */
export async function insertOutboxRows(
  tx: Db,
  row: Omit<typeof outbox.$inferInsert, 'id' | 'channelId' | 'roleIds' | 'policyId'>,
  stepTargets: StepTarget[],
) {
  const byChannel = new Map<string, StepTarget>()
  for (const stepTarget of stepTargets) {
    const knownTarget = byChannel.get(stepTarget.channelId)
    byChannel.set(stepTarget.channelId, {
      ...stepTarget,
      policyId: knownTarget?.policyId ?? stepTarget.policyId,
      roleIds: knownTarget ? mergeRoles(stepTarget, knownTarget.roleIds) : stepTarget.roleIds,
    })
  }
  if (byChannel.size === 0) return 0
  const insertedRows = await tx
    .insert(outbox)
    .values(
      [...byChannel.values()].map(({ kind: _kind, ...stepTarget }) => ({
        ...row,
        ...stepTarget,
        id: uuidv7(),
      })),
    )
    .onConflictDoNothing()
    .returning({ id: outbox.id })
  return insertedRows.length
}

/** Ends the escalation of a subject and drops its steps that have not been sent. */
export async function stopEscalation(tx: Db, subject: string, reason: string) {
  await tx.delete(escalation).where(eq(escalation.subject, subject))
  await tx
    .update(outbox)
    .set({ status: 'cancelled', lastError: reason, doneTime: now() })
    .where(
      and(
        eq(outbox.subject, subject),
        eq(outbox.status, 'pending'),
        inArray(outbox.event, ['escalated', 'reminded']),
        eq(outbox.attempts, 0),
      ),
    )
}

/** Tells those who were told of the problem that it is over, if their policy wants it. */
async function enqueueResolved(tx: Db, occasion: NotificationOccasion, facts: ProjectFacts) {
  const notifiedRows = await tx
    .select({
      channelId: outbox.channelId,
      policyId: outbox.policyId,
      kind: channelTable.kind,
      roleIds: outbox.roleIds,
    })
    .from(outbox)
    .leftJoin(policyTable, eq(policyTable.id, outbox.policyId))
    .innerJoin(channelTable, eq(channelTable.id, outbox.channelId))
    .where(
      and(
        eq(outbox.subject, occasion.subject),
        ne(outbox.event, 'resolved'),
        inArray(outbox.status, ['pending', 'sent']),
        eq(channelTable.status, 'enabled'),
        // The end is told also after the policy was removed.
        or(isNull(policyTable.id), eq(policyTable.notifiesResolved, true)),
        // The channels of an earlier episode have been told of its end already.
        gt(
          outbox.createTime,
          sql`coalesce((select max(ended.create_time) from notification_outbox ended
            where ended.subject = ${occasion.subject} and ended.event = 'resolved'), '-infinity')`,
        ),
      ),
    )
  const { occasionId, projectId, severity, subject } = occasion
  return insertOutboxRows(
    tx,
    {
      occasionId,
      projectId,
      severity,
      subject,
      event: 'resolved',
      step: 0,
      content: toContent(occasion, facts),
    },
    notifiedRows,
  )
}

async function startEscalation(
  tx: Db,
  policy: PolicyRow,
  occasion: NotificationOccasion,
  content: NotificationContent,
  nextStep: number,
) {
  const step = policy.steps[nextStep]
  if (!step) return
  const { occasionId, projectId, severity, subject } = occasion
  const values = {
    occasionId,
    projectId,
    severity,
    content,
    step: nextStep,
    openedTime: occasion.time,
    dueTime: new Date(Date.parse(occasion.time) + step.afterMinutes * minuteMs).toISOString(),
  }
  await tx
    .insert(escalation)
    .values({ ...values, subject, policyId: policy.id })
    .onConflictDoUpdate({ target: [escalation.subject, escalation.policyId], set: values })
}

type Match = { policy: PolicyRow; nextStep: number; stepTargets: StepTarget[] }

/** Finds the first step of a policy that reaches a receiver; the escalation does not wait for one without receivers. */
async function findFirstStep(
  tx: Db,
  policy: PolicyRow,
  occasion: Pick<NotificationOccasion, 'projectId' | 'title'>,
  { exceptChannelId }: EnqueueOptions,
): Promise<Match | undefined> {
  for (const [index, step] of policy.steps.entries()) {
    const stepTargets = (await findReachableChannels(tx, policy.id, step, occasion)).filter(
      ({ channelId }) => channelId !== exceptChannelId,
    )
    if (stepTargets.length > 0) return { policy, nextStep: index + 1, stepTargets }
  }
  return undefined
}

/**
 * Matches an occasion with the policies and writes what is to be sent, in the transaction of what happened. It makes no
 * connection and never waits for a receiver.
 * @example
 * await transaction(db, async (tx) => {
 *   const incident = await openIncident(tx, …)
 *   await enqueueNotifications(tx, { occasionId: event.id, subject: incident.id, kind: 'opened', … })
 * })
 */
export async function enqueueNotifications(
  tx: Db,
  occasion: NotificationOccasion,
  options: EnqueueOptions = {},
): Promise<EnqueueResult> {
  const { kind, occasionId, projectId, severity, subject, isBundled } = occasion
  if (kind === 'acknowledged') {
    await stopEscalation(tx, subject, '已确认')
    return { queuedCount: 0, skipped: [] }
  }
  const facts = await readProject(tx, projectId)
  if (kind === 'resolved') {
    await stopEscalation(tx, subject, '已恢复')
    return { queuedCount: await enqueueResolved(tx, occasion, facts), skipped: [] }
  }
  const policies = (
    await tx
      .select()
      .from(policyTable)
      .where(eq(policyTable.status, 'enabled'))
      // A channel of several policies belongs to the first one, which then decides if the end is told.
      .orderBy(desc(policyTable.notifiesResolved), asc(policyTable.createTime), asc(policyTable.id))
  ).filter((policy) => concernsOccasion(policy, occasion))
  const skipped: EnqueueResult['skipped'] = []

  async function matchPolicies(isFallback: boolean) {
    const matches: Match[] = []
    for (const policy of policies.filter((candidate) => candidate.isFallback === isFallback)) {
      const isDayOff = createDayOffReader(tx, policy.calendarId ?? facts.calendarId)
      const reason = await explainOutsideHours(policy, occasion.time, facts.timeZone, isDayOff)
      const match = reason ? undefined : await findFirstStep(tx, policy, occasion, options)
      if (match) matches.push(match)
      else
        skipped.push({
          policyId: policy.id,
          policyName: policy.name,
          reason: reason ?? '各步都没有可用的渠道或收件人',
        })
    }
    return matches
  }
  let matches = await matchPolicies(false)
  if (matches.length === 0) matches = await matchPolicies(true)
  const content = toContent(occasion, facts)
  const queuedCount = await insertOutboxRows(
    tx,
    {
      occasionId,
      projectId,
      severity,
      subject,
      content,
      event: kind,
      step: 0,
      ...(isBundled && {
        nextTime: new Date(Date.now() + bundleWaitSeconds * 1000).toISOString(),
      }),
    },
    matches.flatMap(({ stepTargets }) => stepTargets),
  )
  // A repeated occasion has queued nothing and must not restart its escalation.
  if (kind !== 'reminded' && queuedCount > 0)
    for (const { policy, nextStep } of matches)
      await startEscalation(tx, policy, occasion, content, nextStep)
  return { queuedCount, skipped }
}
