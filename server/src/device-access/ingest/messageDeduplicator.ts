import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

const deduplicationWindowMs = 60_000
const maxRememberedMessages = 20_000

/**
 * Removes duplicates by connection, message id and content: a repeated message within a minute gets the first reply
 * again. A restarted device has a new connection and may reuse its ids. Failed messages are not remembered.
 */
export function createMessageDeduplicator() {
  const firstAnswers = new LRUCache<string, { digest: string; answer: Promise<string> }>({
    max: maxRememberedMessages,
    ttl: deduplicationWindowMs,
  })
  return {
    /** @param connection undefined if the connection is unknown; no message counts as a duplicate then */
    handleOnce(
      connection: string | undefined,
      action: string,
      id: string,
      payload: Buffer,
      handleMessage: () => Promise<string>,
    ) {
      if (connection === undefined) return handleMessage()
      const key = `${connection}|${action}|${id}`
      const digest = createHash('sha1').update(payload).digest('base64')
      const firstAnswer = firstAnswers.get(key)
      if (firstAnswer?.digest === digest) return firstAnswer.answer
      const answer = handleMessage()
      firstAnswers.set(key, { digest, answer })
      answer.catch(() => firstAnswers.delete(key))
      return answer
    },
  }
}
