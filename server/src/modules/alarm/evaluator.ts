import { LRUCache } from 'lru-cache'
import { inArray } from 'drizzle-orm'
import type { Db } from '../../core/db/db'
import { logError } from '../../core/db/outage'
import { createWriteBehind } from '../../core/db/writeBehind'
import { createSequence } from '../../core/sequence'
import { LeaseLostError } from '../../core/lease/leaseQueries'
import type { DeviceAccess } from '../../device-access/deviceAccess'
import type { ChangedDevice } from '../../device-access/ingest/writeDeviceRows'
import { device } from '../../tables/device'
import { describeObservation } from './describe'
import type { Signal } from './conditions'
import type { CompiledRule, RuleIndex, ScopedDevice } from './ruleIndex'
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
  /**
   * Signals by rule and device, as this process has written them. “Over” is kept for thresholds alone: an incident may be
   * recovering by it, which a value between both limits ends and an unknown one stops.
   */
  let signals = new Map<string, Map<string, Signal>>()
  let waitingRows = new Map<string, ChangedDevice>()
  let timer: NodeJS.Timeout | undefined
  const runInSequence = createSequence()

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
  function judgeRow(rule: CompiledRule, row: ChangedDevice & ScopedDevice) {
    const ruleSignals = signals.get(rule.id)
    const lastSignal = ruleSignals?.get(row.id)
    const isCovered = rule.covers(row)
    if (!isCovered && lastSignal === undefined) return
    const signal = isCovered ? rule.judge(row) : 'over'
    if (signal === lastSignal) return
    // The first signal needs a row only if it is `met`: an unknown value is no condition yet.
    if (lastSignal === undefined && signal !== 'met') return
    if (signal === 'unknown' && lastSignal === 'between') return
    if (signal === 'over' && rule.source.kind !== 'threshold') ruleSignals?.delete(row.id)
    else if (ruleSignals) ruleSignals.set(row.id, signal)
    else signals.set(rule.id, new Map([[row.id, signal]]))
    record(rule, row, signal)
  }

  async function evaluateWaiting() {
    const rows = [...waitingRows.values()]
    waitingRows = new Map()
    try {
      await readProducts(db, rows, productIds)
    } catch (error) {
      for (const row of rows) if (!waitingRows.has(row.id)) waitingRows.set(row.id, row)
      schedule(1000)
      throw error
    }
    for (const row of rows) {
      const productId = productIds.get(row.id)
      if (!productId) continue
      const scopedRow = { ...row, productId }
      for (const rule of index.listForProduct(productId)) judgeRow(rule, scopedRow)
    }
  }
  function runWaiting() {
    timer = undefined
    return runInSequence(evaluateWaiting).catch((error: unknown) =>
      logError('告警条件未检查', error),
    )
  }
  function schedule(delayMs = evaluateDelayMs) {
    timer ??= setTimeout(() => void runWaiting(), delayMs).unref()
  }
  function onChanged(rows: ChangedDevice[]) {
    if (index.list().length === 0) return
    for (const row of rows) waitingRows.set(row.id, row)
    schedule()
  }
  devices.states.events.on('changed', onChanged)

  async function load() {
    await writer.flush()
    // The changes that could not be written are newer than the stored states.
    if (writer.countPending() > 0) return
    const loaded = new Map<string, Map<string, Signal>>()
    for (const { ruleId, deviceId, isMet, isUnknown } of await stateQueries(db).listKnown()) {
      if (!isMet && index.find(ruleId)?.source.kind !== 'threshold') continue
      const ofRule = loaded.get(ruleId) ?? new Map<string, Signal>()
      loaded.set(ruleId, ofRule.set(deviceId, isUnknown ? 'unknown' : isMet ? 'met' : 'over'))
    }
    signals = loaded
  }

  return {
    /**
     * Reads what is stored, because the process that holds the jobs removes conditions, too. Nothing is judged meanwhile,
     * and what this process has judged before is written first.
     */
    load: () => runInSequence(load),
    /**
     * Writes conditions beside the judgements of this process, and reads them. Nothing is judged meanwhile, so that no
     * value is compared with what was stored before.
     * @param write returns the number of conditions that it wrote
     */
    write: (write: () => Promise<number>) =>
      runInSequence(async () => {
        await writer.flush()
        const writtenCount = await write()
        if (writtenCount > 0) await load()
        return writtenCount
      }),
    /** Judges and writes what has arrived so far. */
    async flush() {
      clearTimeout(timer)
      await runWaiting()
      await writer.flush()
    },
    async close() {
      devices.states.events.off('changed', onChanged)
      clearTimeout(timer)
      await runInSequence(async () => {})
      await writer.close()
    },
  }
}
export type Evaluator = ReturnType<typeof createEvaluator>

/** Adds the products of devices that are not known yet. */
async function readProducts(db: Db, rows: ChangedDevice[], productIds: LRUCache<string, string>) {
  const unknownIds = rows.map(({ id }) => id).filter((id) => !productIds.has(id))
  for (let start = 0; start < unknownIds.length; start += 5000) {
    const deviceRows = await db
      .select({ id: device.id, productId: device.productId })
      .from(device)
      .where(inArray(device.id, unknownIds.slice(start, start + 5000)))
    for (const { id, productId } of deviceRows) productIds.set(id, productId)
  }
}
