import { changes, codes, type Endpoint, type Input, type Output } from '../contract/endpoint'
import { call, CallError, newPress, nextDeadline, UnansweredError } from './call'
import { isServerTimeKnown, serverNow } from './serverClock'

/** Pauses between two look-ups of what became of a command; the last one is repeated. */
const lookUpPausesMs = [1000, 2000, 5000]
/** The platform keeps the answers of pressed calls about as long. */
const maxLookUpMs = 10 * 60_000
/** A command that began right before its deadline has its task a moment later. */
const settleMs = 2000
/** A look-up finds what was done and never begins anything: its deadline is over. */
const overDeadlineMs = 1

type CommandOptions = {
  press?: string
  handles?: number[]
  /** The caller shows any failure in place, as `call` has it. */
  inline?: boolean
  /** No answer came; the returned promise goes on and ends with what became of the command. */
  onUnanswered?: () => void
  signal?: AbortSignal
}

/**
 * Sends a call that moves devices. Where no answer comes its outcome is unknown, not failed: what became of it is looked
 * up by its idempotency key once the platform answers again, and the promise ends with that.
 * @example const task = await sendCommand(controlApi.start, request, { onUnanswered: () => setState('unknown') })
 */
export async function sendCommand<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  { press = newPress(), handles, inline, onUnanswered, signal }: CommandOptions = {},
): Promise<Output<E>> {
  const deadlineMs = nextDeadline()
  const hasDeadline = changes(endpoint) && isServerTimeKnown()
  const options = { press, handles, inline, signal, deadlineMs, showsUnanswered: true }
  try {
    return await call(endpoint, input, options)
  } catch (error) {
    if (!(error instanceof UnansweredError)) throw error
    onUnanswered?.()
    // Without a deadline asking again could do it again.
    if (!hasDeadline) throw error
    return lookUp(endpoint, input, { ...options, deadlineMs })
  }
}

type LookUpOptions = Omit<CommandOptions, 'onUnanswered'> & { press: string; deadlineMs: number }

async function lookUp<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  { press, handles, inline, signal, deadlineMs }: LookUpOptions,
): Promise<Output<E>> {
  const startMs = Date.now()
  for (let attempt = 0; ; attempt++) {
    await pause(lookUpPausesMs[attempt] ?? lookUpPausesMs.at(-1)!, signal)
    // An answer to a question asked after the deadline is the last word.
    const isFinal = serverNow() > deadlineMs + settleMs
    const quietCodes = [...(handles ?? []), ...(isFinal ? [] : [codes.expired])]
    const options = { press, inline, signal, deadlineMs: overDeadlineMs, showsUnanswered: true }
    try {
      return await call(endpoint, input, { ...options, handles: quietCodes })
    } catch (error) {
      const isOpen =
        error instanceof UnansweredError ||
        (error instanceof CallError && error.code === codes.expired && !isFinal)
      if (!isOpen || Date.now() - startMs > maxLookUpMs) throw error
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
