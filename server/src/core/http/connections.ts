import { STATUS_CODES, type IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createProxyMatcher } from './addressGroup'
import { createConnectionCounter } from './connectionCounter'
import { answerStatus, createStatusEnvelope } from './errors'

/** All timeouts are in milliseconds. */
export type ConnectionTimeouts = {
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
const defaultTimeouts: ConnectionTimeouts = {
  headers: 12_000,
  call: 90_000,
  idle: 120_000,
  silent: 12_000,
  drain: 10_000,
}

/** Returns Fastify options that keep clients from holding a connection by sending half of a request. */
export function buildConnectionOptions(timeouts: Partial<ConnectionTimeouts> = {}) {
  const {
    headers: headersMs,
    call: callMs,
    idle: idleMs,
    silent: silentMs,
  } = { ...defaultTimeouts, ...timeouts }
  return {
    requestTimeout: callMs,
    connectionTimeout: idleMs,
    keepAliveTimeout: silentMs,
    http: {
      headersTimeout: headersMs,
      connectionsCheckingInterval: Math.min(headersMs, 2000),
      // Node would refuse a request without a Host header with an empty answer, so `rejectMalformedRequests` refuses it
      // instead.
      requireHostHeader: false,
    },
    // A request that arrives while the server stops is still answered; the connection ends with it.
    return503OnClosing: false,
    frameworkErrors: (error: FastifyError, _: FastifyRequest, reply: FastifyReply) =>
      answerStatus(reply, error.statusCode ?? 400),
    clientErrorHandler: rejectUnparsable,
  }
}

/** Answers input that is not HTTP, too long or too slow; no route exists that could answer it. */
function rejectUnparsable({ code }: { code?: string }, socket: Socket) {
  if (code === 'ECONNRESET' || socket.destroyed) return
  endWithStatus(
    socket,
    code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : code === 'HPE_HEADER_OVERFLOW' ? 431 : 400,
  )
}

function endWithStatus(socket: Duplex, status: number) {
  const body = JSON.stringify(createStatusEnvelope(status))
  if (socket.writable)
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  socket.end()
  socket.once('finish', () => socket.destroy())
}

/** A name or an address with an optional port, by RFC 9110 and RFC 3986 without the characters that no host uses. */
const hostPattern = /^(?:[a-z\d_](?:[\w.-]*[\w.])?|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/**
 * RFC 9112 demands 400 for a missing, repeated or malformed Host: proxies in front choose one of two, this server the
 * other, and links are made of it.
 */
export function hasUsableHost({
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>) {
  const hosts = rawHeaders.filter(
    (_, index, headers) => index % 2 === 1 && headers[index - 1]!.toLowerCase() === 'host',
  )
  if (hosts.length === 0) return httpVersion === '1.0'
  return hosts.length === 1 && hostPattern.test(hosts[0]!)
}

/**
 * Answers requests that Node would answer without a body or not at all: a missing Host header, unknown expectations,
 * CONNECT.
 */
export function rejectMalformedRequests(app: FastifyInstance) {
  app.addHook('onRequest', async ({ raw }, reply) => {
    if (!hasUsableHost(raw)) await answerStatus(reply.header('connection', 'close'), 400)
  })
  app.server.on('checkExpectation', ({ socket }) => endWithStatus(socket, 417))
  app.server.on('connect', (_request, socket) => endWithStatus(socket, 405))
}

/**
 * A WebSocket whose peer does not answer the close frame is closed after this many milliseconds. The types of `ws`
 * lack this option.
 */
export const webSocketCloseOptions = { closeTimeout: 5000 }

export type ConnectionLimits = { perAddress: number; total: number }
const defaultLimits: ConnectionLimits = {
  // The limit covers an office of 150 people behind one address, each with a live connection and six for requests.
  perAddress: 1024,
  total: 8192,
}

/**
 * Limits connections per source, so that clients without a session cannot use up the file descriptors or hold
 * connections idle.
 */
export function limitConnections(app: FastifyInstance) {
  const { connectionLimits, patience: timeouts, trustProxy } = app.settings
  const { silent: silentMs, idle: idleMs } = { ...defaultTimeouts, ...timeouts }
  const isExempt = createProxyMatcher(trustProxy)
  const counter = createConnectionCounter({ ...defaultLimits, ...connectionLimits, isExempt })
  app.server.prependListener('connection', (socket: Socket) => {
    if (!counter.admit(socket)) socket.destroy()
  })
  app.addHook('onRequest', async ({ raw }) => {
    // An injected request of a test has no socket.
    if (!(raw.socket instanceof Socket)) return
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = raw.headers
    if (raw.complete || (encoding === undefined && Number(length) === 0)) return
    raw.socket.setTimeout(silentMs)
    raw.once('end', () => raw.socket.setTimeout(idleMs))
  })
}

/** Drains at a stop: requests in flight may finish, and remaining connections are closed after `drain` milliseconds. */
export function drainAtStop(app: FastifyInstance, timeouts: Partial<ConnectionTimeouts> = {}) {
  const openSockets = new Set<Socket>()
  app.server.on('connection', (socket) => {
    openSockets.add(socket)
    socket.once('close', () => openSockets.delete(socket))
  })
  app.addHook('preClose', async () => {
    const drainTimer = setTimeout(() => {
      for (const socket of openSockets) socket.destroy()
    }, timeouts.drain ?? defaultTimeouts.drain)
    app.server.once('close', () => clearTimeout(drainTimer))
  })
}
