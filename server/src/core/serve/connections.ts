import { STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createProxyMatcher } from './addressGroup'
import { connectionCounter } from './connectionCounter'
import { answerStatus, envelopeOf } from './errors'

/** Milliseconds a caller is given. */
export type Patience = {
  /** Until the headers are there, from the first moment of a connection. */
  headers: number
  /** Until the whole call is there: an upload of 5 MB at 1 Mbit/s takes 42 s. */
  call: number
  /** Limit for a connection on which nothing moves while a call is answered. */
  idle: number
  /** Limit for a connection whose caller owes the rest of a call, or that is kept open for another call. */
  silent: number
  /** At a stop, for calls that are under way. */
  drain: number
}
const usual: Patience = {
  headers: 12_000,
  call: 90_000,
  idle: 120_000,
  silent: 12_000,
  drain: 10_000,
}

/** What Fastify is told about connections: nobody keeps one by sending half of a call. */
export function connectionOptions(patience: Partial<Patience> = {}) {
  const { headers, call, idle, silent } = { ...usual, ...patience }
  return {
    requestTimeout: call,
    connectionTimeout: idle,
    keepAliveTimeout: silent,
    http: {
      headersTimeout: headers,
      connectionsCheckingInterval: Math.min(headers, 2000),
      // Node would refuse it without a word.
      requireHostHeader: false,
    },
    // A call that still comes in during a stop is answered as any other; the connection ends with it.
    return503OnClosing: false,
    frameworkErrors: (error: FastifyError, _: FastifyRequest, reply: FastifyReply) =>
      answerStatus(reply, error.statusCode ?? 400),
    clientErrorHandler: refuseRaw,
  }
}

/** What is not HTTP, too long or too slow has no call of ours to answer it. */
function refuseRaw({ code }: { code?: string }, socket: Socket) {
  if (code === 'ECONNRESET' || socket.destroyed) return
  endWith(
    socket,
    code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : code === 'HPE_HEADER_OVERFLOW' ? 431 : 400,
  )
}

function endWith(socket: Duplex, status: number) {
  const body = JSON.stringify(envelopeOf(status))
  if (socket.writable)
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  socket.end()
  socket.once('finish', () => socket.destroy())
}

/** What Node answers by itself, without a body, or not at all. */
export function refuseOddCalls(app: FastifyInstance) {
  app.addHook('onRequest', async ({ headers, raw }, reply) => {
    if (headers.host === undefined && raw.httpVersion === '1.1')
      await answerStatus(reply.header('connection', 'close'), 400)
  })
  app.server.on('checkExpectation', ({ socket }) => endWith(socket, 417))
  app.server.on('connect', (_request, socket) => endWith(socket, 405))
}

/** Milliseconds after which a WebSocket without an answer to its close frame is destroyed. The types of `ws` lack it. */
export const webSocketClosing = { closeTimeout: 5000 }

export type ConnectionLimits = { perAddress: number; total: number }
const usualLimits: ConnectionLimits = {
  // An office of 150 people behind one address, each with a live connection and six for calls.
  perAddress: 1024,
  total: 8192,
}

/** Strangers are kept from the descriptors that everybody shares, and from holding one in silence. */
export function limitConnections(app: FastifyInstance) {
  const { connectionLimits, patience, trustProxy } = app.settings
  const { silent, idle } = { ...usual, ...patience }
  const isExempt = createProxyMatcher(trustProxy)
  const counter = connectionCounter({ ...usualLimits, ...connectionLimits, isExempt })
  app.server.prependListener('connection', (socket: Socket) => {
    if (!counter.admit(socket)) socket.destroy()
  })
  app.addHook('onRequest', async ({ raw }) => {
    // A call that is injected has none.
    if (!(raw.socket instanceof Socket)) return
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = raw.headers
    if (raw.complete || (encoding === undefined && Number(length) === 0)) return
    raw.socket.setTimeout(silent)
    raw.once('end', () => raw.socket.setTimeout(idle))
  })
}

/** A stop waits for calls under way, and for nobody longer than `drain`. */
export function drainAtStop(app: FastifyInstance, patience: Partial<Patience> = {}) {
  const open = new Set<Socket>()
  app.server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', async () => {
    const late = setTimeout(() => {
      for (const socket of open) socket.destroy()
    }, patience.drain ?? usual.drain)
    app.server.once('close', () => clearTimeout(late))
  })
}
