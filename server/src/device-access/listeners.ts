import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { createServer as createHttp, type Server as HttpServer } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createServer as createTls } from 'node:tls'
import { createWebSocketStream, WebSocketServer } from 'ws'
import { listenOn } from '../core/bindAddress'
import { webSocketClosing } from '../core/serve/connections'
import { connectionCounter } from '../core/serve/connectionCounter'
import { GuardedSocket, type Limits } from './guard'
import type { RefusedConnection } from './refusals'
import type { Traffic, Way } from './traffic'

/** Paths of PEM files; they are read again when they change, so that a renewed certificate needs no restart. */
export type Certificate = { certificate: string; key: string; checkEvery?: number }
export type Ports = { [way in Way]?: number } & { tcp: number }
export type Listening = { [way in keyof Ports]: number }
type Options = {
  traffic: Traffic
  ports: Ports
  host?: string
  limits: Limits
  handshakeTimeout: number
  secure?: Certificate
  /** Called for a connection that ends before the broker sees it. */
  onRefused: (refused: Pick<RefusedConnection, 'reason' | 'address'> & Partial<Claimed>) => void
}
type Claimed = { clientId: string; username: string }

/**
 * Opens all listeners of the broker: TCP, TLS, and WebSocket over either. Connections per address are counted before
 * the TLS handshake, over all listeners together.
 */
export async function openListeners(
  { ports, host, limits, handshakeTimeout, secure, traffic, onRefused }: Options,
  enter: (socket: GuardedSocket) => void,
) {
  const counter = connectionCounter({
    perAddress: limits.connectionsPerAddress,
    total: limits.connections,
  })
  const servers: Server[] = []
  const listening: Listening = { tcp: 0 }
  let addresses: string[] = []
  const renewed: (() => void)[] = []
  const read = () => ({
    cert: readFileSync(secure!.certificate),
    key: readFileSync(secure!.key),
    handshakeTimeout,
  })

  async function listen(way: Way, server: Server) {
    // A TLS server emits here the raw socket, before the handshake.
    server.prependListener('connection', (socket: Socket) => {
      socket.setNoDelay(true)
      traffic.opened(way)
      socket.once('close', () => traffic.closed(way))
      if (counter.admit(socket)) return
      traffic.failed(way)
      onRefused({ reason: 'tooManyConnections', address: socket.remoteAddress ?? '' })
      socket.destroy()
    })
    servers.push(server)
    const bound = await listenOn(server, ports[way], host)
    if (bound.beside) servers.push(bound.beside)
    if (way === 'tcp') addresses = bound.addresses
    listening[way] = (server.address() as AddressInfo).port
  }
  const admit = (way: Way, socket: Duplex, address = '') =>
    enter(
      new GuardedSocket(socket, limits, address, way, (names) =>
        onRefused({ reason: 'protocolVersion', address, ...names }),
      ),
    )
  const take = (way: 'tcp' | 'tls') => (socket: Socket) => {
    if (!socket.destroyed) admit(way, socket, socket.remoteAddress)
  }
  function upgrade(way: 'ws' | 'wss', server: HttpServer) {
    const sockets = new WebSocketServer({
      server,
      maxPayload: limits.packet + 8,
      perMessageDeflate: false,
      ...webSocketClosing,
      // The first name is that of the MQTT standard, the second that of MQTT 3.1.
      handleProtocols: (offered) =>
        ['mqtt', 'mqttv3.1'].find((protocol) => offered.has(protocol)) ?? false,
    })
    sockets.on('connection', (socket, { socket: { remoteAddress } }) =>
      admit(way, createWebSocketStream(socket), remoteAddress),
    )
    server.headersTimeout = handshakeTimeout
    server.requestTimeout = handshakeTimeout
    server.on('close', () => sockets.close())
    return server
  }
  const broken = (way: 'tls' | 'wss') => (_error: Error, socket: Socket) => {
    traffic.failed(way)
    onRefused({ reason: 'tls', address: socket.remoteAddress ?? '' })
    socket.destroy()
  }
  const plainAnswer = (
    _request: unknown,
    response: { writeHead: (code: number) => { end: () => void } },
  ) => response.writeHead(426).end()

  // Node checks for slow connections only every 30 s by default.
  const checkOften = { connectionsCheckingInterval: Math.min(handshakeTimeout, 2000) }

  await listen('tcp', createServer(take('tcp')))
  if (ports.ws !== undefined) await listen('ws', upgrade('ws', createHttp(checkOften, plainAnswer)))
  if (ports.tls !== undefined) {
    const server = createTls(read(), take('tls'))
    server.on('tlsClientError', broken('tls'))
    renewed.push(() => server.setSecureContext(read()))
    await listen('tls', server)
  }
  if (ports.wss !== undefined) {
    const server = createHttps({ ...read(), ...checkOften }, plainAnswer)
    server.on('tlsClientError', broken('wss'))
    renewed.push(() => server.setSecureContext(read()))
    await listen('wss', upgrade('wss', server))
  }

  const renew = () => {
    try {
      for (const take of renewed) take()
    } catch (error) {
      // The file may be half written or the key may not match; the old certificate stays in use.
      console.error('证书未更换：', (error as Error).message)
    }
  }
  const watched = secure && renewed.length > 0 ? [secure.certificate, secure.key] : []
  for (const file of watched)
    watchFile(file, { interval: secure!.checkEvery ?? 60_000, persistent: false }, renew)

  return {
    ports: listening,
    addresses,
    /** Resolves when the last connection has ended. */
    close() {
      for (const file of watched) unwatchFile(file, renew)
      return Promise.all(
        servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
      )
    },
  }
}
