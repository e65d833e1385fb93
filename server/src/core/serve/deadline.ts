import { codes, headerNames } from '@iot/shared/contract/endpoint'
import type { FastifyRequest } from 'fastify'
import { Refusal, wrongField } from '../refusal'

/**
 * Reads the deadline of the caller in milliseconds since 1970. The header holds a time of this server's clock and not
 * a duration, because a duration would start only when a stopped process wakes up and reads the request from its
 * socket.
 * @throws Refusal if the header is not a timestamp
 */
export function readDeadline({ headers }: Pick<FastifyRequest, 'headers'>): number | undefined {
  const given = headers[headerNames.deadline]
  if (given === undefined) return undefined
  if (typeof given !== 'string' || !/^\d{1,15}$/.test(given))
    throw wrongField('X-Deadline', 'X-Deadline 须为毫秒时间戳')
  return Number(given)
}

/**
 * Refuses work that the caller no longer waits for; it is called again right before a step that cannot be undone.
 * @throws Refusal if the deadline has passed
 */
export function assertBeforeDeadline(deadline: number | undefined) {
  if (deadline !== undefined && Date.now() > deadline)
    throw new Refusal(codes.expired, '超过了等待期限，没有执行')
}
