import { promisify } from 'node:util'
import { gzip, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** A packet holds this much anyway. */
const least = 1024
/** Larger ones are compressed beside the other calls. */
const quick = 64 * 1024
// Level 1 costs less than the bytes it saves on the socket: half a list's time goes into level 6, a third into streams.
const options = { level: 1 }
const later = promisify(gzip)

/** Compresses what calls answer. Files, streams and sockets pass by: builds have been compressed when they were made. */
export function compressAnswers(app: FastifyInstance) {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < least) return payload
    if (!String(reply.getHeader('content-type')).includes('json')) return payload
    reply.header('vary', 'accept-encoding')
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return payload
    reply.header('content-encoding', 'gzip').removeHeader('content-length')
    return payload.length < quick ? gzipSync(payload, options) : later(payload, options)
  })
}
