import { minuteMs } from '@iot/shared/contract/duration'
import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { transaction, type Db } from '../../core/db/db'
import { notificationEscalation as escalation, notificationPolicy } from '../../tables/notification'
import { insertOutboxRows, joinWaitingStep } from './enqueue'
import { findReachableChannels } from './steps'

const maxPerRound = 100
/** Older ones come from a restored backup or a long stop, and would tell of what is long over. */
const maxDelayHours = 24
type EscalationRow = typeof escalation.$inferSelect

async function runStep(tx: Db, row: EscalationRow) {
  const isThisRow = and(eq(escalation.subject, row.subject), eq(escalation.policyId, row.policyId))
  const [policy] = await tx
    .select()
    .from(notificationPolicy)
    .where(and(eq(notificationPolicy.id, row.policyId), eq(notificationPolicy.status, 'enabled')))
  const { occasionId, projectId, severity, subject, content, policyId } = row
  let step = row.step
  for (let isSent = false; policy?.steps[step] && !isSent; step++) {
    const stepTargets = await findReachableChannels(tx, policyId, policy.steps[step]!, {
      projectId,
      title: content.title,
    })
    if (stepTargets.length === 0) continue
    const minutes = policy.steps[step]!.afterMinutes
    const isEarly = Date.parse(row.dueTime) < Date.parse(row.openedTime) + minutes * minuteMs
    const reason = isEarly ? '前一步没有通知到人' : `发生后 ${minutes} 分钟仍未确认`
    const ownTargets: typeof stepTargets = []
    for (const stepTarget of stepTargets)
      if (!(await joinWaitingStep(tx, occasionId, stepTarget))) ownTargets.push(stepTarget)
    await insertOutboxRows(
      tx,
      {
        occasionId,
        projectId,
        severity,
        subject,
        step,
        event: 'escalated',
        content: { ...content, lines: [...content.lines, reason] },
      },
      ownTargets,
    )
    isSent = true
  }
  const nextStep = policy?.steps[step]
  if (!nextStep) return void (await tx.delete(escalation).where(isThisRow))
  await tx
    .update(escalation)
    .set({
      step,
      dueTime: new Date(
        Date.parse(row.openedTime) + nextStep.afterMinutes * minuteMs,
      ).toISOString(),
    })
    .where(isThisRow)
}

/**
 * Lets the next step follow at once where no message of the step before has reached anybody, or still may.
 * @param failedRows rows that have just been given up
 */
export async function advanceEscalations(
  tx: Db,
  failedRows: { subject: string; occasionId: string; step: number }[],
) {
  await tx.execute(sql`
    update notification_escalation e set due_time = least(e.due_time, now())
    from jsonb_to_recordset(${JSON.stringify(failedRows)}::jsonb) as failed("subject" text, "occasionId" text, "step" integer)
    where e.subject = failed.subject and e.occasion_id = failed."occasionId" and not exists (
      select 1 from notification_outbox o where o.subject = failed.subject and o.occasion_id = failed."occasionId"
        and o.step = failed.step and o.status in ('pending', 'sent'))`)
}

/**
 * Notifies by the next step of each policy whose time has come without an acknowledgement. The hours of a policy apply
 * when something opens; its later steps are sent at any hour.
 */
export const runDueEscalations = (db: Db) =>
  transaction(db, async (tx) => {
    await tx
      .delete(escalation)
      .where(lte(escalation.dueTime, sql`now() - make_interval(hours => ${maxDelayHours})`))
    const dueRows = await tx
      .select()
      .from(escalation)
      .where(lte(escalation.dueTime, sql`now()`))
      .orderBy(asc(escalation.dueTime))
      .limit(maxPerRound)
      .for('update', { skipLocked: true })
    for (const row of dueRows) await runStep(tx, row)
    return dueRows.length
  })
