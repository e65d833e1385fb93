import type { LedgerState } from '@iot/shared/contract/control/control.schema'

/**
 * States that the engine may give to a ledger entry, by its current state. An entry is queued, sent and perhaps
 * delivered before it gets a final state. A final state changes only where the engine still observes the device, so
 * that a later report corrects the outcome; a failed entry may fail again with another reason.
 */
export const nextStates: Readonly<Record<LedgerState, readonly LedgerState[]>> = {
  queued: ['sent', 'failed', 'unknown', 'overridden', 'cancelled'],
  // A device may report the requested values before its acknowledgement arrives.
  sent: ['delivered', 'success', 'failed', 'timeout', 'unknown', 'overridden'],
  delivered: ['success', 'confirmed', 'failed', 'unknown', 'overridden'],
  success: ['failed'],
  confirmed: ['success', 'failed'],
  failed: ['success', 'failed'],
  timeout: [],
  unknown: [],
  overridden: [],
  skipped: [],
  cancelled: [],
}

export const canTransition = (from: LedgerState, to: LedgerState) => nextStates[from].includes(to)
