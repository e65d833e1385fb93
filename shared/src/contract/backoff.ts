export type Backoff = {
  /** Pause in milliseconds before attempt 0, without jitter. */
  firstMs: number
  /** Limit in milliseconds of the doubled pause, before the jitter. */
  maxMs?: number
  /** Smallest and largest factor of the jitter. */
  jitter?: readonly [min: number, max: number]
}

/**
 * Returns the pause in milliseconds before an attempt, counted from 0. It doubles with each attempt up to its limit. The
 * random jitter keeps clients that failed together from retrying together.
 */
export const getBackoffMs = (
  attempt: number,
  { firstMs, maxMs = Infinity, jitter: [min, max] = [0.5, 1.5] }: Backoff,
  random = Math.random(),
) => Math.min(maxMs, firstMs * 2 ** attempt) * (min + (max - min) * random)
