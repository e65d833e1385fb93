import { uuidv7 } from 'uuidv7'
import type { Db } from '../db/db'
import { logError } from '../db/outage'
import { createSequence } from '../sequence'
import {
  guardByLease,
  leaseQueries,
  leaseSeconds,
  LeaseLostError,
  type HeldLease,
} from './leaseQueries'

const renewIntervalMs = 2500
/** Free leases are tried once a second, so that a handed-over one is taken within two. */
const acquireIntervalMs = 1000
/** A holder stops this long before its lease ends, because a statement may still be on its way. */
const safetyMarginMs = 1000
/** A process that has handed over a lease leaves it to the others for this long. */
const handOverPauseMs = 3000

type LeaseHandlers = {
  /** Starts the work of the holder; it may take long, because renewals do not wait for it. */
  onAcquired?: () => unknown
  /** Another process holds the lease: the work ends without writing anything. */
  onLost?: () => unknown
  /** Finishes the work; the lease is released afterwards. */
  onHandOver?: () => unknown
  /** The lease is not taken while this returns false. */
  canHold?: () => boolean
}
type WantedLease = LeaseHandlers & {
  lease?: HeldLease
  isHandingOver: boolean
  notBeforeMs: number
  /** The handlers of a lease run one after the other. */
  work: Promise<unknown>
}
type LeaseOptions = {
  /**
   * True if no other process uses this database: a lease of an earlier start is taken over at once, and an outage of
   * the database does not end the work.
   */
  isOnlyProcess: boolean
  holder?: string
}

/**
 * Holds leases of this process in the database. At most one process holds a lease; its writes go through `writeAsHolder`
 * with a guard, so that a process which was stopped and wakes up writes nothing. The clock of the database decides when
 * a lease ends; the process itself counts from the start of its last renewal.
 * @example
 * const leases = createLeases(db, { isOnlyProcess: false })
 * leases.want('jobs', {})
 * await leases.start()
 * if (leases.isHeld('jobs')) await removeOldLogs(db)
 */
export function createLeases(db: Db, { isOnlyProcess, holder = uuidv7() }: LeaseOptions) {
  const queries = leaseQueries(db)
  const wantedLeases = new Map<string, WantedLease>()
  let validUntilMs = 0
  let lastRenewalMs = 0
  let timer: NodeJS.Timeout | undefined
  let isClosing = false
  const runInSequence = createSequence()

  const listHeld = (prefix = '') =>
    [...wantedLeases.values()].flatMap(({ lease }) => (lease?.name.startsWith(prefix) ? lease : []))
  const isValid = () => isOnlyProcess || performance.now() < validUntilMs
  const runHandler = (wantedLease: WantedLease, handler?: () => unknown) =>
    (wantedLease.work = wantedLease.work
      .then(handler)
      .catch((error: unknown) => logError('租约的工作未能切换', error)))

  /** The validity counts from before the statement, because the database may have executed it at any time since. */
  function extendValidity(startMs: number) {
    lastRenewalMs = startMs
    validUntilMs = startMs + leaseSeconds * 1000 - safetyMarginMs
  }

  function lose(name: string) {
    const wantedLease = wantedLeases.get(name)
    if (!wantedLease?.lease) return
    wantedLease.lease = undefined
    void runHandler(wantedLease, wantedLease.onLost)
  }

  async function renew() {
    const heldLeases = listHeld()
    if (heldLeases.length === 0) return
    const startMs = performance.now()
    const names = new Set(await queries.renew(holder, heldLeases))
    extendValidity(startMs)
    for (const { name } of heldLeases) if (!names.has(name)) lose(name)
  }

  async function acquire() {
    const startMs = performance.now()
    const names = [...wantedLeases].flatMap(([name, wantedLease]) =>
      !wantedLease.lease && startMs >= wantedLease.notBeforeMs && (wantedLease.canHold?.() ?? true)
        ? name
        : [],
    )
    if (isClosing || names.length === 0) return
    // Leases that are held already are renewed with the new ones, so that one validity covers all.
    await renew()
    const acquiredLeases = await queries.acquire(holder, names, isOnlyProcess)
    if (listHeld().length === 0) extendValidity(startMs)
    for (const lease of acquiredLeases) {
      const wantedLease = wantedLeases.get(lease.name)!
      wantedLease.lease = lease
      void runHandler(wantedLease, wantedLease.onAcquired)
    }
  }

  async function runRound() {
    try {
      if (performance.now() - lastRenewalMs >= renewIntervalMs) await renew()
      await acquire()
    } catch (error) {
      logError('租约暂未更新', error)
    }
  }
  function schedule() {
    if (isClosing) return
    timer = setTimeout(() => void runInSequence(runRound).then(schedule), acquireIntervalMs).unref()
  }

  async function handOver(name: string) {
    const wantedLease = wantedLeases.get(name)
    if (!wantedLease?.lease || wantedLease.isHandingOver) return
    wantedLease.isHandingOver = true
    wantedLease.notBeforeMs = performance.now() + handOverPauseMs
    await runHandler(wantedLease, wantedLease.onHandOver)
    await runInSequence(async () => {
      const { lease } = wantedLease
      wantedLease.lease = undefined
      if (lease) await queries.release(holder, [lease])
    }).catch((error: unknown) => logError('租约未能交出，7 秒后自动失效', error))
    wantedLease.isHandingOver = false
  }

  return {
    holder,
    isOnlyProcess,
    /** Takes the lease as soon as it is free, from `start` on. */
    want(name: string, handlers: LeaseHandlers = {}) {
      const state = { isHandingOver: false, notBeforeMs: 0, work: Promise.resolve() }
      wantedLeases.set(name, { ...handlers, ...state })
    },
    /** Tries all leases once, resolves when the work of those that were free has started, and goes on trying. */
    async start() {
      await runInSequence(runRound)
      await Promise.all([...wantedLeases.values()].map(({ work }) => work))
      schedule()
    },
    /** Renews and tries now. */
    check: () => runInSequence(() => renew().then(acquire)),
    /** Returns true as long as no other process can have taken over the lease. */
    isHeld: (name: string) => wantedLeases.get(name)?.lease !== undefined && isValid(),
    listHeld: (prefix: string) => listHeld(prefix).map(({ name }) => name),
    listCurrent: queries.listCurrent,
    /**
     * Guards a transaction by all leases below a prefix that this process holds.
     * @throws LeaseLostError if there is none, or another process has taken one over
     */
    async guard(tx: Db, prefix: string) {
      try {
        await guardByLease(tx, holder, listHeld(prefix), isOnlyProcess ? 0 : leaseSeconds)
      } catch (error) {
        if (error instanceof LeaseLostError) void runInSequence(renew).catch(() => {})
        throw error
      }
    },
    handOver,
    /** Finishes the work of all leases and releases them. */
    async close() {
      isClosing = true
      await Promise.all([...wantedLeases.keys()].map(handOver))
      clearTimeout(timer)
      await runInSequence(() => Promise.resolve())
      clearTimeout(timer)
    },
  }
}
export type Leases = ReturnType<typeof createLeases>

/** Runs the writes of a holder in one transaction that fails if another process has taken over. */
export type WriteAsHolder = <T>(work: (tx: Db) => Promise<T>) => Promise<T>
