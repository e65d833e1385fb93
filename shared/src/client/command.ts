import {
  isWriteCall,
  responseCodes,
  type Endpoint,
  type Input,
  type Output,
} from '../contract/endpoint'
import { call, CallError, newIdempotencyKey, getDeadlineMs, UnansweredError } from './call'
import { isServerTimeKnown, serverNow } from './serverClock'

/** Pauses in ms between status checks of a command; the last one is repeated. */
const lookUpPausesMs = [1000, 2000, 5000]
/** Limit in ms for status checks; the server keeps answers of idempotency keys about as long. */
const maxLookUpMs = 10 * 60_000
/** A command that began right before its deadline has a task within this time in ms. */
const settleMs = 2000
/** Status checks carry a past deadline, so that they find the result but never start the command. */
const overDeadlineMs = 1

type CommandOptions = {
  press?: string
  handles?: number[]
  /** The caller shows any failure in place, as in `call`. */
  inline?: boolean
  /** Called if no response arrives; the promise stays pending until the outcome is known. */
  onUnanswered?: () => void
  signal?: AbortSignal
}

/**
 * Sends a command to devices. Without a response its outcome is unknown, not failed: it is looked up by the idempotency
 * key once the server responds again, and the promise settles with the result.
 * @example const task = await sendCommand(controlApi.start, request, { onUnanswered: () => setState('unknown') })
 */
export async function sendCommand<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  {
    press: idempotencyKey = newIdempotencyKey(),
    handles,
    inline,
    onUnanswered,
    signal,
  }: CommandOptions = {},
): Promise<Output<E>> {
  const deadlineMs = getDeadlineMs()
  const hasDeadline = isWriteCall(endpoint) && isServerTimeKnown()
  const options = {
    press: idempotencyKey,
    handles,
    inline,
    signal,
    deadlineMs,
    showsUnanswered: true,
  }
  try {
    return await call(endpoint, input, options)
  } catch (error) {
    if (!(error instanceof UnansweredError)) throw error
    onUnanswered?.()
    // A repeated request without a deadline could execute the command again.
    if (!hasDeadline) throw error
    return pollOutcome(endpoint, input, { ...options, deadlineMs })
  }
}

type StatusCheckOptions = Omit<CommandOptions, 'onUnanswered'> & {
  press: string
  deadlineMs: number
}

async function pollOutcome<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  { press: idempotencyKey, handles, inline, signal, deadlineMs }: StatusCheckOptions,
): Promise<Output<E>> {
  const startMs = Date.now()
  for (let attempt = 0; ; attempt++) {
    await pause(lookUpPausesMs[attempt] ?? lookUpPausesMs.at(-1)!, signal)
    // The command can no longer start after the deadline, so the response to this check is final.
    const isFinal = serverNow() > deadlineMs + settleMs
    const quietCodes = [...(handles ?? []), ...(isFinal ? [] : [responseCodes.expired])]
    const options = {
      press: idempotencyKey,
      inline,
      signal,
      deadlineMs: overDeadlineMs,
      showsUnanswered: true,
    }
    try {
      return await call(endpoint, input, { ...options, handles: quietCodes })
    } catch (error) {
      const isUndecided =
        error instanceof UnansweredError ||
        (error instanceof CallError && error.code === responseCodes.expired && !isFinal)
      if (!isUndecided || Date.now() - startMs > maxLookUpMs) throw error
    }
  }
}

const pause = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    signal?.throwIfAborted()
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => (clearTimeout(timer), reject(signal.reason as Error)), {
      once: true,
    })
  })
