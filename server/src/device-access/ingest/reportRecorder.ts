import type { Values } from '@iot/shared/contract/device/device.schema'
import { LRUCache } from 'lru-cache'
import type { DeviceRef } from '../deviceRef'
import type { createHistoryWriter } from '../history/history'
import type { createDeviceClocks } from './deviceClock'
import type { ValueTimes } from './pendingChange'
import type { UpdatePending } from './stateWriter'

/** A late value is dropped with a message for the device and a reason for the operator. */
const lateReasons = {
  older: ['tsl parse: time is before that of the present value', '比现在的值旧，没有替换它'],
  expired: ['tsl parse: time is before the history that is kept', '比历史的保存期还早，没有保存'],
} as const

/** A device with its stored clock offset and value times. */
type Reporter = DeviceRef & { clockOffsetMs?: number | null; reportedAt?: ValueTimes }
type ReportOptions = {
  /** Device times in ms, for values that carry one. */
  times?: ValueTimes
  /** Returns true if the value belongs in the history. */
  belongsInHistory?: (identifier: string) => boolean
  /** The values came on a history topic. */
  isHistory?: boolean
  /** Values of the message that were not stored, with reasons. */
  dropped?: Record<string, string>
}

type ReportRecorderDependencies = {
  clocks: ReturnType<typeof createDeviceClocks>
  history: ReturnType<typeof createHistoryWriter>
  updatePending: UpdatePending
  /** Called with the values of a report that may answer a command. */
  onReported: (deviceRef: DeviceRef, possibleAnswers: Values) => void
}

/** Records what devices report: the current value, its history, and the reason of each value that came too late. */
export function createReportRecorder({
  clocks,
  history,
  updatePending,
  onReported,
}: ReportRecorderDependencies) {
  /** Times of the current values of the devices heard by this process. */
  const timesByDevice = new LRUCache<string, ValueTimes>({ max: 50_000 })

  /**
   * Records a report. `deviceClock` judges its times; the `reported` event contains only values that may answer a
   * command.
   * @returns the reply message for each value that came too late
   */
  function report(
    deviceRef: Reporter,
    values: Values,
    { times = {}, belongsInHistory = () => true, isHistory, dropped = {} }: ReportOptions = {},
  ) {
    const possibleAnswers: Values = {}
    const lateMessages: Record<string, string> = {}
    const latestTimes = timesByDevice.get(deviceRef.id) ?? { ...deviceRef.reportedAt }
    timesByDevice.set(deviceRef.id, latestTimes)
    updatePending(deviceRef, (row) => {
      const recordDrop = (identifier: string, reason: string) => {
        ;(row.dropped ??= {})[identifier] = { reason, time: new Date().toISOString() }
      }
      const recordLate = (identifier: string, [message, reason]: readonly [string, string]) => {
        lateMessages[identifier] = message
        recordDrop(identifier, reason)
      }
      for (const [identifier, value] of Object.entries(values)) {
        const judgement = clocks.judge(deviceRef, identifier, value, times[identifier], isHistory)
        const { at, isBeforeCommand, isFirstAnswer, offsetMs } = judgement
        const latestMs = Math.min(latestTimes[identifier] ?? 0, Date.now())
        // The clock of a device may be a second behind, and the ledger and the current value must agree.
        const valueTimeMs = isFirstAnswer ? Math.max(at, latestMs) : at
        if (offsetMs !== undefined) row.clockOffsetMs = offsetMs
        const isStored =
          belongsInHistory(identifier) && history.add(deviceRef, identifier, value, valueTimeMs)
        // A stored time in the future, from a clock that was set back since, must not reject newer values.
        if (valueTimeMs < latestMs) {
          if (!isHistory) recordLate(identifier, lateReasons.older)
          else if (!isStored && belongsInHistory(identifier))
            recordLate(identifier, lateReasons.expired)
          continue
        }
        if (!isBeforeCommand && !isHistory) possibleAnswers[identifier] = value
        row.patch[identifier] = value
        latestTimes[identifier] = row.at[identifier] = valueTimeMs
        row.heard.push(identifier)
        if (row.dropped) delete row.dropped[identifier]
        row.undropped.push(identifier)
      }
      for (const [identifier, reason] of Object.entries(dropped)) recordDrop(identifier, reason)
      const latestTime = Math.max(...Object.values(row.at))
      if (Number.isFinite(latestTime)) row.time = new Date(latestTime).toISOString()
    })
    onReported(deviceRef, possibleAnswers)
    return lateMessages
  }

  return { report, clearCache: () => timesByDevice.clear() }
}
