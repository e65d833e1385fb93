import { uuidv7 } from 'uuidv7'
import { describeReason } from '../../core/logging/safeError'
import { Refusal } from '../../core/refusal'
import {
  requestKinds,
  type ReplyMessage,
  type RequestHandlers,
  type RequestInput,
  type RequestKind,
  type RequestOutput,
} from './processMessageKinds'

/** The holder did not answer, or failed: whether it has done what was asked is unknown. */
export class RequestFailedError extends Error {
  override name = 'RequestFailedError'
}

type PendingRequest = {
  kind: RequestKind
  resolve: (data: unknown) => void
  reject: (error: Error) => void
}

/** Matches replies to requests by correlation id and ends requests at their deadline. */
export function createPendingRequests() {
  const pendingById = new Map<string, PendingRequest>()
  return {
    /** @param send publishes the request with its correlation id */
    start<K extends RequestKind>(
      target: string,
      kind: K,
      timeoutMs: number,
      send: (id: string) => void,
    ): Promise<RequestOutput<K>> {
      const id = uuidv7()
      return new Promise<RequestOutput<K>>((resolve, reject) => {
        const timer = setTimeout(
          () => finish(() => reject(new RequestFailedError(`${target} 没有应答`))),
          timeoutMs,
        )
        const finish = (settle: () => void) => {
          clearTimeout(timer)
          pendingById.delete(id)
          settle()
        }
        pendingById.set(id, {
          kind,
          resolve: (data) => finish(() => resolve(data as RequestOutput<K>)),
          reject: (error) => finish(() => reject(error)),
        })
        send(id)
      })
    },
    /** A reply that comes after the deadline, or a second one, is ignored. */
    handleReply({ id, data, refusal, error }: ReplyMessage) {
      const pending = pendingById.get(id)
      if (!pending) return
      if (refusal) return pending.reject(new Refusal(refusal.code, refusal.message))
      if (error !== undefined) return pending.reject(new RequestFailedError(error))
      const output = requestKinds[pending.kind].output.safeParse(data)
      if (output.success) pending.resolve(output.data)
      else pending.reject(new RequestFailedError('看不懂的应答'))
    },
    rejectAll(reason: string) {
      for (const { reject } of [...pendingById.values()]) reject(new RequestFailedError(reason))
    },
  }
}

/** @throws if the handler throws, or if this holder does not serve the kind */
export function callHandler<K extends RequestKind>(
  handlers: RequestHandlers,
  kind: K,
  data: RequestInput<K>,
): Promise<RequestOutput<K>> {
  const handler = handlers[kind]
  if (!handler) throw new RequestFailedError(`不支持的请求 ${kind}`)
  return handler(data)
}

/** Carries out a request of another process and returns the reply. */
export async function answerRequest(
  handlers: RequestHandlers,
  id: string,
  kind: RequestKind,
  data: unknown,
): Promise<ReplyMessage> {
  try {
    return { id, data: await callHandler(handlers, kind, requestKinds[kind].input.parse(data)) }
  } catch (error) {
    if (error instanceof Refusal)
      return { id, refusal: { code: error.code, message: error.message } }
    return { id, error: describeReason(error) }
  }
}
