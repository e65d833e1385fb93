import { STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createProxyMatcher } from './addressGroup'
import { connectionCounter } from './connectionCounter'
import { answerStatus, envelopeOf } from './errors'

/** All timeouts are in milliseconds. */
export type Patience = {
  /** The headers must be complete within this time from the start of the connection. */
  headers: number
  /** The whole request must arrive within this time; an upload of 5 MB at 1 Mbit/s takes 42 s. */
  call: number
  /** A connection without traffic is closed after this time while a request is being answered. */
  idle: number
  /**
   * A connection that owes the rest of a request, or is kept alive for another one, is closed after this time without
   * traffic.
   */
  silent: number
  /** Requests in flight may take this long when the server stops. */
  drain: number
}
const usual: Patience = {
  headers: 12_000,
  call: 90_000,
  idle: 120_000,
  silent: 12_000,
  drain: 10_000,
}

/** Returns Fastify options that keep clients from holding a connection by sending half of a request. */
export function connectionOptions(patience: Partial<Patience> = {}) {
  const { headers, call, idle, silent } = { ...usual, ...patience }
  return {
    requestTimeout: call,
    connectionTimeout: idle,
    keepAliveTimeout: silent,
    http: {
      headersTimeout: headers,
      connectionsCheckingInterval: Math.min(headers, 2000),
      // Node would refuse a request without a Host header with an empty answer, so `refuseOddCalls` refuses it
      // instead.
      requireHostHeader: false,
    },
    // A request that arrives while the server stops is still answered; the connection ends with it.
    return503OnClosing: false,
    frameworkErrors: (error: FastifyError, _: FastifyRequest, reply: FastifyReply) =>
      answerStatus(reply, error.statusCode ?? 400),
    clientErrorHandler: refuseRaw,
  }
}

/** Answers input that is not HTTP, too long or too slow; no route exists that could answer it. */
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

/**
 * Answers requests that Node would answer without a body or not at all: a missing Host header, unknown expectations,
 * CONNECT.
 */
export function refuseOddCalls(app: FastifyInstance) {
  app.addHook('onRequest', async ({ headers, raw }, reply) => {
    if (headers.host === undefined && raw.httpVersion === '1.1')
      await answerStatus(reply.header('connection', 'close'), 400)
  })
  app.server.on('checkExpectation', ({ socket }) => endWith(socket, 417))
  app.server.on('connect', (_request, socket) => endWith(socket, 405))
}

/**
 * A WebSocket whose peer does not answer the close frame is closed after this many milliseconds. The types of `ws`
 * lack this option.
 */
export const webSocketClosing = { closeTimeout: 5000 }

export type ConnectionLimits = { perAddress: number; total: number }
const usualLimits: ConnectionLimits = {
  // The limit covers an office of 150 people behind one address, each with a live connection and six for requests.
  perAddress: 1024,
  total: 8192,
}

/**
 * Limits connections per source, so that clients without a session cannot use up the file descriptors or hold
 * connections idle.
 */
export function limitConnections(app: FastifyInstance) {
  const { connectionLimits, patience, trustProxy } = app.settings
  const { silent, idle } = { ...usual, ...patience }
  const isExempt = createProxyMatcher(trustProxy)
  const counter = connectionCounter({ ...usualLimits, ...connectionLimits, isExempt })
  app.server.prependListener('connection', (socket: Socket) => {
    if (!counter.admit(socket)) socket.destroy()
  })
  app.addHook('onRequest', async ({ raw }) => {
    // An injected request of a test has no socket.
    if (!(raw.socket instanceof Socket)) return
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = raw.headers
    if (raw.complete || (encoding === undefined && Number(length) === 0)) return
    raw.socket.setTimeout(silent)
    raw.once('end', () => raw.socket.setTimeout(idle))
  })
}

/** Drains at a stop: requests in flight may finish, and remaining connections are closed after `drain` milliseconds. */
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
