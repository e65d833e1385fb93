import { minuteMs } from '@iot/shared/contract/duration'
import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { transaction, type Db } from '../../core/db/db'
import { notificationEscalation as escalation, notificationPolicy } from '../../tables/notification'
import { insertOutboxRows } from './enqueue'
import { findReachableChannels } from './steps'

const maxPerRound = 100
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
    const stepTargets = await findReachableChannels(tx, policyId, policy.steps[step]!, projectId)
    if (stepTargets.length === 0) continue
    const minutes = policy.steps[step]!.afterMinutes
    await insertOutboxRows(
      tx,
      {
        occasionId,
        projectId,
        severity,
        subject,
        step,
        event: 'escalated',
        content: { ...content, lines: [...content.lines, `发生后 ${minutes} 分钟仍未确认`] },
      },
      stepTargets,
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
 * Notifies by the next step of each policy whose time has come without an acknowledgement. The hours of a policy apply
 * when something opens; its later steps are sent at any hour.
 */
export const runDueEscalations = (db: Db) =>
  transaction(db, async (tx) => {
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
