import { codes, headerNames } from '@iot/shared/contract/endpoint'
import type { FastifyRequest } from 'fastify'
import { Refusal, wrongField } from '../refusal'

/**
 * Reads until when the caller waits. The header holds a moment of this server's clock and not a duration, because a
 * duration would begin only when a stopped process wakes and reads what waited in its socket.
 */
export function readDeadline({ headers }: Pick<FastifyRequest, 'headers'>): number | undefined {
  const given = headers[headerNames.deadline]
  if (given === undefined) return undefined
  if (typeof given !== 'string' || !/^\d{1,15}$/.test(given))
    throw wrongField('X-Deadline', 'X-Deadline 须为毫秒时间戳')
  return Number(given)
}

/** Refuses work that the caller no longer waits for; called again right before something cannot be taken back. */
export function assertBeforeDeadline(deadline: number | undefined) {
  if (deadline !== undefined && Date.now() > deadline)
    throw new Refusal(codes.expired, '超过了等待期限，没有执行')
}
