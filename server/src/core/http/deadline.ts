import { responseCodes, headerNames } from '@iot/shared/contract/endpoint'
import type { FastifyRequest } from 'fastify'
import { Refusal, createFieldRefusal } from '../refusal'

/**
 * Reads the deadline of the caller in milliseconds since 1970. The header holds a time of this server's clock and not
 * a duration, because a duration would start only when a stopped process wakes up and reads the request from its
 * socket.
 * @throws Refusal if the header is not a timestamp
 */
export function readDeadline({ headers }: Pick<FastifyRequest, 'headers'>): number | undefined {
  const header = headers[headerNames.deadline]
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !/^\d{1,15}$/.test(header))
    throw createFieldRefusal('X-Deadline', 'X-Deadline 须为毫秒时间戳')
  return Number(header)
}

/**
 * Refuses work that the caller no longer waits for; it is called again right before a step that cannot be undone.
 * @throws Refusal if the deadline has passed
 */
export function assertBeforeDeadline(deadline: number | undefined) {
  if (deadline !== undefined && Date.now() > deadline)
    throw new Refusal(responseCodes.expired, '超过了等待期限，没有执行')
}
