import { LRUCache } from 'lru-cache'
import { inArray } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { logError } from '../../core/db/outage'
import { createWriteBehind } from '../../core/db/writeBehind'
import { LeaseLostError } from '../../core/lease/leaseQueries'
import type { DeviceAccess } from '../../device-access/deviceAccess'
import type { ChangedDevice } from '../../device-access/ingest/writeDeviceRows'
import { device } from '../../tables/device'
import { describeObservation } from './describe'
import type { Signal } from './conditions'
import type { CompiledRule, RuleIndex } from './ruleIndex'
import { stateQueries, toDeviceKey, writeStateChanges, type StateChange } from './stateQueries'

const evaluateDelayMs = 100
const writeDelayMs = 200
const maxDevices = 200_000

/**
 * Judges the values that this process receives and writes only what changes a condition, so that a value within limits
 * costs no statement. Durations and incidents are the work of the process that holds the jobs.
 */
export function createEvaluator(db: Db, devices: DeviceAccess, index: RuleIndex) {
  /** The product of a device never changes. */
  const productIds = new LRUCache<string, string>({ max: maxDevices })
  /** Signals other than “over”, by rule and device, as this process has written them. */
  let signals = new Map<string, Map<string, Signal>>()
  let fingerprints = new Map<string, string>()
  let waitingRows = new Map<string, ChangedDevice>()
  let timer: NodeJS.Timeout | undefined
  let work: Promise<void> = Promise.resolve()

  const writer = createWriteBehind<StateChange>({
    name: '告警条件',
    delayMs: writeDelayMs,
    retryDelayMs: 1000,
    maxRows: maxDevices,
    maxRowsPerWrite: 5000,
    write: (changes) => devices.writeAsHolder((tx) => writeStateChanges(tx, changes)),
    shouldRetry: (error) => !(error instanceof LeaseLostError),
  })

  function record(rule: CompiledRule, row: ChangedDevice, signal: Signal) {
    writer.change(`${rule.id} ${row.id}`, () => ({
      ruleId: rule.id,
      projectId: row.projectId,
      subjectKey: toDeviceKey(row.id),
      deviceId: row.id,
      signal,
      detail: signal === 'met' ? describeObservation(rule, row) : '',
    }))
  }
  function judgeRow(rule: CompiledRule, row: ChangedDevice, productId: string) {
    const ruleSignals = signals.get(rule.id)
    const lastSignal = ruleSignals?.get(row.id)
    const isCovered = rule.covers({ ...row, productId })
    if (!isCovered && lastSignal === undefined) return
    const signal = isCovered ? rule.judge(row) : 'over'
    if (signal === lastSignal) return
    // The first signal needs a row only if it is `met`: an unknown value is no condition yet.
    if (lastSignal === undefined && signal !== 'met') return
    if (signal === 'unknown' && lastSignal === 'between') return
    if (signal === 'over') ruleSignals?.delete(row.id)
    else if (ruleSignals) ruleSignals.set(row.id, signal)
    else signals.set(rule.id, new Map([[row.id, signal]]))
    record(rule, row, signal)
  }

  async function readProducts(rows: ChangedDevice[]) {
    const unknownIds = rows.map(({ id }) => id).filter((id) => !productIds.has(id))
    for (let start = 0; start < unknownIds.length; start += 5000) {
      const deviceRows = await db
        .select({ id: device.id, productId: device.productId })
        .from(device)
        .where(inArray(device.id, unknownIds.slice(start, start + 5000)))
      for (const { id, productId } of deviceRows) productIds.set(id, productId)
    }
  }
  async function evaluateWaiting() {
    const rows = [...waitingRows.values()]
    waitingRows = new Map()
    try {
      await readProducts(rows)
    } catch (error) {
      for (const row of rows) if (!waitingRows.has(row.id)) waitingRows.set(row.id, row)
      schedule(1000)
      throw error
    }
    for (const row of rows) {
      const productId = productIds.get(row.id)
      if (productId)
        for (const rule of index.listForProduct(productId)) judgeRow(rule, row, productId)
    }
  }
  function runWaiting() {
    timer = undefined
    work = work.then(evaluateWaiting).catch((error: unknown) => logError('告警条件未检查', error))
  }
  function schedule(delayMs = evaluateDelayMs) {
    timer ??= setTimeout(runWaiting, delayMs).unref()
  }
  function onChanged(rows: ChangedDevice[]) {
    if (index.list().length === 0) return
    for (const row of rows) waitingRows.set(row.id, row)
    schedule()
  }
  devices.states.events.on('changed', onChanged)

  return {
    /** Reads the stored signals; new rules, and those whose condition has changed, start without signals. */
    async load() {
      const states = await stateQueries(db).listKnown()
      const loaded = new Map<string, Map<string, Signal>>()
      for (const { ruleId, deviceId, isMet, isUnknown } of states) {
        if (!isMet) continue
        const ofRule = loaded.get(ruleId) ?? new Map<string, Signal>()
        loaded.set(ruleId, ofRule.set(deviceId, isUnknown ? 'unknown' : 'met'))
      }
      const current = new Map(index.list().map(({ id, fingerprint }) => [id, fingerprint]))
      const merged = new Map<string, Map<string, Signal>>()
      for (const [id, fingerprint] of current) {
        const isSame = fingerprints.get(id) === fingerprint
        const ofRule = isSame ? signals.get(id) : undefined
        const storedSignals = loaded.get(id)
        if (ofRule || storedSignals)
          merged.set(id, new Map([...(storedSignals ?? []), ...(ofRule ?? [])]))
      }
      signals = merged
      fingerprints = current
    },
    /** Judges and writes what has arrived so far. */
    async flush() {
      clearTimeout(timer)
      runWaiting()
      await work
      await writer.flush()
    },
    async close() {
      devices.states.events.off('changed', onChanged)
      clearTimeout(timer)
      await work
      await writer.close()
    },
  }
}
export type Evaluator = ReturnType<typeof createEvaluator>
