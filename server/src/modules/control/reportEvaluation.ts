import type { Values } from '@iot/shared/contract/device/device.schema'
import {
  describeSetting,
  isConfirmed,
  isWriteOnly,
} from '@iot/shared/contract/thingModel/thingValue'
import { isFinalState, stoppedReason } from './closeLedger'
import type { ObservedEntries } from './observedEntries'
import type { Entry } from './runningTask'
import type { Settlement } from './settlement'
import { contradicts, matchesTargetValues } from './targetValues'
import { runInBackground } from '../../core/db/outage'

const failureText = '控制结果未判定'

/** Judges entries by the acknowledgements, reports and connection states of their devices. */
export function createReportEvaluation(
  observedEntries: ObservedEntries,
  { finishEntry, correctOutcome }: Settlement,
  reportGraceMs: number,
) {
  function onAcknowledged(entry: Entry) {
    if (isFinalState(entry.row.state)) return
    // A device that already had the requested values has nothing new to report.
    if (matchesTargetValues(entry.lastReported, entry.row.target))
      return finishEntry(entry, 'success', '', true)
    entry.confirmedValues = {}
    entry.task.ledger.recordTransition(entry.row, 'delivered')
    awaitReports(entry)
  }

  /** Some devices report at once, others while they fade; the outcome is judged after a pause without reports. */
  function awaitReports(entry: Entry) {
    clearTimeout(entry.timeoutTimer)
    const pauseMs = Math.min(reportGraceMs, Math.max(0, entry.deadlineMs - Date.now()))
    entry.timeoutTimer = setTimeout(() => {
      if (contradicts(entry.confirmedValues!, entry.row.target))
        runInBackground(onContradictingReport(entry), failureText)
      else runInBackground(onMissingReport(entry), failureText)
    }, pauseMs)
  }

  /** A write-only property is never reported, so its acknowledgement already counts as success. */
  async function onMissingReport(entry: Entry) {
    const model = await findModel(entry)
    // The device may have reported while the model was read.
    if (contradicts(entry.confirmedValues!, entry.row.target)) return onContradictingReport(entry)
    const isWriteOnlyTarget = model && isWriteOnly(model, entry.row.target)
    finishEntry(entry, isWriteOnlyTarget ? 'success' : 'confirmed', '', true)
  }

  async function onContradictingReport(entry: Entry) {
    const { row } = entry
    const model = await findModel(entry)
    const contradictingValues = Object.entries(entry.confirmedValues!).filter(
      ([name, value]) => !isConfirmed(row.target[name]!, value),
    )
    // The device may have reported the requested values while the model was read.
    if (contradictingValues.length === 0 || !observedEntries.has(entry)) return
    correctOutcome(
      entry,
      'failed',
      `应答后上报：${describeSetting(model, Object.fromEntries(contradictingValues))}`,
    )
  }

  function onReported({ id }: { id: string }, values: Values) {
    for (const entry of observedEntries.findByDevice(id)) {
      const { row } = entry
      entry.lastReported = { ...entry.lastReported, ...values }
      if (row.state === 'queued') continue
      const requestedValues = Object.entries(values).filter(
        ([identifier]) => identifier in row.target,
      )
      if (requestedValues.length === 0) continue
      if (row.state === 'success') entry.confirmedValues = {}
      Object.assign(entry.confirmedValues ?? {}, Object.fromEntries(requestedValues))
      if (matchesTargetValues(entry.lastReported, row.target)) correctOutcome(entry, 'success')
      else if (row.state === 'delivered') awaitReports(entry)
      else if (isFinalState(row.state)) runInBackground(onContradictingReport(entry), failureText)
    }
  }

  function onOffline({ id }: { id: string }) {
    for (const entry of observedEntries.findByDevice(id)) finishEntry(entry, 'failed', '设备离线')
  }

  /** Awaits the reports of an entry that another process has sent; its reply can no longer be told from others. */
  function resume(entry: Entry, remainingMs: number) {
    const { row, device, reportedAt = {} } = entry
    const sentMs = Date.parse(row.sentTime ?? '')
    const reportedSince = Object.fromEntries(
      Object.entries(device.reported).filter(([name]) => (reportedAt[name] ?? 0) >= sentMs),
    )
    if (matchesTargetValues(reportedSince, row.target))
      return finishEntry(entry, 'success', '', true)
    entry.timeoutTimer = setTimeout(() => finishEntry(entry, 'unknown', stoppedReason), remainingMs)
  }

  return { onAcknowledged, onReported, onOffline, resume }
}

/** An outcome is judged without the model if the database does not answer. */
const findModel = ({ task, device }: Entry) =>
  task.findModel(device.productId).catch(() => undefined)
