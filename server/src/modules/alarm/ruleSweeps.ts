import { minuteMs } from '@iot/shared/contract/duration'
import type { Db } from '../../core/db/db'
import { findChangedBuckets, readPlacements, sweepRules, type Placements } from './reconcile'
import type { CompiledRule, RuleIndex } from './ruleIndex'

export const sweepIntervalMs = minuteMs
/**
 * A process that missed the message about a changed rule reads it within this time. What such a process has received
 * before is found by a second sweep.
 */
const lateReaderMs = 5000

type RuleSweep = { revision: string; timeMs: number; isRepeated: boolean }

type SweepDependencies = {
  db: Db
  index: RuleIndex
  isOfflineFrozen: () => boolean
  /** Runs a function that writes conditions and returns their number; all evaluators read them afterwards. */
  writeConditions: (write: () => Promise<number>) => Promise<unknown>
}

/** Applies rules to the values that are stored, in the process that holds the jobs. */
export function createRuleSweeps({
  db,
  index,
  isOfflineFrozen,
  writeConditions,
}: SweepDependencies) {
  const sweptRules = new Map<string, RuleSweep>()
  let placements: Placements | undefined

  async function sweepChanged(rule: CompiledRule) {
    const revision = `${rule.version} ${rule.fingerprint}`
    const lastSweep = sweptRules.get(rule.id)
    const isChanged = lastSweep?.revision !== revision
    const timeMs = performance.now()
    if (!isChanged && (lastSweep.isRepeated || timeMs - lastSweep.timeMs < lateReaderMs)) return
    if (rule.source.kind === 'offline' && isOfflineFrozen()) return
    await writeConditions(() => sweepRules(db, [rule]))
    sweptRules.set(rule.id, { revision, timeMs, isRepeated: !isChanged })
  }
  /** A device that is moved into the scope of a threshold may not report again for a long time. */
  async function sweepMovedDevices() {
    const current = await readPlacements(db)
    const former = placements
    placements = current
    if (!former) return
    for (const productId of current.keys()) {
      const rules = index
        .list()
        .filter((rule) => rule.source.kind === 'threshold' && rule.productId === productId)
      const changedBuckets = findChangedBuckets(former, current, productId)
      if (changedBuckets.length > 0)
        await writeConditions(() => sweepRules(db, rules, changedBuckets))
    }
  }

  return {
    /** Applies each rule after a change of it; one that was disabled has lost its conditions. */
    async sweepChangedRules() {
      for (const rule of index.list()) await sweepChanged(rule)
    },
    async sweepDevices() {
      await sweepMovedDevices()
      if (isOfflineFrozen()) return
      const offlineRules = index.list().filter(({ source }) => source.kind === 'offline')
      await writeConditions(() => sweepRules(db, offlineRules))
    },
    /** Lets all rules be applied again, because a process may have stopped before it wrote its conditions. */
    forget: () => sweptRules.clear(),
  }
}
