import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { TargetCheck } from './targetAddress'

/** The whole exchange, from the lookup of the name to the end of the answer, takes at most this long. */
export const httpTimeoutMs = 10_000
const maxAnswerBytes = 64 * 1024

export type HttpAnswer = {
  status: number
  text: string
  retryAfter?: string
  /** Clock of the receiver; a refused signature with a different time shows that a clock is wrong. */
  date?: string
  /** The answer came from a private address and must not be shown. */
  isPrivate: boolean
}

/**
 * Posts JSON to a checked address. Redirects are not followed, because they would lead past the check.
 * @throws Error if there is no complete answer in time, or the address is refused
 */
export function postJson(
  url: string,
  body: string,
  headers: Record<string, string>,
  targets: TargetCheck,
  timeoutMs = httpTimeoutMs,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const address = new URL(url)
    targets.assertLiteralAllowed(address.hostname)
    const request = address.protocol === 'https:' ? requestHttps : requestHttp
    const sending = request(
      address,
      {
        method: 'POST',
        agent: false,
        lookup: targets.lookup,
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'iot-platform-notification',
          // The answer is read as it comes.
          'accept-encoding': 'identity',
          ...headers,
        },
      },
      (response) => {
        const isPrivate = !targets.isPublic(response.socket.remoteAddress ?? '')
        const chunks: Buffer[] = []
        let receivedBytes = 0
        const finish = () =>
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString('utf8'),
            retryAfter: response.headers['retry-after'],
            date: response.headers.date,
            isPrivate,
          })
        response.on('error', reject)
        response.on('end', finish)
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          receivedBytes += chunk.length
          if (receivedBytes <= maxAnswerBytes) return
          finish()
          response.destroy()
        })
      },
    )
    sending.on('error', reject)
    // Nothing would tell that the exchange is over if there were no listener.
    sending.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve({ status: response.statusCode ?? 0, text: '', isPrivate: true })
    })
    sending.end(body)
  })
}
