import { dayMs } from '@iot/shared/contract/duration'
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
} from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { and, eq, lt, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { idempotencyKey as table } from '../../tables/idempotency'
import { now } from '../../tables/columns'
import type { Db } from '../db/db'
import { logError } from '../db/outage'
import { createRefusal, Refusal, createFieldRefusal } from '../refusal'

/** Requests with the same key within this time count as the same request. */
const replayWindowMs = dayMs
/** A process that has not renewed its lease in time counts as ended, and another may run the request. */
const leaseSeconds = 30
const renewalMs = 10_000
/** A repeated request waits this long for the first one; a page waits 20 s for an answer. */
const waitMs = 15_000
const pollMs = 100
/** Larger answers are not stored; a repeated request is then told that the first one was completed. */
const maxAnswerBytes = 256 * 1024
const maxRequestsPerUser = 2000

export type IdempotentRequest = {
  userId: string
  key: string | undefined
  /** A request with the same key but other content is refused. */
  content: unknown
  /**
   * True if the handler finds by the request id what it created earlier and answers its current state, so no answer
   * is stored.
   */
  findsByRequestId?: boolean
}
export type RequestClaim = {
  requestId: string
  /**
   * Marks the request in the transaction of its change, so that both are stored or neither. If two processes took the
   * request, only the current holder of the claim can commit.
   * @throws Refusal if another process has taken over
   */
  markCommitted: (tx: Db) => Promise<void>
}

/**
 * Runs a request at most once per user and `Idempotency-Key` within a day, whichever process it reaches; a repeated
 * request gets the stored answer. Refused requests are forgotten. If the process was killed, the next request runs a
 * change that was not committed and does not repeat a committed one.
 * @throws Refusal if the key is malformed, was used for other content, or its request is still running
 */
export async function withIdempotencyKey<T>(
  db: Db,
  { key, ...request }: IdempotentRequest,
  run: (claim: RequestClaim) => Promise<T>,
): Promise<T> {
  if (key === undefined) return run(createUnclaimed(uuidv7()))
  if (!/^[\x21-\x7e]{1,100}$/.test(key))
    throw createFieldRefusal('Idempotency-Key', 'Idempotency-Key 须为 1–100 个字母、数字或符号')
  const requestStore = createIdempotencyStore(db, { key, ...request })
  await requestStore.removeExpired()
  for (const waitDeadline = Date.now() + waitMs; Date.now() < waitDeadline; await pause(pollMs)) {
    const requestId = await requestStore.claim()
    if (requestId) return runClaimed(requestStore, requestId, run)
    const storedRequest = await requestStore.read()
    if (!storedRequest) continue
    if (storedRequest.digest !== null && storedRequest.digest !== requestStore.digest)
      throw createFieldRefusal('Idempotency-Key', '这个 Idempotency-Key 已用于另一次操作')
    const isFinished =
      storedRequest.state === 'answered' ||
      (storedRequest.state === 'committed' && storedRequest.isExpired)
    if (!isFinished) continue
    if (request.findsByRequestId) return run(createUnclaimed(storedRequest.requestId))
    if (storedRequest.answer === null)
      throw createRefusal('这次操作已经完成，但它的答复没有保存下来：请刷新查看，不必再次提交')
    return JSON.parse(decrypt(storedRequest.answer, key)) as T
  }
  throw createRefusal('同一次操作仍在执行，请稍后查看结果')
}

/** Deletes stored requests older than a day, and the oldest of users that have more than `maxRequestsPerUser`. */
export async function removeOldRequests(db: Db) {
  await db.delete(table).where(buildExpiredCondition())
  await db.execute(sql`
    delete from ${table} where (user_id, key_hash) in (
      select user_id, key_hash from (
        select user_id, key_hash, row_number() over (partition by user_id order by create_time desc) as place
        from ${table}) as ranked
      where place > ${maxRequestsPerUser})`)
}

const buildExpiredCondition = () =>
  lt(table.createTime, new Date(Date.now() - replayWindowMs).toISOString())

const createUnclaimed = (requestId: string): RequestClaim => ({
  requestId,
  markCommitted: async () => {},
})

type RequestStore = ReturnType<typeof createIdempotencyStore>
async function runClaimed<T>(
  requestStore: RequestStore,
  requestId: string,
  run: (claim: RequestClaim) => Promise<T>,
) {
  const renewalTimer = setInterval(
    () => void requestStore.renew().catch(() => {}),
    renewalMs,
  ).unref()
  try {
    const answer = await run({ requestId, markCommitted: requestStore.markCommitted })
    // The change is committed even if its answer cannot be stored; a repeated request is then told so without the
    // answer.
    await requestStore.answer(answer).catch((error) => logError('请求的答复未保存', error))
    return answer
  } catch (error) {
    await requestStore.release(error instanceof Refusal).catch(() => {})
    throw error
  } finally {
    clearInterval(renewalTimer)
  }
}

/** Reads and writes the row of one idempotency key and the claim of this process on it. */
function createIdempotencyStore(
  db: Db,
  { userId, key, content, findsByRequestId }: Omit<IdempotentRequest, 'key'> & { key: string },
) {
  const keyHash = createHash('sha256').update(key).digest('hex')
  // The digest is keyed with the idempotency key, which is not stored, because the content may be guessable, such as
  // a password.
  const digest = createHmac('sha256', key).update(JSON.stringify(content)).digest('hex')
  const claimId = uuidv7()
  const leaseTime = sql<string>`now() + make_interval(secs => ${leaseSeconds})`
  const ownRow = and(eq(table.userId, userId), eq(table.keyHash, keyHash))
  const ownClaim = and(ownRow, eq(table.claimId, claimId))
  return {
    digest,
    removeExpired: () =>
      db.delete(table).where(and(eq(table.userId, userId), buildExpiredCondition())),
    /**
     * Returns the id of the request if this process may run it: the key is new, or its former holder ended without a
     * committed change.
     */
    async claim() {
      const row = { userId, keyHash, digest, claimId, requestId: uuidv7(), createTime: now() }
      const [claimedRow] = await db
        .insert(table)
        .values({ ...row, state: 'running', leaseTime })
        .onConflictDoUpdate({
          target: [table.userId, table.keyHash],
          set: { claimId, leaseTime },
          setWhere: and(
            eq(table.state, 'running'),
            eq(table.digest, digest),
            lt(table.leaseTime, sql`now()`),
          ),
        })
        .returning({ requestId: table.requestId })
      return claimedRow?.requestId
    },
    async read() {
      const [row] = await db
        .select({
          requestId: table.requestId,
          digest: table.digest,
          state: table.state,
          answer: table.answer,
          isExpired: sql<boolean>`coalesce(${table.leaseTime} < now(), true)`,
        })
        .from(table)
        .where(ownRow)
      return row
    },
    renew: () => db.update(table).set({ leaseTime }).where(ownClaim),
    async markCommitted(tx: Db) {
      const { rowCount } = await tx.update(table).set({ state: 'committed' }).where(ownClaim)
      if (rowCount !== 1) throw createRefusal('这次操作已由另一个进程接手，本次没有改动')
    },
    async answer(answer: unknown) {
      const text = findsByRequestId ? undefined : JSON.stringify(answer)
      const isStored = text !== undefined && Buffer.byteLength(text) <= maxAnswerBytes
      await db
        .update(table)
        .set({ state: 'answered', answer: isStored ? encrypt(text, key) : null })
        .where(ownClaim)
    },
    /**
     * Releases a request that changed no data or was refused, so that it can be retried. A committed change is kept.
     */
    async release(isRefused: boolean) {
      const removableRows = isRefused ? ownClaim : and(ownClaim, eq(table.state, 'running'))
      await db.delete(table).where(removableRows)
      await db
        .update(table)
        .set({ leaseTime: sql`now()` })
        .where(ownClaim)
    },
  }
}

const cipher = 'aes-256-gcm'
const [ivBytes, tagBytes] = [12, 16]
const deriveKey = (key: string, salt: Buffer) =>
  Buffer.from(hkdfSync('sha256', key, salt, 'idempotent answer', 32))

function encrypt(text: string, key: string) {
  const iv = randomBytes(ivBytes)
  const encryptor = createCipheriv(cipher, deriveKey(key, iv), iv)
  const body = Buffer.concat([encryptor.update(text, 'utf8'), encryptor.final()])
  return Buffer.concat([iv, encryptor.getAuthTag(), body]).toString('base64')
}

function decrypt(encoded: string, key: string) {
  const bytes = Buffer.from(encoded, 'base64')
  const iv = bytes.subarray(0, ivBytes)
  const decryptor = createDecipheriv(cipher, deriveKey(key, iv), iv)
  decryptor.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
  const body = bytes.subarray(ivBytes + tagBytes)
  return Buffer.concat([decryptor.update(body), decryptor.final()]).toString('utf8')
}
